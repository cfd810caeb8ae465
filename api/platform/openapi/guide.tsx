import { Router } from 'express';
import type { VNode } from 'preact';
import { onlyMethod } from '../http/only-method';
import { assetRouter } from '../site/assets';
import { createDocsPage, styleAssets } from './docs-layout';
import { guideNames, renderGuidePage } from './guide-page';
import type { GuidePage } from './guide-page';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the guide for callers at `/docs` and `/docs/<page>`. Every page is rendered once, when the router is created.
 */
export function guidePages(origin: string): Router {
  const pages = guideNames.map((name) => renderGuidePage(name, origin));
  const router = Router({ caseSensitive: true, strict: true });
  for (const [index, page] of pages.entries()) {
    const send = createDocsPage({
      title: page.title,
      area: '/docs',
      policy,
      body: <GuideBody page={page} pages={pages} before={pages[index - 1]} after={pages[index + 1]} />,
    });
    router.all(page.place, onlyMethod('GET'), (_request, response) => send(response));
  }
  router.use(assetRouter(styleAssets));
  return router;
}

const GuideBody = (props: {
  page: GuidePage;
  pages: readonly GuidePage[];
  before: GuidePage | undefined;
  after: GuidePage | undefined;
}): VNode => {
  const { page, pages, before, after } = props;
  return (
    <div class="guide">
      <main id="content">
        <a class="to-pages" href="#pages">
          All pages of the guide
        </a>
        <div dangerouslySetInnerHTML={{ __html: page.markup }} />
        <nav class="turn" aria-label="Next pages">
          {before && (
            <a rel="prev" href={before.place}>
              ← {before.title}
            </a>
          )}
          {after && (
            <a rel="next" href={after.place}>
              {after.title} →
            </a>
          )}
        </nav>
      </main>
      <nav class="pages" id="pages" aria-label="Guide">
        <ul>
          {pages.map((each) => (
            <li>
              <a href={each.place} aria-current={each === page ? 'page' : undefined}>
                {each.title}
              </a>
              {each === page && (
                <ul>
                  {page.sections.map(({ id, title }) => (
                    <li>
                      <a href={`#${id}`}>{title}</a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
};
