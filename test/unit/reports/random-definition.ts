import { anything, array, constantFrom, integer, jsonValue, oneof, option, record, string } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { datasets } from './datasets.fixture';

/* Random definitions that are nearly valid: every value is chosen from plausible ones, and some from hostile ones. */

const fields = [...datasets.values()].flatMap(({ dimensions, measures }) => [
  ...dimensions.keys(),
  ...measures.keys(),
]);
const hostile = [
  '__proto__', 'constructor', 'toString', '', ' ', '%', "'; drop table x; --", '\0', '\uD800', '*', 'é'.repeat(300), null, 0,
  -1, 1e308, 0.1, true, [], {}, [[[[[]]]]],
]; // prettier-ignore

/** Mostly a plausible value, at times one of another kind. */
const or = (...plausible: Arbitrary<unknown>[]): Arbitrary<unknown> =>
  oneof(
    ...plausible.map((arbitrary) => ({ arbitrary, weight: 12 })),
    { arbitrary: constantFrom<unknown>(...hostile), weight: 1 },
    { arbitrary: jsonValue({ maxDepth: 3 }), weight: 1 },
  );
const of = (...values: unknown[]) => or(constantFrom(...values));
const few = (item: Arbitrary<unknown>, maxLength: number) => or(array(item, { maxLength }));
const maybe = (value: Arbitrary<unknown>) => option(value, { nil: undefined, freq: 2 });
/** An object without the keys that are undefined, at times with an unknown key. */
const object = (keys: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> =>
  record({ ...keys, extra: option(constantFrom(1), { nil: undefined, freq: 15 }) }).map((value) =>
    Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)),
  );

const field = of(...fields);
const dates = of('2026-01-01', '2026-02-28', '2024-02-29', '2026-02-30', '2200-01-01');
const value = or(of('advance', 'IT', 1, 2.5, true), dates, few(of('advance', 'reject', 1, 2), 3), string());
const comparison = object({
  field,
  op: of('eq', 'ne', 'in', 'not_in', 'gt', 'between', 'contains', 'is_null', 'like'),
  value: maybe(value),
});
const conditions = few(
  or(comparison, object({ any: few(comparison, 3) }), object({ all: few(or(comparison, object({ any: few(comparison, 2) })), 3) })),
  4,
); // prettier-ignore
const period = object({
  preset: of('today', 'last_30_days', 'last_12_months', 'all_time', 'custom', 'last_yaer'),
  from: maybe(dates),
  to: maybe(dates),
});
const filters = object({
  period: maybe(period),
  position_ids: maybe(few(of('01a1fcf7-b13e-74de-bd85-c2fc187618e9', 'x'), 2)),
  include_test: maybe(of(true, false)),
  timezone: maybe(of('Europe/Amsterdam', 'Asia/Kolkata', 'Europe/Amsterdm')),
  where: maybe(conditions),
});
const dimension = or(
  field,
  object({ field, grain: maybe(of('hour', 'day', 'week', 'month', 'year', 'decade')) }),
);
const name = of('a', 'b_c', 'completed', 'A b', 'x_of_first');
const measure = or(
  field,
  object({ measure: field, where: conditions, as: name }),
  object({ ratio: few(field, 2), as: name }),
);
const block = object({
  id: of('a', 'b', 'c', 'd', 'A'),
  type: of('kpi', 'line', 'bar', 'pie', 'funnel', 'table', 'text'),
  dataset: of(...datasets.keys()),
  dimensions: maybe(few(dimension, 3)),
  measures: maybe(few(measure, 4)),
  where: maybe(conditions),
  compare: option(of('previous_period', 'previous_year'), { nil: undefined, freq: 1 }),
  sort: maybe(few(object({ field, dir: of('asc', 'desc') }), 2)),
  limit: maybe(or(integer({ min: -1, max: 600 }))),
  width: maybe(or(integer({ min: 0, max: 14 }))),
  period: maybe(period),
  content_md: option(of('Text'), { nil: undefined, freq: 1 }),
  totals: maybe(of(true)),
  others: maybe(of(true)),
  goal: maybe(of(5)),
});

export const anyFilters: Arbitrary<unknown> = maybe(or(filters));
export const anyDefinition: Arbitrary<unknown> = or(
  object({
    schema: of('platform.report/v1'),
    title: of('Hiring'),
    filters: maybe(filters),
    blocks: few(block, 4),
  }),
);
export const anyInput: Arbitrary<unknown> = oneof(anything(), jsonValue());
