import type { RequestHandler } from 'express';
import { refundPoint } from '../../platform/http/address-limit';
import { noteFacts } from '../../platform/http/request-log';
import { ApiError } from '../../platform/operation/api-error';
import { setInterviewCookie } from '../../platform/portal/interview-cookie';
import { sendInvalidLink } from '../../platform/portal/notice';
import { isFromSamePortal } from '../../platform/portal/portal-domain';
import { linkLimitKey } from '../../platform/portal/visitor-credential';
import type { Attempt } from '../attempt-fields';
import { interviewIdOf, linkEntryPoint } from './entry-point';
import { pageAddress } from './visit';
import type { NoteKey, VisitDeps } from './visit';

/**
 * Stores the token of a link in a cookie and redirects to the address without it. The token is then neither in the
 * browser's history nor in an address that the candidate copies.
 */
export const storeTokenInCookie =
  ({ links, isHttps }: Pick<VisitDeps, 'links' | 'isHttps'>): RequestHandler =>
  async (request, response, next) => {
    if (request.query['interview_token'] === undefined) {
      next();
      return;
    }
    const token = request.query['interview_token'];
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'interview-link', profileId: null, meter });
    const interviewId = interviewIdOf(request);
    const link = typeof token === 'string' ? await links.openInterviewLink(token) : undefined;
    if (typeof token !== 'string' || link?.interviewId !== interviewId) {
      sendInvalidLink(request, response);
      return;
    }
    if (!link.isExpired) refundPoint(request, linkLimitKey(token));
    setInterviewCookie(response, { interviewId, token, isHttps });
    response.set('cache-control', 'no-store').redirect(302, pageAddress(linkEntryPoint, request));
  };

/** Rejects forms that were sent from another site. */
export const requireSameOrigin =
  (portalOrigin: string): RequestHandler =>
  (request, _response, next) => {
    if (!isFromSamePortal(request, portalOrigin))
      throw new ApiError('forbidden', 'This form was not sent from a page of the portal.');
    next();
  };

/**
 * What a form has done: `shown` if a page was sent. Otherwise, the browser is redirected, and the next page shows the
 * note, if there is one.
 */
export type FormOutcome = NoteKey | undefined | 'done' | 'shown';

/**
 * Runs `work` and returns `done`, or the message for an error that the candidate can fix. Returns undefined for most
 * client errors, because the next page explains enough. Throws server errors.
 */
export async function runForOutcome(work: () => Promise<unknown>): Promise<'done' | NoteKey | undefined> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (error.status === 409) return noteOfConflict(error.details?.[0] as Attempt | undefined);
    return error.status === 422 ? 'error_form' : undefined;
  }
}

function noteOfConflict(attempt: Attempt | undefined): NoteKey | undefined {
  if (!attempt) return undefined;
  if (attempt.state === undefined) return 'error_form';
  if (attempt.state === 'running') return 'already_answered';
  return Date.parse(attempt.deadline_at ?? '') < Date.now() ? 'time_over' : undefined;
}
