import type { Request, RequestHandler } from 'express';
import type { Caller, RequestMeter } from '../../db/platform/database';
import type { LearnerLink, LinkTokens } from '../../db/platform/link-tokens';
import { refundPoint } from '../platform/http/address-limit';
import { noteFacts } from '../platform/http/request-log';
import { ApiError } from '../platform/operation/api-error';
import { learnerCookie, linkLimitKey, readLearnerCookies } from '../platform/portal/visitor-credential';

/** The portal that a request is for: the portal of the merchant with this host name, or the deployment's own. */
type Host = { domain: string } | { domain: null; merchantId: string | null };

export type VisitDeps = {
  links: LinkTokens;
  isHttps: boolean;
  /** The origin of the deployment's own portal, which serves the pages of interviews. */
  portalOrigin: string;
  hostOf: (request: Request) => Host;
};
export type Visits = ReturnType<typeof createVisits>;
export type PortalVisit = Extract<Caller, { kind: 'portal_visit' }>;

/**
 * Handles visits to a portal. A browser that opened a learner's link acts as that learner until the link expires: the
 * cookie contains the link's token, and the database checks the profile on every visit.
 */
export function createVisits({ links, isHttps, portalOrigin, hostOf }: VisitDeps) {
  const cookie = learnerCookie(isHttps);
  const visitOf = (request: Request, operation: string, learner: LearnerLink | undefined): PortalVisit => {
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
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

  /** Returns the `Origin` header that browsers send with the forms of the portal's pages. */
  const originOf = (request: Request): string =>
    hostOf(request).domain === null
      ? portalOrigin
      : `${isHttps ? 'https' : 'http'}://${request.headers.host ?? ''}`;
  /** Rejects forms that were sent from another site. */
  const requireOrigin: RequestHandler = (request, _response, next) => {
    if (request.headers.origin !== originOf(request))
      throw new ApiError('forbidden', 'This form was not sent from a page of the portal.');
    next();
  };

  return {
    originOf,
    requireOrigin,

    /** Returns true if this is a page of the merchant to which the host belongs. */
    isOfHost: (request: Request, merchantId: string): boolean => {
      const host = hostOf(request);
      return host.domain !== null || host.merchantId === merchantId;
    },

    /** Opens a visit to the page of a job, in the scope of its merchant. `operation` is the name in the log. */
    openJob: (request: Request, operation: string, slug: string): PortalVisit => ({
      ...visitOf(request, operation, undefined),
      slug,
    }),

    /** Opens a visit as the learner that the browser's cookie identifies. `operation` is the name in the log. */
    open: async (request: Request, operation: string): Promise<PortalVisit> => {
      const opened = await Promise.all(
        readLearnerCookies(request, isHttps).map(async (token) => {
          const learner = await links.openLearnerLink(token);
          return learner === undefined ? [] : [{ token, learner }];
        }),
      );
      const learners = opened.flat();
      const host = hostOf(request);
      const isOwn = (learner: LearnerLink) => host.domain === null && learner.merchantId === host.merchantId;
      const chosen = learners.find(({ learner }) => isOwn(learner)) ?? learners[0];
      if (chosen) refundPoint(request, linkLimitKey(chosen.token));
      return visitOf(request, operation, chosen?.learner);
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
        if (
          typeof token === 'string' &&
          learner &&
          (await isLearner(visitOf(request, 'learner-link', learner)))
        ) {
          refundPoint(request, linkLimitKey(token));
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
