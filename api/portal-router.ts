import { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { OperationDeps } from './deps';
import { acceptInvitation, accountPage } from './identity/account-page';
import { formReader } from './platform/http/form-body';
import { onlyMethod } from './platform/http/only-method';
import { sendInvalidLink } from './platform/portal/notice';
import { redirectToCatalogue, rejectApiPaths } from './platform/portal/portal-paths';

type PortalDeps = Pick<OperationDeps, 'database' | 'links'> & {
  visitorLimits: RequestHandler[];
  apiOrigin: string;
  portalOrigin: string;
  /** The merchant whose portal this is, or null. */
  portalMerchantId: string | null;
  /** The operations for candidates, with limits of their own. */
  operations: Router;
  /** The pages on which candidates take interviews. */
  candidatePages: Router;
  /** Shows errors as pages. */
  errorPages: ErrorRequestHandler[];
  /** The portal's catalogue pages. */
  catalogue: Router;
};

/**
 * Serves the pages for candidates, for learners and for people who accept an invitation. The portal's host serves
 * nothing else.
 */
export function portalPages(deps: PortalDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(deps.operations);
  // The catalogue's router applies the limits for visitors itself, so it is added before `visitorLimits`. Otherwise,
  // a visit would be counted twice.
  router.use(deps.catalogue);
  router.use(deps.visitorLimits);
  if (deps.portalMerchantId !== null) router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.use(deps.candidatePages);
  router.all('/invitation/', onlyMethod('GET', 'POST'));
  router.get('/invitation/', accountPage(deps));
  router.post('/invitation/', formReader('16kb'), acceptInvitation(deps));
  router.use(deps.errorPages);
  // API paths are handled after the error page, so that their errors are sent as JSON and not as a page.
  router.use(rejectApiPaths(deps.apiOrigin));
  router.use(sendInvalidLink);
  return router;
}
