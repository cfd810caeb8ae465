import type { Request, Response } from 'express';
import { browserLanguage } from './browser-language';
import { sendPage } from './page';
import { portalTexts } from './texts';

type Notice = 'invalid' | 'page_missing' | 'unavailable' | 'too_large' | 'other_site';

/** Sends a short notice as a page in the browser's language. It reveals nothing about any interview or account. */
export function sendNotice(request: Request, response: Response, status: number, notice: Notice): void {
  const language = browserLanguage(request);
  const texts = portalTexts(language);
  const title = texts(`${notice}_title`);
  sendPage(response, status, {
    language,
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p>{texts(notice)}</p>
      </>
    ),
  });
}

/**
 * Returns the notice for an error status. 429 and 5xx get `unavailable`, which asks the visitor to try again later.
 * 413 gets `too_large`. 403 gets `other_site`, because it is the status for forms that were sent from other sites.
 * Any other status gets `otherwise`.
 */
export function noticeOf(status: number, otherwise: Notice): Notice {
  if (status >= 500 || status === 429) return 'unavailable';
  if (status === 413) return 'too_large';
  return status === 403 ? 'other_site' : otherwise;
}

/** Sends the notice for a link that is not valid. */
export const sendInvalidLink = (request: Request, response: Response): void =>
  sendNotice(request, response, 404, 'invalid');

/** Sends the notice for a catalogue page that does not exist or that the visitor may not see. */
export const sendMissingPage = (request: Request, response: Response): void =>
  sendNotice(request, response, 404, 'page_missing');
