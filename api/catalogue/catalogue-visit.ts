import type { Request, RequestHandler } from 'express';
import type { LearnerLink, Links } from '../../db/platform/link-tokens';
import type { Caller, Meter } from '../../db/platform/database';
import { noteProven } from '../platform/http/address-limit';
import { readCookies } from '../platform/site/cookies';
import { noteFacts } from '../platform/http/request-log';
import { learnerCookie } from '../platform/portal/visitor-credential';

/** Whose portal a request is at: of the merchant that has the host name, or the deployment's own. */
export type Host = { domain: string } | { domain: null; merchantId: string | null };

export type VisitDeps = { links: Links; isHttps: boolean; hostOf: (request: Request) => Host };
export type Visits = ReturnType<typeof createVisits>;
export type PortalVisit = Extract<Caller, { kind: 'portal_visit' }>;

/** Cookies of one name that are tried: browsers send those of other paths and domains too. */
const maxCookies = 5;

/**
 * Visits to a portal. Who has opened a learner's link is that learner until the link's end: the cookie holds the link's
 * token, and the database proves the profile on every visit.
 */
export function createVisits({ links, isHttps, hostOf }: VisitDeps) {
  const cookie = learnerCookie(isHttps);
  const visitOf = (request: Request, operation: string, learner: LearnerLink | undefined): PortalVisit => {
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation, profileId: learner?.profileId ?? null, meter });
    const host = hostOf(request);
    const isForeign = host.domain === null && learner?.merchantId !== host.merchantId;
    return {
      kind: 'portal_visit',
      domain: host.domain,
      merchantId: host.domain === null ? host.merchantId : (learner?.merchantId ?? null),
      profileId: isForeign ? null : (learner?.profileId ?? null),
      meter,
    };
  };

  return {
    /** Of whoever the browser's cookie names; `operation` as the log has it. */
    open: async (request: Request, operation: string): Promise<PortalVisit> => {
      const tokens = readCookies(request, cookie).slice(0, maxCookies);
      const opened = await Promise.all(tokens.map((token) => links.openLearnerLink(token)));
      const learners = opened.filter((learner) => learner !== undefined);
      if (learners.length > 0) noteProven(request);
      const host = hostOf(request);
      const own = learners.find(({ merchantId }) => host.domain === null && merchantId === host.merchantId);
      return visitOf(request, operation, own ?? learners[0]);
    },

    /**
     * A learner's link: leaves the cookie where `isLearner` finds the profile to be one here, and goes on to the address
     * without the token.
     */
    enter:
      (isLearner: (visit: PortalVisit) => Promise<boolean>): RequestHandler =>
      async (request, response, next) => {
        const token = request.query['learner_token'];
        if (token === undefined) return next();
        const learner = typeof token === 'string' ? await links.openLearnerLink(token) : undefined;
        if (learner && (await isLearner(visitOf(request, 'learner-link', learner)))) {
          noteProven(request);
          response.cookie(cookie, token, {
            httpOnly: true,
            secure: isHttps,
            sameSite: 'lax',
            path: '/',
            expires: learner.expiresAt,
          });
        }
        response.set('cache-control', 'no-store').redirect(303, request.path);
      },
  };
}
