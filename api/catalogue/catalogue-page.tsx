import path from 'node:path';
import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { PortalFacts } from '../../db/catalogue/portal-catalogue';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { brandStyles, Logo } from '../platform/portal/brand';
import { readAsset } from '../platform/site/assets';
import { sendDocument } from '../platform/site/document';
import { paletteFile } from '../platform/site/site-assets';
import { htmlLanguage } from '../platform/text/html';

export const catalogueStyle = readAsset('catalogue.css', [
  paletteFile,
  path.join(__dirname, 'catalogue.css'),
]);

type CataloguePage = {
  language: LanguageCode;
  title: string;
  content: ComponentChildren;
  status?: number;
  /** Origins, besides the page's own, to which the browser may submit or redirect the page's forms. */
  formOrigins?: readonly string[];
};

/** Sends a page of a merchant's catalogue. The page has no script and may load only images from other hosts. */
export function sendCataloguePage(
  response: Response,
  portal: PortalFacts,
  { language, title, content, status = 200, formOrigins }: CataloguePage,
): void {
  const { merchant_name: merchant, start_directory: start } = portal;
  // Browsers send an `Origin` header with a form only if the referrer policy allows it.
  if (formOrigins) response.setHeader('referrer-policy', 'same-origin');
  sendDocument(response, {
    ...htmlLanguage(language),
    status,
    formOrigins,
    title: `${title} · ${merchant}`,
    styles: [catalogueStyle, ...brandStyles(portal)],
    hasImages: true,
    body: (
      <>
        <header class="top">
          <Logo {...portal} />
          {start === null ? (
            <span dir="auto">{merchant}</span>
          ) : (
            <a href="/catalogue/" dir="auto">
              {merchant}
            </a>
          )}
        </header>
        <main>{content}</main>
      </>
    ),
  });
}
