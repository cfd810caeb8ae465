import { Router } from 'express';
import { html } from '../text/html';
import type { Html } from '../text/html';
import { layOutDocs, sendAsset, sendDocs, styleAssets } from './docs-layout';
import { guideNames, renderGuidePage } from './guide-page';
import type { GuidePage } from './guide-page';
import { onlyMethod } from '../http/only-method';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the guide for callers at `/docs` and `/docs/<page>`. Every page is rendered once, when the router is
 * created.
 */
export function guidePages(origin: string): Router {
  const pages = guideNames.map((name) => renderGuidePage(name, origin));
  const router = Router({ caseSensitive: true, strict: true });
  for (const [index, page] of pages.entries()) {
    const text = layOutDocs({
      title: `${page.title} · Interview and Coaching Platform API`,
      area: '/docs',
      body: guideBody(page, pages, pages[index - 1], pages[index + 1]),
    });
    router.all(page.place, onlyMethod('GET'), (_request, response) => sendDocs(response, text, policy));
  }
  for (const asset of styleAssets)
    router.all(asset.place, onlyMethod('GET'), (_request, response) => sendAsset(response, asset));
  return router;
}

const guideBody = (
  page: GuidePage,
  pages: readonly GuidePage[],
  before: GuidePage | undefined,
  after: GuidePage | undefined,
): Html =>
  html`<div class="guide">
    <main id="content">
      <a class="to-pages" href="#pages">All pages of the guide</a>
      ${page.body}
      <nav class="turn" aria-label="Next pages">
        ${before ? html`<a rel="prev" href="${before.place}">← ${before.title}</a>` : null}
        ${after ? html`<a rel="next" href="${after.place}">${after.title} →</a>` : null}
      </nav>
    </main>
    <nav class="pages" id="pages" aria-label="Guide">
      <ul>
        ${pages.map((each) => html`<li>${linkTo(each, page)}</li>`)}
      </ul>
    </nav>
  </div>`;

/** The current page also lists its sections. */
const linkTo = (page: GuidePage, shown: GuidePage): Html =>
  page !== shown
    ? html`<a href="${page.place}">${page.title}</a>`
    : html`<a href="${page.place}" aria-current="page">${page.title}</a>
        <ul>
          ${page.sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
        </ul>`;
