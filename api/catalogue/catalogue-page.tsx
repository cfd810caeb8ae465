import path from 'node:path';
import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { PortalFacts } from '../../db/catalogue/portal-catalogue';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { brandStyles, Logo } from '../platform/portal/brand';
import { portalTexts } from '../platform/portal/texts';
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
  /** Further elements of the head. */
  head?: ComponentChildren;
  /** True if search engines may list the page. */
  isIndexed?: boolean;
};

/**
 * Sends a page of a portal. The page has no script and may load only images from other hosts. `portal` is null for the
 * lists of all merchants, if the deployment's own portal has no merchant.
 */
export function sendCataloguePage(
  response: Response,
  portal: PortalFacts | null,
  { language, title, content, status = 200, formOrigins, head, isIndexed = false }: CataloguePage,
): void {
  const texts = portalTexts(language);
  const { merchant_name: merchant = '', start_directory: start = null } = portal ?? {};
  const { has_jobs: hasJobs, has_sessions: hasSessions } = portal ?? { has_jobs: true, has_sessions: true };
  // Browsers send an `Origin` header with a form only if the referrer policy allows it.
  if (formOrigins) response.setHeader('referrer-policy', 'same-origin');
  sendDocument(response, {
    ...htmlLanguage(language),
    status,
    formOrigins,
    title: [title, merchant].filter(Boolean).join(' · '),
    styles: [catalogueStyle, ...(portal ? brandStyles(portal) : [])],
    head,
    isIndexed,
    hasImages: true,
    body: (
      <>
        <header class="top">
          {portal && <Logo {...portal} />}
          {start === null ? (
            <span dir="auto">{merchant}</span>
          ) : (
            <a href="/catalogue/" dir="auto">
              {merchant}
            </a>
          )}
          {(hasJobs || hasSessions) && (
            <nav>
              {start !== null && <a href="/catalogue/">{texts('catalogue')}</a>}
              {hasSessions && <a href="/sessions/">{texts('sessions')}</a>}
              {hasJobs && <a href="/jobs/">{texts('jobs')}</a>}
            </nav>
          )}
        </header>
        <main>{content}</main>
      </>
    ),
  });
}
