import type { Response } from 'express';
import { html, htmlLanguage } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { createPageSender, palette } from '../platform/site/html-page';
import type { PortalFacts } from '../../db/catalogue/portal-catalogue';
import { catalogueStyle } from './catalogue-style';

const send = createPageSender(palette + catalogueStyle);

/** Sends a page of a merchant's catalogue. It has no script, and it loads only images from other hosts. */
export function sendCataloguePage(
  response: Response,
  { merchant_name: merchant, start_directory: start }: PortalFacts,
  { language, title, content }: { language: LanguageCode; title: string; content: Html },
): void {
  send(response, 200, {
    ...htmlLanguage(language),
    title: `${title} · ${merchant}`,
    hasImages: true,
    body: html`<header class="top">
        ${start === null ? html`<span dir="auto">${merchant}</span>` : html`<a href="/catalogue/" dir="auto">${merchant}</a>`}
      </header>
      <main>${content}</main>`,
  });
}
