import { ApiError } from '../platform/operation/api-error';
import { lockNextReport } from '../../db/support/daily-limit';
import type { ReportKind } from '../../db/support/daily-limit';
import type { Transaction } from '../../db/platform/database';

const named: Record<ReportKind, string> = {
  issue_report: 'technical issues',
  feature_request: 'feature requests',
};

/**
 * Counts one of the five requests that a person may send in 24 hours, under a lock that lasts until the transaction
 * ends (docs/support.md#limits-per-person). Throws 429 with the time until the oldest is 24 hours old.
 */
export async function claimReport(trx: Transaction, kind: ReportKind): Promise<void> {
  const { free_at } = await trx.one(lockNextReport(kind));
  if (free_at === null) return;
  throw new ApiError(
    'daily_limit_reached',
    `You have made 5 ${named[kind]} in the last 24 hours, try again later`,
    undefined,
    Math.max(1, Math.ceil((Date.parse(free_at) - Date.now()) / 1000)),
  );
}
