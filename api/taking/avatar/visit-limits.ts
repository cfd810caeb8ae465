import type { Request, Response } from 'express';
import { addressOf } from '../../platform/http/address-limit';
import { limitError } from '../../platform/http/rate-limit';
import type { CreateLimit } from '../../platform/http/rate-limit';

/** The limits of the visits of public avatars that begin in an hour: by one address, and at one avatar. */
export type VisitLimits = ReturnType<typeof createVisitLimits>;

const visitsPerAddress = 60;
const seconds = 3_600;

/** Creates the limits of visits. `perAvatar` is 0 for no limit of each avatar. */
export const createVisitLimits = (createLimit: CreateLimit, isLimited: boolean, perAvatar: number) => ({
  address: createLimit('avatar visits', isLimited ? visitsPerAddress : 0, undefined, seconds),
  avatar: createLimit('visits of an avatar', perAvatar, undefined, seconds),
});

/** Counts a visit that begins. If too many have begun, sets `Retry-After` and returns false. */
export async function countVisit(
  { address, avatar }: VisitLimits,
  request: Request,
  response: Response,
  interviewId: string,
): Promise<boolean> {
  try {
    await address.take(addressOf(request), response);
    await avatar.take(interviewId, response);
    return true;
  } catch (error) {
    response.setHeader('retry-after', String(limitError(error).retryAfterSeconds));
    return false;
  }
}
