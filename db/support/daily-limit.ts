import type { Statement } from '../platform/statement';

/** The kinds of messages that have a daily limit: a person may send five of each kind in 24 hours. */
export type LimitedKind = 'technical_issue' | 'feature_request';

/**
 * Makes other calls of the person wait until the transaction ends. `free_at` is the time from which the person may
 * send the next message of this kind, or null if the person may send one now.
 */
export const lockDailyLimit = (kind: LimitedKind): Statement<{ free_at: string | null }> => ({
  name: 'lock_daily_limit',
  text: 'select app.lock_daily_limit($1) as free_at',
  values: [kind],
});
