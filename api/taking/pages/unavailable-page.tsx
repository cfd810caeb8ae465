import type { ErrorRequestHandler, Request, Response } from 'express';
import { browserLanguage } from '../../platform/portal/browser-language';
import { isFromSamePortal } from '../../platform/portal/portal-domain';
import { portalTexts } from '../../platform/portal/texts';
import { sendDocument } from '../../platform/site/document';
import { portalStyle } from '../../platform/site/site-assets';
import { htmlLanguage } from '../../platform/text/html';
import { takingTexts } from '../texts';
import { readReviewForm, readSentTexts } from './form-input';
import { interviewStyle } from './layout';
import { UnsentText } from './unsent-text';

const formPath = /^\/(?:interview\/take|embed|talk)\/[^/]+\/(?:answer|ask|edit|finish|submit)$/;

/**
 * Parses a form that was rejected before its body was read, for example by a rate limit, so that the error page can
 * show its text again. Then passes the error on.
 */
export const readRejectedForm =
  (portalOrigin: string): ErrorRequestHandler =>
  (error, request, response, next) => {
    const isForm =
      request.method === 'POST' && formPath.test(request.path) && isFromSamePortal(request, portalOrigin);
    if (!isForm || request.body !== undefined) next(error);
    else void readReviewForm(request, response, () => next(error));
  };

/** Returns the texts in a candidate's form. Returns none if the request is not such a form. */
export const unsentTextsOf = (request: Request): string[] =>
  formPath.test(request.path) ? readSentTexts(request.body) : [];

/** Shows that the portal is unavailable at the moment, and the texts that the candidate sent. */
export function sendUnavailable(
  request: Request,
  response: Response,
  status: number,
  unsent: readonly string[],
): void {
  const language = browserLanguage(request);
  const texts = portalTexts(language);
  const title = texts('unavailable_title');
  sendDocument(response, {
    ...htmlLanguage(language),
    status,
    title,
    styles: [portalStyle, interviewStyle],
    body: (
      <main class="interview">
        <h1>{title}</h1>
        <p>{texts('unavailable')}</p>
        <UnsentText texts={takingTexts(language)} unsent={unsent} />
      </main>
    ),
  });
}
