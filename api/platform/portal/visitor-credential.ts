import type { Request, RequestHandler } from 'express';
import { hashSecret } from '../../../db/platform/tokens';
import type { AddressLimit } from '../http/address-limit';
import { limitRate } from '../http/rate-limit';
import { cookieName, readCookie } from '../site/cookies';

const linkParameters = ['interview_token', 'invitation_token', 'learner_token'];

/** The name of the cookie that contains the token of a learner's link. */
export const learnerCookie = (isHttps: boolean): string => cookieName('learner', isHttps);

/**
 * Reads the visitor's credential from a request to a portal: the hash of the token in its link or in the learner's
 * cookie.
 */
export const visitorCredential =
  (isHttps: boolean) =>
  (request: Request): string | undefined => {
    const linked = linkParameters
      .map((name) => request.query[name])
      .find((value) => typeof value === 'string');
    const token = linked ?? readCookie(request, learnerCookie(isHttps));
    return typeof token === 'string' ? hashSecret(token).toString('hex') : undefined;
  };

/**
 * Limits the visitors of a portal by client address until their link is proven, and the visits with one link. The count
 * of a link is shared by all routers that use the returned handlers.
 */
export function limitVisitors(
  addressLimit: AddressLimit,
  perMinute: number,
  isHttps: boolean,
): RequestHandler[] {
  const credentialOf = visitorCredential(isHttps);
  return [addressLimit.guard(credentialOf), limitRate(perMinute, credentialOf)];
}
