import type { CheckedBlock, CheckedFilters, CheckedMeasure, Condition, PeriodRange } from './checked-report';
import { bucketStart } from './compile-buckets';
import { compileCondition } from './compile-condition';
import { compileAggregate } from './compile-measure';
import type { Dataset, Dimension, Measure } from './dataset';
import { bindZone } from './parameters';
import type { Parameters } from './parameters';

/**
 * The input of a query. `measures` include measures that only conditions use. `range` is null if the dataset has no
 * period (`snapshot`).
 */
export type BlockSelection = {
  block: CheckedBlock;
  measures: readonly CheckedMeasure[];
  filters: CheckedFilters;
  range: PeriodRange | null;
};

/** The parts of a SQL query. */
export type QueryParts = {
  dimensions: readonly string[];
  measures: readonly string[];
  /** The tables and the joins that the fields need. */
  from: string;
  /** Conditions on rows. */
  where: readonly string[];
};

export function compileQueryParts(
  { block, measures, filters, range }: BlockSelection,
  parameters: Parameters,
): QueryParts {
  const { dataset } = block;
  const sqlOf = (field: Dimension | Measure) => {
    if (field.kind === 'measure') throw new Error('a measure is no condition on rows');
    return bindZone(field.sql, parameters);
  };
  const compile = (condition: Condition) => compileCondition(condition, sqlOf, parameters);
  return {
    dimensions: block.dimensions.map(({ field, grain }) =>
      grain === null ? sqlOf(field) : bucketStart(axisOf(dataset, field), grain, parameters),
    ),
    measures: measures.map(({ measure, where }) =>
      bindZone(compileAggregate(measure.aggregate, where.map(compile)), parameters),
    ),
    from: `${dataset.from}${joinsOf(block, measures)}`,
    where: [...filterRows(dataset, filters, range, parameters), ...block.where.map(compile)],
  };
}

/** Returns SQL with one row per group and the columns `d0`, `d1`, … for dimensions and `m0`, `m1`, … for measures. */
export function compileGroups({ dimensions, measures, from, where }: QueryParts): string {
  const columns = [
    ...dimensions.map((sql, at) => `${sql} as d${at}`),
    ...measures.map((sql, at) => `${sql} as m${at}`),
  ];
  const groupBy = dimensions.length === 0 ? '' : ` group by ${dimensions.map((_, at) => at + 1).join(', ')}`;
  return `select ${columns.join(', ')} from ${from}${whereAll(where)}${groupBy}`;
}

export const whereAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;

/**
 * Returns the SQL of a date that rows are grouped by. For the dataset's time dimension it is `time.column`, which is
 * never null.
 */
const axisOf = ({ time }: Dataset, field: Dimension): string =>
  time?.dimension === field.id ? time.column : field.sql;

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

/** Returns the joins that the fields of a block need, in the order of the dataset. */
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
