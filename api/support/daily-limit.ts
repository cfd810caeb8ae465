import { ApiError } from '../platform/operation/api-error';
import { lockDailyLimit } from '../../db/support/daily-limit';
import type { LimitedKind } from '../../db/support/daily-limit';
import type { Transaction } from '../../db/platform/database';

const named: Record<LimitedKind, string> = {
  technical_issue: 'technical issues',
  feature_request: 'feature requests',
};

/**
 * Counts one of the five requests that a person may send in 24 hours, under a lock that lasts until the transaction
 * ends (docs/support.md#limits-per-person). Throws 429 with the time until the oldest is 24 hours old.
 */
export async function enforceDailyLimit(trx: Transaction, kind: LimitedKind): Promise<void> {
  const { free_at } = await trx.one(lockDailyLimit(kind));
  if (free_at === null) return;
  throw new ApiError(
    'daily_limit_reached',
    `You sent 5 ${named[kind]} in the last 24 hours. Try again later.`,
    undefined,
    Math.max(1, Math.ceil((Date.parse(free_at) - Date.now()) / 1000)),
  );
}
