import express, { Router } from 'express';
import type { RequestHandler } from 'express';
import { replyToErrors } from './platform/http/error-reply';
import { onlyMethod } from './platform/http/only-method';
import type { OperationDeps } from './deps';
import { acceptInvitation, accountPage } from './identity/account-page';
import { interviewPages } from './taking/pages/interview-pages';
import { readRejectedForm, sendUnavailable, unsentTextOf } from './taking/pages/unavailable-page';
import { noticeOf, sendInvalidLink, sendNotice } from './platform/portal/notice';
import { redirectToCatalogue, rejectApiPaths } from './platform/portal/portal-paths';

type PortalDeps = Pick<
  OperationDeps,
  'database' | 'links' | 'temporal' | 'queues' | 'metrics' | 'decisions'
> & {
  visitorLimits: RequestHandler[];
  isHttps: boolean;
  apiOrigin: string;
  portalOrigin: string;
  /** The merchant whose portal this is, or null. */
  portalMerchantId: string | null;
  /** The operations for candidates, with limits of their own. */
  operations: Router;
  /** The portal's catalogue pages. */
  catalogue: Router;
};

/**
 * The pages for candidates, for learners and for people who accept an invitation. The portal's host serves nothing
 * else.
 */
export function portalPages(deps: PortalDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(deps.operations);
  // The catalogue's router applies the limits for visitors itself, so it comes before them. Otherwise, a visit would
  // be counted twice.
  router.use(deps.catalogue);
  router.use(deps.visitorLimits);
  if (deps.portalMerchantId !== null) router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.use(interviewPages(deps));
  router.all('/invitation/', onlyMethod('GET', 'POST'));
  router.get('/invitation/', accountPage(deps));
  router.post('/invitation/', express.urlencoded({ extended: false, limit: '16kb' }), acceptInvitation(deps));
  router.use(readRejectedForm(deps.portalOrigin));
  router.use(errorPage);
  // API paths come after the error page, because their errors are sent as JSON and not as a page.
  router.use(rejectApiPaths(deps.apiOrigin));
  router.use(sendInvalidLink);
  return router;
}

/**
 * Shows errors as a page: the notice `unavailable` for 429 and 5xx, with the text of the form that was not accepted, and
 * the notice `invalid` for all other errors.
 */
const errorPage = replyToErrors((request, response, { status }) => {
  const notice = noticeOf(status, 'invalid');
  const unsent = notice === 'unavailable' ? unsentTextOf(request) : undefined;
  if (unsent === undefined) sendNotice(request, response, status, notice);
  else sendUnavailable(request, response, status, unsent);
});
