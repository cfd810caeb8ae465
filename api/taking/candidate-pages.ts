import { Router } from 'express';
import type { ErrorRequestHandler } from 'express';
import { openShortLink } from '../people/public';
import { replyToErrors } from '../platform/http/error-reply';
import { noticeOf, sendMissingPage, sendNotice } from '../platform/portal/notice';
import { talkEntryPoint } from './avatar/avatar-entry-point';
import { avatarPages } from './avatar/avatar-pages';
import { embedPages } from './embed/embed-pages';
import type { EmbedDeps } from './embed/embed-pages';
import { linkEntryPoint } from './pages/entry-point';
import { interviewPages } from './pages/interview-pages';
import { storeTokenInCookie } from './pages/requests';
import { readRejectedForm, sendUnavailable, unsentTextsOf } from './pages/unavailable-page';

/** The pages on which candidates take interviews, at the deployment's portal and at merchants' portal domains. */
export function candidatePages(deps: EmbedDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.get('/m/:code', openShortLink(deps));
  router.get([`${linkEntryPoint.route}/`, `${linkEntryPoint.route}/:action`], storeTokenInCookie(deps));
  router.use(interviewPages({ ...deps, entryPoint: linkEntryPoint }));
  router.use(avatarPages({ ...deps, entryPoint: talkEntryPoint }));
  router.use('/talk', sendMissingPage);
  router.use(embedPages(deps));
  return router;
}

/**
 * Shows errors as a page. For a 429 or 5xx, the page also shows the text of the form that was not accepted. Errors
 * without a notice of their own get the notice `invalid`.
 */
export const candidateErrorPages = (portalOrigin: string): ErrorRequestHandler[] => [
  readRejectedForm(portalOrigin),
  replyToErrors((request, response, { status }) => {
    const notice = noticeOf(status, 'invalid');
    const unsent = notice === 'unavailable' ? unsentTextsOf(request) : [];
    if (unsent.length === 0) sendNotice(request, response, status, notice);
    else sendUnavailable(request, response, status, unsent);
  }),
];
