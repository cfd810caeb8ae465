import type { Request, RequestHandler } from 'express';
import type { LearnerLink, Links } from '../../db/platform/link-tokens';
import type { Caller, Meter } from '../../db/platform/database';
import { noteProven } from '../platform/http/address-limit';
import { readCookies } from '../platform/site/cookies';
import { noteFacts } from '../platform/http/request-log';
import { learnerCookie } from '../platform/portal/visitor-credential';

/** The portal that a request is for: the portal of the merchant with this host name, or the deployment's own. */
type Host = { domain: string } | { domain: null; merchantId: string | null };

export type VisitDeps = { links: Links; isHttps: boolean; hostOf: (request: Request) => Host };
export type Visits = ReturnType<typeof createVisits>;
export type PortalVisit = Extract<Caller, { kind: 'portal_visit' }>;

/**
 * The maximum number of cookies of one name that are tried. A browser may also send cookies that other paths or
 * subdomains have set under the same name.
 */
const maxCookies = 5;

/**
 * Handles visits to a portal. A browser that opened a learner's link acts as that learner until the link expires: the
 * cookie contains the link's token, and the database checks the profile on every visit.
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
    /** Opens a visit as the learner that the browser's cookie identifies. `operation` is the name in the log. */
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
     * Handles a learner's link. Sets the cookie if `isLearner` returns true for the visit, and redirects to the address
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
