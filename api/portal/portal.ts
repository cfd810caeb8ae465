import express, { Router } from 'express';
import { ApiError } from '../contracts/api-error';
import { onlyMethod } from '../http/only-method';
import type { Links } from '../../db/link-tokens';
import type { Database } from '../../db/scope';
import { acceptInvitation, accountPage } from './account-page';
import { interviewPage } from './interview-page';
import { sendInvalidLink } from './invalid-link';

/** The pages of candidates and of people who accept an invitation: everything that the portal's host answers. */
export function portalPages(deps: { database: Database; links: Links; apiOrigin: string }): Router {
  const router = Router({ strict: false });
  router.all('/interview/take/:interview_id/', onlyMethod('GET'), interviewPage(deps));
  router.all('/invitation/', onlyMethod('GET', 'POST'));
  router.get('/invitation/', accountPage(deps));
  router.post('/invitation/', express.urlencoded({ extended: false, limit: '16kb' }), acceptInvitation(deps));
  router.use(['/v1', '/docs', '/auth'], () => {
    throw new ApiError(404, `This is the portal; the API is at ${deps.apiOrigin}/v1`);
  });
  router.use(sendInvalidLink);
  return router;
}
