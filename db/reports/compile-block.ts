import type { Statement } from '../platform/statement';
import type { CheckedBlock, CheckedFilters, CheckedMeasure, Condition, Value } from './checked-report';
import { addBuckets } from './compile-buckets';
import { compileCondition } from './compile-condition';
import { whereAll, compileQueryParts, compileGroups } from './compile-groups';
import type { BlockSelection } from './compile-groups';
import type { Dataset, Dimension, Measure } from './dataset';
import { compileFromDaySums } from './day-sums';
import type { DaySumsState } from './day-sums';
import { openParameters } from './parameters';
import type { Parameters } from './parameters';
import { statementName } from './statement-names';

/*
 * Turns a checked block (one number, chart or table of a report) into SQL (docs/reports.md#how-it-runs). Identifiers
 * come from the table of datasets, values are bound parameters, and columns are numbered. Row-level security selects
 * the merchant and the environment.
 */

/**
 * A row of a block. `c1`, `c2`, … are the dimensions and then the measures, in the order of the block. `bucket` is
 * the index (from 0) of the row's date in the period, or null if the block has no date.
 */
export type BlockRow = { [column: `c${number}`]: Value | null; bucket: number | null };

type CompiledBlock = {
  /** Returns at most `limit` + 1 rows. If there are `limit` + 1 rows, the block has more rows than its limit allows. */
  rows: Statement<BlockRow>;
  /** The rows of the comparison period, at most `maxRows` + 1. Null if the block requests no comparison. */
  previous: Statement<BlockRow> | null;
  /**
   * One row with null dimensions that aggregates the rows of all groups that meet the conditions on measures. Null if
   * the block requests no totals.
   */
  totals: Statement<BlockRow> | null;
  /** The same as `totals`, over the comparison period. */
  previousTotals: Statement<BlockRow> | null;
  /** One row that aggregates the rows of the groups after the limit. Its dimensions are null. */
  others: Statement<BlockRow> | null;
};

/** The most rows of a block, and of the period that it is compared with. */
const maxRows = 500;

/**
 * Compiles a block to SQL. `rollup` says for which days `report_day` has stored sums. Without it, all statements read
 * the single attempts.
 */
export function compileBlock(
  block: CheckedBlock,
  filters: CheckedFilters,
  rollup: DaySumsState | null = null,
): CompiledBlock {
  const measures = measuresOf(block);
  const present = { block, measures, filters, range: block.period, rollup };
  const previous = block.compare && block.period?.previous;
  const totalsAfter = block.having.length > 0 ? 0 : null;
  return {
    rows: compileRows(present, block.limit + 1),
    previous: previous ? compileRows({ ...present, range: previous }, maxRows + 1) : null,
    totals: block.totals ? compileRest(present, totalsAfter) : null,
    previousTotals:
      previous && block.totals ? compileRest({ ...present, range: previous }, totalsAfter) : null,
    others: block.others ? compileRest(present, block.limit) : null,
  };
}

/** Finds the time of the first row of the dataset, where the period `all_time` begins. */
export const findFirstInstant = ({ from, time }: Dataset): Statement<{ first: string | null }> => ({
  text: time ? `select min(${time.column}) as first from ${from}` : 'select null as first',
});

type Source = BlockSelection & { rollup: DaySumsState | null };

function compileRows(selection: Source, limit: number): Statement<BlockRow> {
  const { block } = selection;
  const parameters = openParameters(selection.filters.timezone);
  const { source, having, isSummed } = compileSource(selection, parameters);
  const columns = [
    ...block.dimensions.map((dimension, at) => dimensionLabel(dimension, `q.d${at}`, parameters)),
    ...block.measures.map((measure, at) => measureLabel(measure, `q.m${at}`, parameters)),
  ].map((sql, at) => `${sql} as c${at + 1}`);
  const text = `select ${[...columns, 'q.bucket'].join(', ')} from (${source}) q${having}
      order by ${compileOrder(block, parameters).join(', ')} limit ${parameters.bind(limit, 'int')}`;
  const name = isSummed ? statementName(text) : undefined;
  return { ...(name === undefined ? {} : { name }), text, values: [...parameters.values] };
}

/**
 * Returns two pieces of SQL: `source` selects the groups with their buckets, and `having` has the conditions on
 * groups. `isSummed` is true if the query reads the sums by day.
 */
function compileSource(
  selection: Source,
  parameters: Parameters,
): { source: string; having: string; isSummed: boolean } {
  const { block, measures, range } = selection;
  const summed = compileFromDaySums(selection, selection.rollup, parameters);
  const groups = summed ?? compileGroups(compileQueryParts(selection, parameters));
  const hasDate = block.dimensions.some(({ grain }) => grain !== null);
  const columnOf = (field: Dimension | Measure) =>
    `q.m${measures.findIndex(({ measure, where }) => measure.id === field.id && where.length === 0)}`;
  return {
    source: hasDate
      ? addBuckets({ block, measures, range, groups }, parameters)
      : `select *, null::int as bucket from (${groups}) g`,
    having: whereAll(block.having.map((condition) => compileCondition(condition, columnOf, parameters))),
    isSummed: summed !== null,
  };
}

/**
 * Returns SQL for one row that aggregates all rows except those of the first `after` groups. If `after` is null, the
 * row aggregates all rows.
 */
function compileRest(selection: Source, after: number | null): Statement<BlockRow> {
  const { block } = selection;
  const parameters = openParameters(selection.filters.timezone);
  // If `after` is null, all rows are aggregated into one, so the query needs neither dimensions nor their joins.
  const read = after === null ? { ...selection, block: { ...block, dimensions: [] } } : selection;
  const columnsOf = (sqlAt: (at: number) => string) =>
    [
      ...block.dimensions.map(() => 'null'),
      ...block.measures.map((measure, at) => measureLabel(measure, sqlAt(at), parameters)),
    ].map((sql, at) => `${sql} as c${at + 1}`);
  const summed = after === null ? compileFromDaySums(read, selection.rollup, parameters) : null;
  if (summed !== null) {
    const text = `select ${columnsOf((at) => `q.m${at}`).join(', ')}, null::int as bucket from (${summed}) q`;
    return { text, values: [...parameters.values] };
  }
  const { dimensions, measures, from, where } = compileQueryParts(read, parameters);
  const columns = columnsOf((at) => measures[at] ?? 'null');
  const selected = `select ${columns.join(', ')}, null::int as bucket from ${from}`;
  if (after === null) return { text: `${selected}${whereAll(where)}`, values: [...parameters.values] };
  const { source, having } = compileSource(selection, parameters);
  const order = compileOrder(block, parameters).join(', ');
  const isSame = dimensions.map((sql, at) => `k.d${at} is not distinct from ${sql}`);
  const isAfter = `k.place > ${parameters.bind(after, 'int')}`;
  return {
    text: `with k as (select q.*, row_number() over (order by ${order}) as place from (${source}) q${having})
      ${selected}${whereAll([...where, `exists (select from k${whereAll([...isSame, isAfter])})`])}`,
    values: [...parameters.values],
  };
}

/** Returns the measures of a block, followed by the measures that only its conditions use. */
function measuresOf({ measures, having }: CheckedBlock): CheckedMeasure[] {
  const all = [...measures];
  const add = (condition: Condition): void => {
    if (condition.kind !== 'field') return condition.of.forEach(add);
    const { field } = condition;
    if (field.kind === 'measure' && !all.some(({ measure, where }) => measure.id === field.id && where.length === 0))
      all.push({ as: field.id, label: field.label, measure: field, where: [] });
  }; // prettier-ignore
  having.forEach(add);
  return all;
}

function measureLabel({ measure }: CheckedMeasure, sql: string, parameters: Parameters): string {
  return measure.type === 'date' ? instantLabel(sql, parameters, '.MS') : sql;
}

function dimensionLabel(
  { field, grain }: CheckedBlock['dimensions'][number],
  sql: string,
  parameters: Parameters,
): string {
  if (grain === 'hour') return instantLabel(sql, parameters);
  return grain === null || field.type !== 'date' ? sql : `to_char(${sql}, 'YYYY-MM-DD')`;
}

/**
 * Returns the SQL of the local time of an instant with its offset: `2026-10-25T02:00:00+01:00`. `fraction` is the format
 * of what follows the seconds.
 */
function instantLabel(sql: string, { zone }: Parameters, fraction: '' | '.MS' = ''): string {
  const local = `(${sql} at time zone ${zone()})`;
  const offset = `(${local} - (${sql} at time zone 'UTC'))`;
  return `(to_char(${local}, 'YYYY-MM-DD"T"HH24:MI:SS${fraction}') || case when ${offset} < interval '0' then '-' else '+' end
    || to_char(greatest(${offset}, -${offset}), 'HH24:MI'))`;
}

/**
 * Returns SQL for the order of the rows. Nulls come last, and rows with equal sort keys are ordered by the other
 * dimensions.
 */
function compileOrder({ sort, dimensions, measures }: CheckedBlock, { bind }: Parameters): string[] {
  const order = sort.map(({ column, dir }) => {
    const measureAt = measures.findIndex(({ as }) => as === column);
    const dimensionAt = dimensions.findIndex(({ field }) => field.id === column);
    if (measureAt === -1 && dimensionAt === -1) throw new Error('a sort names a column of the block');
    const sql = dimensionAt === -1 ? `q.m${measureAt}` : dimensionOrder(dimensionAt);
    return `${sql} ${dir === 'asc' ? 'asc' : 'desc'} nulls last`;
  });
  function dimensionOrder(at: number): string {
    const field = dimensions[at]?.field;
    if (field?.ordered && field.values) return `array_position(${bind(field.values, 'text[]')}, q.d${at})`;
    return field?.type === 'text' ? `q.d${at} collate "C"` : `q.d${at}`;
  }
  const isSorted = (id: string) => sort.some(({ column }) => column === id);
  const ties = dimensions.flatMap(({ field }, at) =>
    isSorted(field.id) ? [] : [`${dimensionOrder(at)} nulls last`],
  );
  return [...order, ...ties];
}
