import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { LinkCaller, RequestMeter } from '../../../db/platform/database';
import type { InterviewLink, LinkTokens, OpenedLink } from '../../../db/platform/link-tokens';
import { ApiError } from '../operation/api-error';
import {
  embedHeader,
  enrolmentHeader,
  interviewHeader,
  readEmbedCookie,
  readInterviewCookie,
} from './interview-cookie';
import { portalDomainOf } from './portal-domain';

/**
 * The content of a correctly signed `interview_token`. `domain` is the portal domain of the request, or null at the
 * deployment's own portal. Only the database knows whether the link is still valid and works at this portal.
 */
export type LinkCredential = OpenedLink<InterviewLink> & { domain: string | null };

/** Returns the caller for a candidate's link. The first statement of a transaction checks that the link still works. */
export const linkCaller = (
  { enrolmentId, interviewId, generation, isTest, domain }: LinkCredential,
  meter: RequestMeter,
): LinkCaller => ({ kind: 'interview_link', enrolmentId, interviewId, generation, isTest, domain, meter });

/** Verifying a signature takes longer than the rest of a call, so verified tokens are cached. */
const maxRemembered = 10_000;

/** Returns a key that identifies a candidate's link at a portal. All tokens of a link have the same key. */
export const linkKey = ({ enrolmentId, interviewId, generation, isTest, domain }: LinkCredential): string =>
  `${enrolmentId} ${interviewId} ${generation} ${isTest} ${domain ?? ''}`;

/**
 * Returns a function that reads the link of a request: from the token in the Authorization header or, if there is no
 * such header, from a cookie. The script of our page sends the id that selects the cookie. Throws 401 if we did not
 * sign the token. Accepts an expired token, because a running attempt may still be finished.
 */
export function createAuthenticateLink(
  links: Pick<LinkTokens, 'openInterviewLink' | 'openEmbedToken'>,
  { isHttps, portalOrigin }: { isHttps: boolean; portalOrigin: string },
) {
  const remembered = new LRUCache<string, OpenedLink<InterviewLink>>({ max: maxRemembered });

  const openOnce = async (token: string): Promise<OpenedLink<InterviewLink> | undefined> => {
    const known = remembered.get(token);
    if (known) return { ...known, isExpired: known.isExpired || known.expiresAt.getTime() <= Date.now() };
    const opened = await links.openInterviewLink(token);
    if (opened) remembered.set(token, opened);
    return opened;
  };

  return async (request: Request): Promise<LinkCredential> => ({
    ...(await openSent(request)),
    domain: portalDomainOf(request, portalOrigin),
  });

  async function openSent(request: Request): Promise<OpenedLink<InterviewLink>> {
    const { authorization } = request.headers;
    if (authorization === undefined) return openCookie(request);
    const [, token] = /^Bearer +([\x21-\x7e]{1,4000})$/i.exec(authorization) ?? [];
    if (token === undefined)
      throw new ApiError('token_missing', 'The Authorization header must be `Bearer <interview_token>`.');
    const link = await openOnce(token);
    if (link) return link;
    throw new ApiError(
      'token_malformed',
      'The interview token is malformed or was issued by another deployment.',
    );
  }

  async function openCookie(request: Request): Promise<OpenedLink<InterviewLink>> {
    const enrolmentId = request.get(enrolmentHeader)?.toLowerCase();
    const isMeant = (link: InterviewLink) => enrolmentId === undefined || link.enrolmentId === enrolmentId;
    const embedId = request.get(embedHeader)?.toLowerCase();
    for (const token of embedId === undefined ? [] : readEmbedCookie(request, embedId, isHttps)) {
      const visit = await links.openEmbedToken(token);
      if (visit && visit.embedId === embedId && isMeant(visit)) return visit;
    }
    const interviewId = request.get(interviewHeader)?.toLowerCase() ?? '';
    for (const token of readInterviewCookie(request, interviewId, isHttps)) {
      const link = await openOnce(token);
      if (link && link.interviewId === interviewId && isMeant(link)) return link;
    }
    throw new ApiError(
      'token_missing',
      "The Authorization header is missing. Send `Bearer <interview_token>` with the token of the candidate's link.",
    );
  }
}
