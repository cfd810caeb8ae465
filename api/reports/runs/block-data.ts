import type { CheckedBlock, CheckedFilters, PeriodRange, Value } from '../../../db/reports/checked-report';
import type { BlockRow } from '../../../db/reports/compile-block';
import { dayAt, parseDay } from '../language/calendar';
import { limits, firstShareSuffix } from '../language/limits';
import { countBuckets } from '../language/resolve-period';
import type { LocalDays } from '../language/resolve-period';
import type { MeasureChange, Column } from './run-reply';

type Cell = Value | null;
export type DataRow = Record<string, Cell>;

export type BlockData = {
  columns: Column[];
  rows: DataRow[];
  truncated: boolean;
  /** The row that aggregates all rows. Null if the block does not request this row. */
  totals: DataRow | null;
  /**
   * The row that combines all rows after the limit. Null if there are no such rows, or if the block does not request
   * this row.
   */
  others: DataRow | null;
  previous?: {
    period: PeriodRange;
    rows: DataRow[];
    truncated: boolean;
    totals: DataRow | null;
    delta?: Record<string, MeasureChange>;
  };
};

/** The rows that each statement of a block returned. Statements that the block did not request are absent. */
export type BlockRows = Record<'rows' | 'previous' | 'totals' | 'previousTotals' | 'others', BlockRow[]>;

/** Builds the data of a block from the rows of its statements. */
export function toBlockData(
  block: CheckedBlock,
  filters: CheckedFilters,
  {
    rows: found,
    previous: before,
    totals,
    previousTotals,
    others,
  }: Pick<BlockRows, 'rows'> & Partial<BlockRows>,
  now: Date,
): BlockData {
  const columns = columnsOf(block);
  const lastBucket = lastRunningBucket(block, filters, now);
  const rows = found
    .slice(0, block.limit)
    .map((row) => toRow(columns, row, row.bucket !== null && row.bucket === lastBucket));
  const truncated = found.length > block.limit;
  const only = (row: BlockRow | undefined) => (row ? toRow(columns, row, false) : null);
  const isFunnel = block.type === 'funnel';
  const data = {
    columns: isFunnel ? [...columns, ...shareColumnsOf(block)] : columns,
    rows: isFunnel ? withShares(block, rows) : rows,
    truncated,
    totals: only(totals?.[0]),
    others: truncated ? only(others?.[0]) : null,
  };
  const range = block.period?.previous;
  if (!before || !range) return data;
  const earlier = align(block, filters, before.slice(0, limits.max_rows)).map((row) =>
    toRow(columns, row, false),
  );
  const delta = block.type === 'kpi' ? { delta: deltaOf(block, rows[0], earlier[0]) } : {};
  const previous = {
    period: range,
    rows: isFunnel ? withShares(block, earlier) : earlier,
    truncated: before.length > limits.max_rows,
    totals: only(previousTotals?.[0]),
    ...delta,
  };
  return { ...data, previous };
}

/**
 * For a line or a bar, cuts or extends each series of the comparison period to the number of buckets of the block's
 * own period. Added buckets have a null date. Blocks with conditions on measures (`having`) stay unchanged, because
 * these conditions remove the rows of some buckets.
 */
function align(
  { type, dataset, dimensions, having, period }: CheckedBlock,
  { timezone }: CheckedFilters,
  rows: readonly BlockRow[],
): readonly BlockRow[] {
  const dateAt = dimensions.findIndex(({ grain }) => grain !== null);
  const { field, grain } = dimensions[dateAt] ?? {};
  const isAxis = field !== undefined && field.id === dataset.time?.dimension;
  if ((type !== 'line' && type !== 'bar') || !isAxis || !grain || !period?.previous || having.length > 0)
    return rows;
  const { from, to } = period.previous;
  if (from === null) return rows;
  const before = {
    first: dayAt(new Date(from), timezone),
    last: dayAt(new Date(Date.parse(to) - 1), timezone),
  };
  const count = countBuckets(daysOf(period), timezone)[grain];
  const countBefore = countBuckets(before, timezone)[grain];
  const kept = rows.filter(({ bucket }) => bucket === null || bucket < count);
  const starts = kept.filter(({ bucket }) => bucket === 0);
  for (let bucket = countBefore; bucket < count; bucket += 1)
    for (const start of starts) {
      const others = dimensions.map((_, at): [string, Cell] => [
        `c${at + 1}`,
        at === dateAt ? null : (start[`c${at + 1}`] ?? null),
      ]);
      kept.push({ ...Object.fromEntries(others), bucket });
    }
  return kept;
}

const daysOf = ({ firstDay, lastDay }: { firstDay: string | null; lastDay: string }): LocalDays => ({
  first: parseDay(firstDay ?? '') ?? null,
  last: parseDay(lastDay) ?? 0,
});

const columnsOf = ({ dimensions, measures }: CheckedBlock): Column[] => [
  ...dimensions.map(({ field, grain }) => ({
    id: field.id,
    label: field.label,
    kind: field.kind,
    type: field.type,
    format: field.format,
    ...(grain === null ? {} : { grain }),
  })),
  ...measures.map(({ as, label, measure }) => ({
    id: as,
    label,
    kind: measure.kind,
    type: measure.type,
    format: measure.format,
  })),
];

const toRow = (columns: readonly Column[], row: BlockRow, isPartial: boolean): DataRow =>
  Object.fromEntries([
    ...columns.map(({ id }, at): [string, Cell] => [id, row[`c${at + 1}`] ?? null]),
    ...(isPartial ? [['partial', true] as [string, Cell]] : []),
  ]);

/**
 * Returns the index of the last bucket if the period is not over, because the bucket's numbers can still grow.
 * Otherwise returns undefined.
 */
function lastRunningBucket({ period, dimensions }: CheckedBlock, { timezone }: CheckedFilters, now: Date) {
  const grain = dimensions.find((each) => each.grain !== null)?.grain;
  if (!period || !grain || new Date(period.to) <= now) return undefined;
  return countBuckets(daysOf(period), timezone)[grain] - 1;
}

const shareColumnsOf = ({ measures }: CheckedBlock): Column[] =>
  measures.map(({ as, label }) => ({
    id: `${as}${firstShareSuffix}`,
    label: `${label}, of first`,
    kind: 'measure',
    type: 'percent',
    format: 'percent',
  }));

/** Adds `<measure>_of_first` to each step of a funnel: its share of the first step's value, null if that value is 0. */
function withShares({ measures, dimensions }: CheckedBlock, rows: readonly DataRow[]): DataRow[] {
  const share = (value: Cell | undefined, first: Cell | undefined): Cell =>
    typeof value === 'number' && typeof first === 'number' && first !== 0 ? value / first : null;
  return rows.map((row) => {
    const shares = measures.map(({ as }): [string, Cell] => [
      `${as}${firstShareSuffix}`,
      share(row[as], dimensions.length === 0 ? row[measures[0]?.as ?? ''] : rows[0]?.[as]),
    ]);
    return { ...row, ...Object.fromEntries(shares) };
  });
}

/** The change of each measure since the previous period. `pct` is a fraction, or null if the earlier value was 0. */
const deltaOf = (
  { measures }: CheckedBlock,
  now: DataRow = {},
  before: DataRow = {},
): Record<string, MeasureChange> =>
  Object.fromEntries(
    measures.map(({ as }): [string, MeasureChange] => {
      const [value, earlier] = [now[as], before[as]];
      if (typeof value !== 'number' || typeof earlier !== 'number') return [as, { abs: null, pct: null }];
      const abs = value - earlier;
      return [as, { abs, pct: earlier === 0 ? null : abs / Math.abs(earlier) }];
    }),
  );
