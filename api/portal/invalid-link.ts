import type { Request, Response } from 'express';
import { html } from '../contracts/html';
import { languageCodes } from '../contracts/vocabulary';
import type { LanguageCode } from '../contracts/vocabulary';
import { sendPage } from './page';
import { portalTexts } from './texts';

/** What whoever comes with a link that is not ours sees, in the browser's language: nothing of anybody's interview. */
export function sendInvalidLink(request: Request, response: Response): void {
  const language = languageOf(request);
  const texts = portalTexts(language);
  sendPage(response, 404, {
    language,
    title: texts('invalid_title'),
    content: html`<h1>${texts('invalid_title')}</h1>
      <p>${texts('invalid')}</p>`,
  });
}

/** English for who takes any. */
function languageOf(request: Request): LanguageCode {
  const accepted = request.acceptsLanguages('en', ...languageCodes);
  return languageCodes.find((code) => code === accepted) ?? 'en';
}
