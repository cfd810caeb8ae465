import type { Condition, Operator, Value } from './checked-report';
import type { Dimension, FieldType, Measure } from './dataset';
import type { Parameters } from './parameters';

/** Returns the SQL expression for a field. */
type SqlOf = (field: Dimension | Measure) => string;

type Comparable = 'text' | 'uuid' | 'boolean' | 'float8' | 'date';
const comparables: Record<FieldType, Comparable> = {
  text: 'text',
  id: 'uuid',
  boolean: 'boolean',
  integer: 'float8',
  number: 'float8',
  percent: 'float8',
  duration: 'float8',
  date: 'date',
};

/** A comparison: the SQL expression of a field, the values to compare the field with, and the SQL type of both. */
type Comparison = { sql: string; type: Comparable; values: readonly Value[]; bind: Parameters['bind'] };

export function compileCondition(condition: Condition, sqlOf: SqlOf, parameters: Parameters): string {
  if (condition.kind !== 'field') {
    const parts = condition.of.map((one) => compileCondition(one, sqlOf, parameters));
    return `(${parts.join(condition.kind === 'any' ? ' or ' : ' and ')})`;
  }
  const { field, op, values } = condition;
  const type = comparables[field.type];
  const sql = `(${sqlOf(field)})`;
  return comparisons[op]({
    // Dates are compared as local dates.
    sql: type === 'date' ? `(${sql} at time zone ${parameters.zone()})::date` : `${sql}::${type}`,
    type,
    values,
    bind: parameters.bind,
  });
}

const first = ({ values, type, bind }: Comparison) => bind(values[0], type);
const all = ({ values, type, bind }: Comparison) => bind(values, `${type}[]`);
const pattern = ({ values, bind }: Comparison, before: string) =>
  bind(`${before}${escapePattern(String(values[0]))}%`, 'text');
const escapePattern = (text: string): string => text.replaceAll(/[%_\\]/g, String.raw`\$&`);

/** `ne`, `not_in` and `not_contains` also match rows whose field is null. */
const comparisons: Record<Operator, (one: Comparison) => string> = {
  eq: (one) => `${one.sql} = ${first(one)}`,
  ne: (one) => `${one.sql} is distinct from ${first(one)}`,
  in: (one) => `${one.sql} = any (${all(one)})`,
  not_in: (one) => `(${one.sql} = any (${all(one)})) is not true`,
  contains: (one) => `${one.sql} ilike ${pattern(one, '%')}`,
  not_contains: (one) => `(${one.sql} ilike ${pattern(one, '%')}) is not true`,
  starts_with: (one) => `${one.sql} ilike ${pattern(one, '')}`,
  gt: (one) => `${one.sql} > ${first(one)}`,
  gte: (one) => `${one.sql} >= ${first(one)}`,
  lt: (one) => `${one.sql} < ${first(one)}`,
  lte: (one) => `${one.sql} <= ${first(one)}`,
  between: (one) => `${one.sql} between ${first(one)} and ${one.bind(one.values[1], one.type)}`,
  is_null: ({ sql }) => `${sql} is null`,
  not_null: ({ sql }) => `${sql} is not null`,
};
