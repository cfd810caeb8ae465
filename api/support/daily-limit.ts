import type { Transaction } from '../../db/platform/database';
import { lockDailyLimit } from '../../db/support/daily-limit';
import type { LimitedKind } from '../../db/support/daily-limit';
import { ApiError } from '../platform/operation/api-error';

const named: Record<LimitedKind, string> = {
  technical_issue: 'technical issues',
  feature_request: 'feature requests',
};

/**
 * Throws 429 if the person has sent five requests of this kind in the last 24 hours. The error says when the oldest
 * of them is 24 hours old. Takes a lock until the transaction ends, so that concurrent calls are counted
 * (docs/support.md#limits-per-person).
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
