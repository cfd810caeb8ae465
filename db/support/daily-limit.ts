import type { Statement } from '../platform/statement';

/** What a person may write five of in 24 hours, each by itself. */
export type ReportKind = 'issue_report' | 'feature_request';

/** Keeps the person's next one to this transaction; `free_at` is null where it may write it now. */
export const lockNextReport = (kind: ReportKind): Statement<{ free_at: string | null }> => ({
  name: 'lock_next_report',
  text: 'select app.lock_next_report($1) as free_at',
  values: [kind],
});
