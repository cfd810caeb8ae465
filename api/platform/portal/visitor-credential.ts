import type { Request, RequestHandler } from 'express';
import { hashSecret } from '../../../db/platform/tokens';
import { recognizedCredential } from '../http/address-limit';
import type { AddressLimit } from '../http/address-limit';
import { limitRate } from '../http/rate-limit';
import type { CreateLimit } from '../http/rate-limit';
import { cookieName, readCookies } from '../site/cookies';
import { readEmbedCookie, readInterviewCookie, readVisitCookie } from './interview-cookie';

const linkParameters = ['interview_token', 'invitation_token', 'learner_token'];
/**
 * The most cookies of one name that are tried. A browser also sends cookies of the same name for other paths and
 * domains.
 */
const maxCookies = 5;

/** The name of the cookie that contains the token of a learner's link. */
export const learnerCookie = (isHttps: boolean): string => cookieName('learner', isHttps);

/** Returns the tokens in the learner's cookies of a request. The tokens are not verified yet. */
export const readLearnerCookies = (request: Request, isHttps: boolean): string[] =>
  readCookies(request, learnerCookie(isHttps)).slice(0, maxCookies);

/** Returns the key under which the visits with a link are counted: the hash of the link's token. */
export const linkLimitKey = (token: string): string => hashSecret(token).toString('hex');

const interviewPath = /^\/interview\/take\/([0-9a-f-]{36})\//i;
const embedPath = /^\/embed\/([0-9a-f-]{36})\//i;
const talkPath = /^\/talk\/([a-z0-9-]{1,200})\//;

/** Returns the tokens from the cookies of the interview whose page is requested. The tokens are not verified yet. */
function readInterviewTokens(request: Request, isHttps: boolean): string[] {
  const [, interviewId] = interviewPath.exec(request.originalUrl) ?? [];
  const [, embedId] = embedPath.exec(request.originalUrl) ?? [];
  const [, slug] = talkPath.exec(request.originalUrl) ?? [];
  if (slug !== undefined) return readVisitCookie(request, slug, isHttps);
  if (embedId !== undefined) return readEmbedCookie(request, embedId, isHttps);
  return interviewId === undefined ? [] : readInterviewCookie(request, interviewId, isHttps);
}

/**
 * Limits requests by client address until a page has verified the visitor's link, and from then on by link. A request
 * may contain several links, but only the verified one, which the page passes to `refundPoint`, is counted. Routers
 * that share the returned handlers also share the counts.
 */
export function limitVisitors(
  addressLimit: AddressLimit,
  createLimit: CreateLimit,
  { perMinute, isHttps }: { perMinute: number; isHttps: boolean },
): RequestHandler[] {
  const credentialsOf = (request: Request): string[] =>
    [
      ...linkParameters.map((name) => request.query[name]),
      ...readInterviewTokens(request, isHttps),
      ...readLearnerCookies(request, isHttps),
    ]
      .filter((token) => typeof token === 'string')
      .map(linkLimitKey);
  return [addressLimit.guard(credentialsOf), limitRate(createLimit('link', perMinute), recognizedCredential)];
}
