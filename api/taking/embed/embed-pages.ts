import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { openSigningKey } from '../../../db/interviews/public';
import { isCredentialError } from '../../../db/platform/database';
import type { RequestMeter } from '../../../db/platform/database';
import { findEmbedPage, claimEmbedToken } from '../../../db/taking/embeds';
import type { EmbedPage } from '../../../db/taking/embeds';
import type { OperationDeps } from '../../deps';
import { enrolEmbedded } from '../../people/public';
import { refundPoint } from '../../platform/http/address-limit';
import { limitRate } from '../../platform/http/rate-limit';
import type { CreateLimit } from '../../platform/http/rate-limit';
import { noteFacts } from '../../platform/http/request-log';
import { readEmbedCookie, setEmbedCookie } from '../../platform/portal/interview-cookie';
import { sendInvalidLink } from '../../platform/portal/notice';
import { portalDomainOf } from '../../platform/portal/portal-domain';
import { linkLimitKey } from '../../platform/portal/visitor-credential';
import { allowFraming } from '../../platform/site/document';
import { availableUntilMs } from '../../platform/text/available-until';
import { embeddedAvatarEntryPoint } from '../avatar/avatar-entry-point';
import { avatarPages } from '../avatar/avatar-pages';
import type { VisitLimits } from '../avatar/visit-limits';
import { interviewPages } from '../pages/interview-pages';
import { pageAddress } from '../pages/visit';
import type { VisitDeps } from '../pages/visit';
import { embedIdOf, embedPageOf, embedEntryPoint } from './embed-entry-point';
import { sendEmbedNotice } from './embed-notice';
import type { EmbedProblem } from './embed-notice';
import { readEmbedToken } from './embed-token';
import type { EmbedClaims } from './embed-token';

export type EmbedDeps = Omit<VisitDeps, 'entryPoint'> &
  Pick<OperationDeps, 'seal'> & {
    /** The maximum number of visits that one embed key may open in a minute. 0 turns the limit off. */
    visitsPerMinute: number;
    createLimit: CreateLimit;
    visitLimits: VisitLimits;
  };

/**
 * The lifetime of the token in the cookie of a visit. It equals the maximum lifetime of the merchant's token that
 * began the visit. An attempt that has begun can be finished after the cookie's token has expired, as with an expired
 * link.
 */
const visitMs = 3_600_000;

/** The pages of an embedded interview, which are the only ones that may be framed (docs/taking.md#embedded-interviews). */
export function embedPages(deps: EmbedDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use('/embed/:embed_id', findKey(deps));
  router.use(avatarPages({ ...deps, entryPoint: embeddedAvatarEntryPoint }));
  router.get(
    '/embed/:embed_id/',
    verifyToken(deps),
    limitRate(deps.createLimit('embed', deps.visitsPerMinute), (request, { locals }) =>
      locals['embedClaims'] === undefined ? undefined : embedIdOf(request),
    ),
    enter(deps),
  );
  router.use(interviewPages({ ...deps, entryPoint: embedEntryPoint }));
  return router;
}

const embedCaller = (request: Request, portalOrigin: string, meter: RequestMeter) =>
  ({
    kind: 'embed',
    embedId: embedIdOf(request),
    domain: portalDomainOf(request, portalOrigin),
    meter,
  }) as const;

/** Finds the embed key in the address, and lets pages of the key's origins frame every reply. */
const findKey =
  ({ database, portalOrigin }: EmbedDeps): RequestHandler =>
  async (request, response, next) => {
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'embed', profileId: null, meter });
    const [found] = z.guid().safeParse(embedIdOf(request)).success
      ? await database
          .query(embedCaller(request, portalOrigin, meter), findEmbedPage)
          .catch((error: unknown) => {
            if (isCredentialError(error)) return [];
            throw error;
          })
      : [];
    if (!found) {
      sendInvalidLink(request, response);
      return;
    }
    allowFraming(response, found.embed_origins);
    response.locals['embedPage'] = found;
    next();
  };

/** Verifies the token in the address, if there is one. */
const verifyToken =
  ({ seal, links, isHttps }: EmbedDeps): RequestHandler =>
  async (request, response, next) => {
    const { token } = request.query;
    if (token === undefined) {
      next('route');
      return;
    }
    const page = embedPageOf(response);
    const embedId = embedIdOf(request);
    const claims = await readEmbedToken(token, openSigningKey(seal, embedId, page.signing_key_sealed));
    if ('problem' in claims) {
      sendEmbedNotice(response, page, claims.problem, claims.detail);
      return;
    }
    for (const cookie of readEmbedCookie(request, embedId, isHttps)) {
      const visit = await links.openEmbedToken(cookie);
      if (visit?.embedId !== embedId || visit.tokenHash !== claims.tokenHash) continue;
      // A browser that has already used this token may load the frame again, perhaps an hour later.
      refundPoint(request, linkLimitKey(cookie));
      response.set('cache-control', 'no-store').redirect(303, pageAddress(embedEntryPoint, request));
      return;
    }
    if (page.is_revoked || claims.isExpired) {
      sendEmbedNotice(response, page, page.is_revoked ? 'key_revoked' : 'token_expired');
      return;
    }
    refundPoint(request);
    response.locals['embedClaims'] = claims;
    next();
  };

/** Enrols the candidate of a verified token, and redirects to the address without it. */
const enter =
  ({ database, links, isHttps, portalOrigin }: EmbedDeps): RequestHandler =>
  async (request, response) => {
    // Programs that check links send HEAD, which must not use up the token.
    if (request.method === 'HEAD') {
      response.status(200).end();
      return;
    }
    const page = embedPageOf(response);
    const { candidate, tokenHash, expiresAt } = response.locals['embedClaims'] as EmbedClaims;
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'embed-enter', profileId: null, meter });
    const closed = whyClosed(page, Date.now());
    const enrolled = await database.write(embedCaller(request, portalOrigin, meter), (trx) =>
      enrolEmbedded(
        trx,
        { scope: scopeOf(page), row: candidate, isOpen: closed === undefined },
        async () => (await trx.count(claimEmbedToken(tokenHash, expiresAt))) > 0,
      ),
    );
    if (typeof enrolled === 'string') {
      const problem = enrolled === 'closed' ? (closed ?? 'closed') : enrolled;
      sendEmbedNotice(response, page, problem);
      return;
    }
    const embedId = embedIdOf(request);
    const token = await links.embedToken(
      {
        enrolmentId: enrolled.enrolment_id,
        interviewId: page.interview_id,
        generation: enrolled.link_generation,
        isTest: false,
        embedId,
        tokenHash,
      },
      new Date(Date.now() + visitMs),
    );
    refundPoint(request, linkLimitKey(token));
    setEmbedCookie(response, { embedId, token, isHttps });
    response.set('cache-control', 'no-store').redirect(303, pageAddress(embedEntryPoint, request));
  };

/** Returns why the interview enrols no candidates, or undefined if it does. */
function whyClosed(
  { status, interview_available_till: till }: EmbedPage,
  now: number,
): Extract<EmbedProblem, 'closed' | 'over' | 'not_open'> | undefined {
  if (status === 'archived' || status === 'completed') return 'closed';
  if (till !== null && availableUntilMs(till) <= now) return 'over';
  return status === 'active' ? undefined : 'not_open';
}

const scopeOf = ({ interview_id, status, interview_available_till, platform_language_code }: EmbedPage) => ({
  scope_id: interview_id,
  interview_id,
  position_id: null,
  status,
  is_draft: status === 'draft',
  candidate_notification_channel: null,
  interview_available_till,
  platform_language_code,
});
