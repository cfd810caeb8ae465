import type { CreateLimit, Limit } from '../../platform/http/rate-limit';

const visitsPerHour = 60;

/** Creates the limit of visits of public avatars that one address can begin in an hour. */
export const createVisitLimit = (createLimit: CreateLimit, isLimited: boolean): Limit =>
  createLimit(
    'avatar visits',
    isLimited ? visitsPerHour : 0,
    'Too many conversations began from this address. Try again later.',
    3_600,
  );
