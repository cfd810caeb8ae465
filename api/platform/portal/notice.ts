import type { Request, Response } from 'express';
import { html } from '../text/html';
import { browserLanguage } from './browser-language';
import { sendPage } from './page';
import { portalTexts } from './texts';

/** Sends a page in the browser's language that holds nothing of anybody's interview or account. */
export function sendNotice(
  request: Request,
  response: Response,
  status: number,
  notice: 'invalid' | 'unavailable' | 'page_missing',
): void {
  const language = browserLanguage(request);
  const texts = portalTexts(language);
  const title = texts(`${notice}_title`);
  sendPage(response, status, {
    language,
    title,
    content: html`<h1>${title}</h1>
      <p>${texts(notice)}</p>`,
  });
}

/** The notice of a refused request: the ones that may pass later are told to try again. */
export const noticeOf = <T>(status: number, otherwise: T): T | 'unavailable' =>
  status >= 500 || status === 429 ? 'unavailable' : otherwise;

/** What whoever comes with a link that is not ours sees. */
export const sendInvalidLink = (request: Request, response: Response): void =>
  sendNotice(request, response, 404, 'invalid');

/** What whoever asks for a page of a catalogue that is not there, or not for them, sees. */
export const sendMissingPage = (request: Request, response: Response): void =>
  sendNotice(request, response, 404, 'page_missing');
