import express, { Router } from 'express';
import { replyToErrors } from '../http/error-reply';
import type { AddressLimit } from '../http/address-limit';
import { onlyMethod } from '../http/only-method';
import type { Links } from '../../db/link-tokens';
import type { Database } from '../../db/scope';
import { acceptInvitation, accountPage } from './account-page';
import { interviewPage } from './interview-page';
import { noticeOf, sendInvalidLink, sendNotice } from './notice';
import { redirectToCatalogue, refuseApiPaths } from './portal-paths';
import { visitorCredential } from './visitor-credential';

type PortalDeps = {
  database: Database;
  links: Links;
  addressLimit: AddressLimit;
  isHttps: boolean;
  apiOrigin: string;
  portalOrigin: string;
  /** Whose portal this is. */
  portalMerchantId: string | null;
  /** Its catalogue. */
  catalogue: Router;
};

/** The pages of candidates, of learners and of people who accept an invitation: all that the portal's host answers. */
export function portalPages(deps: PortalDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(deps.addressLimit.guard(visitorCredential(deps.isHttps)));
  if (deps.portalMerchantId !== null) router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.all('/interview/take/:interview_id/', onlyMethod('GET'), interviewPage(deps));
  router.all('/invitation/', onlyMethod('GET', 'POST'));
  router.get('/invitation/', accountPage(deps));
  router.post('/invitation/', express.urlencoded({ extended: false, limit: '16kb' }), acceptInvitation(deps));
  router.use(deps.catalogue);
  router.use(errorPage);
  // Behind the error page, which is for people.
  router.use(refuseApiPaths(deps.apiOrigin));
  router.use(sendInvalidLink);
  return router;
}

/** People read pages: of a request that the portal's own links never make, or of a fault of ours. */
const errorPage = replyToErrors((request, response, { status }) =>
  sendNotice(request, response, status, noticeOf(status, 'invalid')),
);
