import { Router } from 'express';
import type { RequestHandler } from 'express';
import { findPortal } from '../../db/catalogue/portal-catalogue';
import type { Database } from '../../db/platform/database';
import { replyToErrors } from '../platform/http/error-reply';
import { formReader } from '../platform/http/form-body';
import { onlyMethod } from '../platform/http/only-method';
import { noticeOf, sendMissingPage, sendNotice } from '../platform/portal/notice';
import { assetRouter } from '../platform/site/assets';
import { handleApplication } from './apply';
import type { ApplicationLimits } from './apply';
import { catalogueStyle } from './catalogue-page';
import { createVisits } from './catalogue-visit';
import type { VisitDeps } from './catalogue-visit';
import { directoryPage } from './directory-page';
import { jobPage } from './job-page';
import { jobsPage, sessionsPage } from './list-page';
import type { MarkdownCompiler } from './markdown-pages';
import { sessionPage } from './session-page';
import { startSession } from './start-session';

type CatalogueDeps = VisitDeps & {
  database: Pick<Database, 'read' | 'write' | 'query'>;
  visitorLimits: RequestHandler[];
  applicationLimits: ApplicationLimits;
  pages: MarkdownCompiler;
};

const places = ['/catalogue', '/session', '/sessions', '/jobs'];

/** Serves a merchant's catalogue to visitors of its portal (docs/catalogue.md#the-portal). */
export function cataloguePages(deps: CatalogueDeps): Router {
  const { database } = deps;
  const visits = createVisits(deps);
  const enter = visits.enter(async (visit) => {
    const [portal] = await database.query(visit, findPortal);
    return portal?.is_learner === true;
  });
  const toStart: RequestHandler = async (request, response) => {
    const visit = await visits.open(request, 'catalogue-start');
    const [portal] = await database.query(visit, findPortal);
    const start = portal?.start_directory;
    const place = start
      ? `/catalogue/${encodeURIComponent(start)}`
      : portal?.has_sessions
        ? '/sessions/'
        : portal?.has_jobs && '/jobs/';
    if (place) response.set('cache-control', 'no-store').redirect(302, place);
    else sendMissingPage(request, response);
  };

  const router = Router({ strict: false, caseSensitive: true });
  router.use(assetRouter([catalogueStyle]));
  router.use(places, deps.visitorLimits);
  router.all('/catalogue/', onlyMethod('GET'), enter, toStart);
  router.all('/catalogue/:directory_id/', onlyMethod('GET'), enter, directoryPage({ ...deps, visits }));
  router.all('/session/:interview_id/', onlyMethod('GET', 'POST'));
  router.get('/session/:interview_id/', enter, sessionPage({ ...deps, visits }));
  router.post('/session/:interview_id/', visits.requireOrigin, startSession({ ...deps, visits }));
  router.all('/sessions/', onlyMethod('GET'), sessionsPage({ ...deps, visits }));
  router.all('/jobs/', onlyMethod('GET'), jobsPage({ ...deps, visits }));
  router.all('/jobs/:slug/', onlyMethod('GET', 'POST'));
  router.get('/jobs/:slug/', jobPage({ ...deps, visits }));
  router.post(
    '/jobs/:slug/',
    visits.requireOrigin,
    formReader('16kb'),
    handleApplication({ ...deps, visits }),
  );
  router.use(places, sendMissingPage);
  router.use(
    replyToErrors((request, response, { status }) =>
      sendNotice(request, response, status, noticeOf(status, 'page_missing')),
    ),
  );
  return router;
}
