import type { Request, RequestHandler } from 'express';
import { listJobs } from '../../db/catalogue/jobs';
import { findPortal } from '../../db/catalogue/portal-catalogue';
import type { Database } from '../../db/platform/database';
import { browserLanguage } from '../platform/portal/browser-language';
import { sendMissingPage } from '../platform/portal/notice';
import { portalTexts } from '../platform/portal/texts';
import { catalogueElements } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';

type Deps = { database: Pick<Database, 'read'>; visits: Visits };

const jobsPerPage = 24;
/** The last page that can be opened. A page reads all jobs of the pages before it. */
const lastPage = 80;

/** `GET /jobs`: lists the open jobs of the portal, page by page, in the language of the browser (docs/catalogue.md#jobs). */
export function jobsPage({ database, visits }: Deps): RequestHandler {
  return async (request, response) => {
    const page = pageOf(request);
    const visit = await visits.open(request, 'jobs-page');
    const { portal, jobs } = await database.read(visit, async (trx) => ({
      portal: (await trx.maybeOne(findPortal)) ?? null,
      jobs: page === undefined ? [] : await trx.rows(listJobs(jobsPerPage + 1, (page - 1) * jobsPerPage)),
    }));
    const isKnown = portal !== null || visit.domain === null;
    if (!isKnown || page === undefined || (page > 1 && jobs.length === 0)) {
      sendMissingPage(request, response);
      return;
    }
    const language = browserLanguage(request);
    const texts = portalTexts(language);
    const elements = catalogueElements(language, new Set(), false);
    const hasNext = jobs.length > jobsPerPage && page < lastPage;
    sendCataloguePage(response, portal, {
      language,
      title: texts('jobs'),
      isIndexed: true,
      content: (
        <>
          <h1>{texts('jobs')}</h1>
          {elements.grid(jobs.slice(0, jobsPerPage).map(elements.jobCard)) ?? elements.empty()}
          {(page > 1 || hasNext) && (
            <nav class="pages">
              {page > 1 && (
                <a href={`/jobs/?page=${page - 1}`} rel="prev">
                  {texts('jobs_previous')}
                </a>
              )}
              {hasNext && (
                <a href={`/jobs/?page=${page + 1}`} rel="next">
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
