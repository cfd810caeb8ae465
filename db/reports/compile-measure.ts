import type { Aggregate } from './dataset';

/** Returns the SQL of an aggregate that counts only rows that meet all conditions. */
export function compileAggregate(aggregate: Aggregate, conditions: readonly string[]): string {
  if (aggregate.kind === 'ratio') {
    const [of, by] = [aggregate.of, aggregate.by].map((part) => compileAggregate(part, conditions));
    return `(${of})::float8 / nullif(${by}, 0)`;
  }
  const when = [...(aggregate.when === undefined ? [] : [aggregate.when]), ...conditions];
  const filter = when.length === 0 ? '' : ` filter (where ${when.map((one) => `(${one})`).join(' and ')})`;
  if (aggregate.kind === 'count') return `count(*)${filter}`;
  const { of } = aggregate;
  if (aggregate.kind === 'percentile')
    return `percentile_cont(${aggregate.at}) within group (order by ${of})${filter}`;
  return {
    distinct: `count(distinct ${of})${filter}`,
    sum: `coalesce(sum(${of})${filter}, 0)::float8`,
    avg: `(avg(${of})${filter})::float8`,
    min: `min(${of})${filter}`,
    max: `max(${of})${filter}`,
  }[aggregate.kind];
}

/** True if an aggregate over no rows is 0. Otherwise it is null. */
export const isZeroWithoutRows = ({ kind }: Aggregate): boolean =>
  kind === 'count' || kind === 'distinct' || kind === 'sum';
