import type { Statement } from '../platform/statement';
import type {
  CheckedBlock,
  CheckedFilters,
  CheckedMeasure,
  Condition,
  PeriodRange,
  Value,
} from './checked-report';
import { compileCondition } from './compile-condition';
import { compileAggregate, isZeroWithoutRows } from './compile-measure';
import type { Dataset, Dimension, Grain, Measure } from './dataset';
import { openParameters, withZone } from './parameters';
import type { Parameters } from './parameters';

/*
 * Turns a checked block into SQL (docs/reports.md#how-it-runs). Identifiers come from the table of datasets, values are bound
 * parameters, and columns are numbered. Row-level security selects the merchant and the environment.
 */

/**
 * A row: `c1`, `c2`, … are the dimensions and then the measures of the block, in its order. `bucket` is the place of the date
 * in the period, from 0, and null without a date.
 */
export type BlockRow = { [column: `c${number}`]: Value | null; bucket: number | null };

export type CompiledBlock = {
  /** At most `limit` + 1 rows. The last one shows that there are more. */
  rows: Statement<BlockRow>;
  /** The rows of the period to compare with, as many as a block may have. Null if they are not asked for. */
  previous: Statement<BlockRow> | null;
};

/** The most rows and buckets of a block. */
const maxRows = 500;

export const compileBlock = (block: CheckedBlock, filters: CheckedFilters): CompiledBlock => ({
  rows: compileRows(block, filters, block.period, block.limit + 1),
  previous:
    block.compare && block.period?.previous
      ? compileRows(block, filters, block.period.previous, maxRows)
      : null,
});

/** Finds the first instant of the dataset, with which `all_time` begins. */
export const findFirstInstant = ({ from, time }: Dataset): Statement<{ first: string | null }> => ({
  text: time ? `select min(${time.column}) as first from ${from}` : 'select null as first',
});

/** The same for each grain: no text of a caller gets into SQL. */
const units = new Map<Grain, string>(
  (['hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map((grain) => [grain, grain]),
);
const unitOf = (grain: Grain): string => {
  const unit = units.get(grain);
  if (unit === undefined) throw new Error('unknown grain');
  return unit;
};

function compileRows(
  block: CheckedBlock,
  filters: CheckedFilters,
  range: PeriodRange | null,
  limit: number,
): Statement<BlockRow> {
  const parameters = openParameters(filters.timezone);
  const measures = measuresOf(block);
  const dateAt = block.dimensions.findIndex(({ grain }) => grain !== null);
  const groups = compileGroups(block, measures, filters, range, parameters);
  const source =
    dateAt === -1 || range === null
      ? `select *, null::int as bucket from (${groups}) g`
      : withBuckets({ block, measures, range, groups, dateAt }, parameters);
  const columnOf = (field: Dimension | Measure) =>
    `q.m${measures.findIndex(({ measure, where }) => measure.id === field.id && where.length === 0)}`;
  const having = block.having.map((condition) => compileCondition(condition, columnOf, parameters));
  const columns = [
    ...block.dimensions.map((dimension, at) => dimensionLabel(dimension, `q.d${at}`, parameters)),
    ...block.measures.map(({ measure }, at) =>
      measure.type === 'date' ? instantLabel(`q.m${at}`, parameters) : `q.m${at}`,
    ),
  ].map((sql, at) => `${sql} as c${at + 1}`);
  return {
    text: `select ${[...columns, 'q.bucket'].join(', ')} from (${source}) q${allOf(having)}
      order by ${compileOrder(block, parameters).join(', ')} limit ${parameters.bind(limit, 'int')}`,
    values: [...parameters.values],
  };
}

const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;

/** The measures of a block, and those of its conditions that it does not show. */
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

/** One row per group: `d0`, `d1`, … and `m0`, `m1`, …. */
function compileGroups(
  block: CheckedBlock,
  measures: readonly CheckedMeasure[],
  filters: CheckedFilters,
  range: PeriodRange | null,
  parameters: Parameters,
): string {
  const { dataset, dimensions } = block;
  const sqlOf = (field: Dimension | Measure) => {
    if (field.kind === 'measure') throw new Error('a measure is no condition on rows');
    return withZone(field.sql, parameters);
  };
  const compile = (condition: Condition) => compileCondition(condition, sqlOf, parameters);
  const columns = [
    ...dimensions.map(({ field, grain }, at) => {
      const sql = grain === null ? sqlOf(field) : bucketOf(axisOf(dataset, field), grain, parameters);
      return `${sql} as d${at}`;
    }),
    ...measures.map(({ measure, where }, at) => {
      const conditions = where.map(compile);
      return `${withZone(compileAggregate(measure.aggregate, conditions), parameters)} as m${at}`;
    }),
  ];
  const where = [...filterRows(dataset, filters, range, parameters), ...block.where.map(compile)];
  const groupBy = dimensions.length === 0 ? '' : ` group by ${dimensions.map((_, at) => at + 1).join(', ')}`;
  return `select ${columns.join(', ')} from ${dataset.from}${joinsOf(block, measures)}${allOf(where)}${groupBy}`;
}

/** The time dimension of a dataset has every row at its instant. */
const axisOf = ({ time }: Dataset, field: Dimension): string =>
  time?.dimension === field.id ? time.column : field.sql;

/** Hours run over instants, longer units over local dates. */
const bucketOf = (instant: string, grain: Grain, { zone }: Parameters): string =>
  grain === 'hour'
    ? `date_trunc('hour', ${instant}, ${zone()})`
    : `date_trunc('${unitOf(grain)}', ${instant} at time zone ${zone()})`;

function filterRows(
  { time, filters: columns }: Dataset,
  filters: CheckedFilters,
  range: PeriodRange | null,
  { bind }: Parameters,
): string[] {
  const conditions: string[] = [];
  if (time && range) {
    if (range.from !== null) conditions.push(`${time.column} >= ${bind(range.from, 'timestamptz')}`);
    conditions.push(`${time.column} < ${bind(range.to, 'timestamptz')}`);
  }
  if (columns.isTest !== undefined && !filters.includeTest) conditions.push(`not ${columns.isTest}`);
  if (columns.position !== undefined && filters.positionIds)
    conditions.push(`${columns.position} = any (${bind(filters.positionIds, 'uuid[]')})`);
  if (columns.interview !== undefined && filters.interviewIds)
    conditions.push(`${columns.interview} = any (${bind(filters.interviewIds, 'uuid[]')})`);
  return conditions;
}

/** The joins that the fields of a block need, in the order of the dataset. */
function joinsOf({ dataset, dimensions, where }: CheckedBlock, measures: readonly CheckedMeasure[]): string {
  const needed = new Set<string>();
  const add = ({ joins = [] }: Dimension | Measure) => joins.forEach((name) => needed.add(name));
  const addAll = (conditions: readonly Condition[]): void => {
    for (const condition of conditions)
      if (condition.kind === 'field') add(condition.field);
      else addAll(condition.of);
  };
  for (const { field } of dimensions) add(field);
  for (const { measure, where: own } of measures) {
    add(measure);
    addAll(own);
  }
  addAll(where);
  for (const name of needed) if (!(name in dataset.joins)) throw new Error(`no join ${name}`);
  return Object.entries(dataset.joins)
    .filter(([name]) => needed.has(name))
    .map(([, sql]) => ` ${sql}`)
    .join('');
}

type Bucketed = {
  block: CheckedBlock;
  measures: readonly CheckedMeasure[];
  range: PeriodRange;
  groups: string;
  dateAt: number;
};

/**
 * Adds the place of each date in the period. In a line or a bar, it also adds the dates without rows, for each value of the
 * other dimension that has rows.
 */
function withBuckets({ block, measures, range, groups, dateAt }: Bucketed, parameters: Parameters): string {
  const { dataset, dimensions, type } = block;
  const date = dimensions[dateAt];
  if (!date?.grain) throw new Error('a date has a grain');
  const places = dimensions.map((_, at) => at);
  const others = places.filter((at) => at !== dateAt);
  const isAxis = dataset.time?.dimension === date.field.id;
  // Another date of a row can lie outside of the period or be null.
  const dates = isAxis
    ? compileSeries(date.grain, range, dateAt, parameters)
    : `${compileSeries(date.grain, range, dateAt, parameters)} union select d${dateAt} from g`;
  const buckets = `select day, (row_number() over (order by day))::int - 1 as bucket from (${dates}) s (day)`;
  const columns = [
    ...places.map((at) => (at === dateAt ? `b.day as d${at}` : `o.d${at}`)),
    ...measures.map(({ measure }, at) =>
      isZeroWithoutRows(measure.aggregate) ? `coalesce(g.m${at}, 0) as m${at}` : `g.m${at}`,
    ),
    'b.bucket',
  ];
  const onDate = isAxis ? `g.d${dateAt} = b.day` : `g.d${dateAt} is not distinct from b.day`;
  if (type !== 'line' && type !== 'bar')
    return `with g as (${groups}), b as (${buckets}) select g.*, b.bucket from g left join b on ${onDate}`;
  const distinct = others.map((at) => `d${at}`).join(', ');
  const values = others.length === 0 ? '' : ` cross join (select distinct ${distinct} from g) o`;
  const onAll = [onDate, ...others.map((at) => `g.d${at} is not distinct from o.d${at}`)].join(' and ');
  return `with g as (${groups}), b as (${buckets})
    select ${columns.join(', ')} from b${values} left join g on ${onAll}`;
}

/** The dates of a period. Without a beginning, it begins with the first row. */
function compileSeries(grain: Grain, range: PeriodRange, dateAt: number, parameters: Parameters): string {
  const { zone, bind } = parameters;
  const last = `${bind(range.to, 'timestamptz')} - interval '1 microsecond'`;
  const unit = unitOf(grain);
  if (grain === 'hour') {
    // A clock that is put back by half an hour makes an hour that does not begin where the one before it ends.
    const first = range.from === null ? `(select min(d${dateAt}) from g)` : bind(range.from, 'timestamptz');
    return `select distinct date_trunc('hour', t, ${zone()}) from generate_series(${first}, ${last}, interval '15 minutes') t`;
  }
  const first =
    range.from === null
      ? `(select min(d${dateAt}) from g)`
      : `date_trunc('${unit}', ${bind(range.from, 'timestamptz')} at time zone ${zone()})`;
  const step = grain === 'quarter' ? '3 months' : `1 ${unit}`;
  return `select generate_series(${first}, (${last}) at time zone ${zone()}, interval '${step}')`;
}

function dimensionLabel(
  { field, grain }: CheckedBlock['dimensions'][number],
  sql: string,
  parameters: Parameters,
): string {
  if (grain === 'hour') return instantLabel(sql, parameters);
  return grain === null || field.type !== 'date' ? sql : `to_char(${sql}, 'YYYY-MM-DD')`;
}

/** Returns the SQL of the local time of an instant with its offset: `2026-10-25T02:00:00+01:00`. */
function instantLabel(sql: string, { zone }: Parameters): string {
  const local = `(${sql} at time zone ${zone()})`;
  const offset = `(${local} - (${sql} at time zone 'UTC'))`;
  return `(to_char(${local}, 'YYYY-MM-DD"T"HH24:MI:SS') || case when ${offset} < interval '0' then '-' else '+' end
    || to_char(greatest(${offset}, -${offset}), 'HH24:MI'))`;
}

/** Nulls come last, and ties are in the order of the dimensions. */
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
