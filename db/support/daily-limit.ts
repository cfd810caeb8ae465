import type { Statement } from '../platform/statement';

/** The kinds that have a daily limit. A person may write five of each in 24 hours. */
export type ReportKind = 'issue_report' | 'feature_request';

/**
 * Serializes the person's writes of this kind until the transaction ends. `free_at` is null when the person may write now.
 */
export const lockNextReport = (kind: ReportKind): Statement<{ free_at: string | null }> => ({
  name: 'lock_next_report',
  text: 'select app.lock_next_report($1) as free_at',
  values: [kind],
});
