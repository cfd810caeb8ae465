import { compileBlock, findFirstInstant } from '../../db/reports/compile-block';
import type { BlockRow } from '../../db/reports/compile-block';
import type { CheckedBlock, CheckedFilters, PeriodRange, Value } from '../../db/reports/checked-report';
import type { Dataset } from '../../db/reports/dataset';
import { isStatementTimeout } from '../../db/platform/database';
import type { Transaction } from '../../db/platform/database';
import type { Statement } from '../../db/platform/statement';
import { dayAt, parseDay } from './calendar';
import { limits, shareEnding } from './limits';
import { countBuckets } from './resolve-period';
import type { Days } from './resolve-period';

export type Cell = Value | null;
export type Row = Record<string, Cell>;

export type Column = {
  id: string;
  label: string;
  kind: 'dimension' | 'measure';
  type: string;
  format: string;
  grain?: string;
};

/** `pct` is a fraction. */
type Change = { abs: number | null; pct: number | null };

export type BlockData = {
  columns: Column[];
  rows: Row[];
  truncated: boolean;
  /** Over all rows, if the block asks for it. */
  totals: Row | null;
  /** Over the rows after the limit, if there are any and the block asks for it. */
  others: Row | null;
  previous?: { period: PeriodRange; rows: Row[]; totals: Row | null; delta?: Record<string, Change> };
};

/** What became of a block: its data, or one sentence that says why there is none. */
export type BlockOutcome = { data: BlockData } | { error: string };

/**
 * Runs blocks one after another in a transaction that the caller has begun, each in a savepoint with its own time limit
 * (docs/reports.md#how-it-runs). A block that takes too long, or whose numbers leave their range, fails alone; any other
 * error is thrown.
 */
export async function runBlocks(
  trx: Transaction,
  blocks: readonly CheckedBlock[],
  filters: CheckedFilters,
  { now, endsAt }: { now: Date; endsAt: number },
): Promise<BlockOutcome[]> {
  const outcomes: BlockOutcome[] = [];
  for (const block of blocks) {
    const timeoutMs = Math.min(limits.block_timeout_ms, endsAt - Date.now());
    outcomes.push(
      timeoutMs <= 0
        ? {
            error: `The ${limits.report_timeout_ms / 1_000} s of a report were used up before this block. Use fewer blocks or a shorter period.`,
          }
        : await runBlock(trx, block, filters, { now, timeoutMs }),
    );
  }
  return outcomes;
}

async function runBlock(
  trx: Transaction,
  block: CheckedBlock,
  filters: CheckedFilters,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<BlockOutcome> {
  const statements = compileBlock(block, filters);
  const asked = (['rows', 'previous', 'totals', 'previousTotals', 'others'] as const).flatMap((name) =>
    statements[name] ? [{ name, statement: statements[name] }] : [],
  );
  try {
    const found = await inSavepoint(
      trx,
      timeoutMs,
      asked.map(({ statement }) => statement),
    );
    const read = Object.fromEntries(asked.map(({ name }, at) => [name, found[at]])) as Partial<Found>;
    return { data: toData(block, filters, { rows: [], ...read }, now) };
  } catch (error) {
    if (isStatementTimeout(error)) return tooSlow(timeoutMs);
    if (isOutOfRange(error))
      return {
        error:
          'This block has a value that the database cannot compute with, such as a number that is too large or a time zone that it does not know.',
      };
    throw error;
  }
}

const tooSlow = (timeoutMs: number): BlockOutcome => ({
  error: `This block took longer than ${Math.ceil(timeoutMs / 1_000)} s. Choose a shorter period, more filters or fewer fields.`,
});

/**
 * Finds the first instant of a dataset, null without rows. Returns what becomes of its blocks if that takes too long, because
 * they would be wrong without it.
 */
export async function findFirstRow(
  trx: Transaction,
  dataset: Dataset,
  timeoutMs: number,
): Promise<{ first: Date | null } | { outcome: BlockOutcome }> {
  try {
    const [[row] = []] = await inSavepoint(trx, timeoutMs, [findFirstInstant(dataset)]);
    return { first: row?.first ? new Date(row.first) : null };
  } catch (error) {
    if (isStatementTimeout(error)) return { outcome: tooSlow(timeoutMs) };
    throw error;
  }
}

/**
 * Runs statements that share a time limit. A connection allows a statement 15 s from the moment it is sent, so the next one
 * is sent only when the one before has returned.
 */
async function inSavepoint<R>(
  trx: Transaction,
  timeoutMs: number,
  statements: readonly Statement<R>[],
): Promise<R[][]> {
  const endsAt = performance.now() + timeoutMs;
  const found: R[][] = [];
  for (const [index, statement] of statements.entries()) {
    const limitMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const before = index === 0 ? [trx.count({ text: 'savepoint block' })] : [];
    const limit = trx.rows({
      name: 'set_block_timeout',
      text: `select set_config('statement_timeout', $1, true)`,
      values: [String(limitMs)],
    });
    const work = trx.rows(statement);
    const after = index === statements.length - 1 ? [trx.count({ text: 'release savepoint block' })] : [];
    const settled = await Promise.allSettled([...before, limit, work, ...after]);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) {
      await trx.count({ text: 'rollback to savepoint block' });
      throw failed.reason;
    }
    found.push(await work);
  }
  return found;
}

/** Class 22 of Postgres: a value is invalid, such as a number that overflows. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');

/** What the statements of a block returned. Those that it did not ask for are absent. */
type Found = Record<'rows' | 'previous' | 'totals' | 'previousTotals' | 'others', BlockRow[]>;

function toData(
  block: CheckedBlock,
  filters: CheckedFilters,
  { rows: found, previous: before, totals, previousTotals, others }: Pick<Found, 'rows'> & Partial<Found>,
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
  const earlier = align(block, filters, before).map((row) => toRow(columns, row, false));
  const delta = block.type === 'kpi' ? { delta: deltaOf(block, rows[0], earlier[0]) } : {};
  const previous = {
    period: range,
    rows: isFunnel ? withShares(block, earlier) : earlier,
    totals: only(previousTotals?.[0]),
    ...delta,
  };
  return { ...data, previous };
}

/**
 * Gives each series of a line or a bar as many earlier buckets as the period has. Those that the earlier range does not have
 * are null. Conditions on measures remove buckets, so they leave nothing to align.
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

const daysOf = ({ firstDay, lastDay }: { firstDay: string | null; lastDay: string }): Days => ({
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

const toRow = (columns: readonly Column[], row: BlockRow, isPartial: boolean): Row =>
  Object.fromEntries([
    ...columns.map(({ id }, at): [string, Cell] => [id, row[`c${at + 1}`] ?? null]),
    ...(isPartial ? [['partial', true] as [string, Cell]] : []),
  ]);

/** The place of the last bucket if the period is not over: its numbers can still grow. */
function lastRunningBucket({ period, dimensions }: CheckedBlock, { timezone }: CheckedFilters, now: Date) {
  const grain = dimensions.find((each) => each.grain !== null)?.grain;
  if (!period || !grain || new Date(period.to) <= now) return undefined;
  return countBuckets(daysOf(period), timezone)[grain] - 1;
}

const shareColumnsOf = ({ measures }: CheckedBlock): Column[] =>
  measures.map(({ as, label }) => ({
    id: `${as}${shareEnding}`,
    label: `${label}, of first`,
    kind: 'measure',
    type: 'percent',
    format: 'percent',
  }));

/** Adds `<measure>_of_first` to a funnel: its share of the first step, null if that is 0. */
function withShares({ measures, dimensions }: CheckedBlock, rows: readonly Row[]): Row[] {
  const share = (value: Cell | undefined, first: Cell | undefined): Cell =>
    typeof value === 'number' && typeof first === 'number' && first !== 0 ? value / first : null;
  return rows.map((row) => {
    const shares = measures.map(({ as }): [string, Cell] => [
      `${as}${shareEnding}`,
      share(row[as], dimensions.length === 0 ? row[measures[0]?.as ?? ''] : rows[0]?.[as]),
    ]);
    return { ...row, ...Object.fromEntries(shares) };
  });
}

/** The change of each measure since the previous period. `pct` is a fraction, null if there was nothing before. */
const deltaOf = ({ measures }: CheckedBlock, now: Row = {}, before: Row = {}): Record<string, Change> =>
  Object.fromEntries(
    measures.map(({ as }): [string, Change] => {
      const [value, earlier] = [now[as], before[as]];
      if (typeof value !== 'number' || typeof earlier !== 'number') return [as, { abs: null, pct: null }];
      const abs = value - earlier;
      return [as, { abs, pct: earlier === 0 ? null : abs / Math.abs(earlier) }];
    }),
  );
