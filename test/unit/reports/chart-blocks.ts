import type { BlockResult, Column, ResultRow } from '../../../api/reports/charts/block';

/* Helpers that make blocks as report-run returns them, for tests of charts. */

export const measure = (id: string, format = 'integer', label = id): Column => ({
  id,
  label,
  kind: 'measure',
  type: format === 'duration' || format === 'percent' ? format : 'number',
  format,
});
export const dimension = (id: string, grain?: string, label = id): Column => ({
  id,
  label,
  kind: 'dimension',
  type: grain === undefined ? 'text' : 'date',
  format: grain === undefined ? 'text' : 'date',
  ...(grain === undefined ? {} : { grain }),
});

export const blockOf = (
  type: string,
  columns: Column[],
  rows: ResultRow[],
  more: Partial<BlockResult> = {},
): BlockResult => ({
  block_id: 'block',
  type,
  title: 'Title',
  width: 6,
  ok: true,
  dataset: 'interview_results',
  columns,
  rows,
  truncated: false,
  totals: null,
  others: null,
  previous: null,
  period: {
    preset: 'custom',
    first_day: '2026-01-01',
    last_day: '2026-12-31',
    from: '2026-01-01T00:00:00.000Z',
    to: '2027-01-01T00:00:00.000Z',
  },
  goal: null,
  not_applied: [],
  ...more,
});

/** Returns the local day that is `count` days after January 1, 2026. */
export const dayAfter = (count: number): string =>
  new Date(Date.UTC(2026, 0, 1 + count)).toISOString().slice(0, 10);

/** Returns a chart block with one row for each day. The measure has these values, in order. */
export const daily = (
  type: string,
  values: readonly (number | null)[],
  format = 'integer',
  more: Partial<BlockResult> = {},
): BlockResult =>
  blockOf(
    type,
    [dimension('day', 'day'), measure('count', format)],
    values.map((count, at) => ({ day: dayAfter(at), count })),
    more,
  );
