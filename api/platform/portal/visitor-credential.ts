import type { Request, RequestHandler } from 'express';
import { hashSecret } from '../../../db/platform/tokens';
import { recognizedCredential } from '../http/address-limit';
import type { AddressLimit } from '../http/address-limit';
import { limitRate } from '../http/rate-limit';
import { cookieName, readCookies } from '../site/cookies';

const linkParameters = ['interview_token', 'invitation_token', 'learner_token'];
/**
 * The most cookies of one name that are tried. A browser also sends cookies of the same name for other paths and
 * domains.
 */
const maxCookies = 5;

/** The name of the cookie that contains the token of a learner's link. */
export const learnerCookie = (isHttps: boolean): string => cookieName('learner', isHttps);

/** Returns the tokens in the learner's cookies of a request, which may be forged. */
export const readLearnerCookies = (request: Request, isHttps: boolean): string[] =>
  readCookies(request, learnerCookie(isHttps)).slice(0, maxCookies);

/** Returns the credential of a link, by which its visits are counted: the hash of its token. */
export const linkCredential = (token: string): string => hashSecret(token).toString('hex');

/**
 * Limits the visitors of a portal by client address until their link is proven, and then the visits with this link. The
 * pages report the link that they have proven with `noteProven`, so a made-up link next to it changes nothing. The
 * count of a link is shared by all routers that use the returned handlers.
 */
export function limitVisitors(
  addressLimit: AddressLimit,
  perMinute: number,
  isHttps: boolean,
): RequestHandler[] {
  const credentialsOf = (request: Request): string[] =>
    [...linkParameters.map((name) => request.query[name]), ...readLearnerCookies(request, isHttps)]
      .filter((token) => typeof token === 'string')
      .map(linkCredential);
  return [addressLimit.guard(credentialsOf), limitRate(perMinute, recognizedCredential)];
}
