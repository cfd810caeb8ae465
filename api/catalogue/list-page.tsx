import type { Request, RequestHandler } from 'express';
import { listJobs } from '../../db/catalogue/jobs';
import { findPortal, listPublicSessions } from '../../db/catalogue/portal-catalogue';
import type { Database } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';
import type { Statement } from '../../db/platform/statement';
import { browserLanguage } from '../platform/portal/browser-language';
import { sendMissingPage } from '../platform/portal/notice';
import { portalTexts } from '../platform/portal/texts';
import type { Html } from '../platform/text/html';
import { catalogueElements } from './catalogue-elements';
import type { CatalogueElements } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';

type Deps = { database: Pick<Database, 'read'>; visits: Visits; links: Pick<LinkTokens, 'originOf'> };

/** A list of the portal that is shown page by page. */
type List<Row> = {
  name: 'jobs' | 'sessions';
  rows: (limit: number, offset: number) => Statement<Row>;
  card: (elements: CatalogueElements, row: Row) => Html;
  /** True if only the deployment's own portal has the list. */
  isOwn: boolean;
};

const rowsPerPage = 24;
/** The last page that can be opened. A page reads all rows of the pages before it. */
const lastPage = 80;

/** `GET /jobs`: lists the open jobs of the portal (docs/catalogue.md#jobs). */
export const jobsPage = (deps: Deps): RequestHandler =>
  listPage(deps, { name: 'jobs', rows: listJobs, card: ({ jobCard }, job) => jobCard(job), isOwn: false });

/**
 * `GET /sessions`: lists the public sessions of all merchants. A card leads to the session at the portal of its merchant,
 * where its learners practice (docs/catalogue.md#sessions-of-all-merchants).
 */
export const sessionsPage = (deps: Deps): RequestHandler =>
  listPage(deps, {
    name: 'sessions',
    rows: listPublicSessions,
    card: ({ sessionCard }, session) => sessionCard(session, deps.links.originOf(session.portal_domain)),
    isOwn: true,
  });

/** Shows a list in the language of the browser. */
function listPage<Row>({ database, visits }: Deps, { name, rows, card, isOwn }: List<Row>): RequestHandler {
  return async (request, response) => {
    const page = pageOf(request);
    const visit = await visits.open(request, `${name}-page`);
    const { portal, found } = await database.read(visit, async (trx) => ({
      portal: (await trx.maybeOne(findPortal)) ?? null,
      found: page === undefined ? [] : await trx.rows(rows(rowsPerPage + 1, (page - 1) * rowsPerPage)),
    }));
    const isKnown = visit.domain === null || (portal !== null && !isOwn);
    if (!isKnown || page === undefined || (page > 1 && found.length === 0))
      return sendMissingPage(request, response);
    const language = browserLanguage(request);
    const texts = portalTexts(language);
    const elements = catalogueElements(language, new Set(), false);
    const hasNext = found.length > rowsPerPage && page < lastPage;
    sendCataloguePage(response, portal, {
      language,
      title: texts(name),
      isIndexed: true,
      content: (
        <>
          <h1>{texts(name)}</h1>
          {elements.grid(found.slice(0, rowsPerPage).map((row) => card(elements, row))) ?? elements.empty()}
          {(page > 1 || hasNext) && (
            <nav class="pages">
              {page > 1 && (
                <a href={`/${name}/?page=${page - 1}`} rel="prev">
                  {texts('jobs_previous')}
                </a>
              )}
              {hasNext && (
                <a href={`/${name}/?page=${page + 1}`} rel="next">
                  {texts('jobs_next')}
                </a>
              )}
            </nav>
          )}
        </>
      ),
    });
  };
}

/** Returns the number of the page in the address, or undefined if there can be no such page. */
function pageOf(request: Request): number | undefined {
  const { page = '1' } = request.query;
  return typeof page === 'string' && /^[1-9]\d?$/.test(page) && Number(page) <= lastPage
    ? Number(page)
    : undefined;
}
