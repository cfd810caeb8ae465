import {
  anything,
  array,
  constant,
  constantFrom,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  tuple,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { arityOf, operatorsOf } from '../../../api/reports/language/operators';
import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';

/* Generates random definitions that are nearly valid: most values fit their position, and some are hostile. */

/** A text that only callers send. No SQL may contain it. */
export const marker = 'zq';
const markedText = `${marker}'"%_\\; --`;

const hostile = [
  '__proto__', 'constructor', 'toString', '', ' ', '%', "'; drop table x; --", '\0', '\uD800', '*', 'é'.repeat(300), null, 0,
  -1, 1e308, 0.1, true, [], {}, [[[[[]]]]],
]; // prettier-ignore

/** Generates the plausible value in most cases, and in a few cases a value of another kind. */
const or = (plausible: Arbitrary<unknown>): Arbitrary<unknown> =>
  oneof(
    { arbitrary: plausible, weight: 60 },
    { arbitrary: constantFrom<unknown>(...hostile), weight: 1 },
    { arbitrary: jsonValue({ maxDepth: 3 }), weight: 1 },
  );
const of = (...values: unknown[]) => or(constantFrom(...values));
const few = (item: Arbitrary<unknown>, maxLength: number, minLength = 0) =>
  or(array(item, { minLength, maxLength }));
const maybe = (value: Arbitrary<unknown>, freq = 2) => option(value, { nil: undefined, freq });
/** Generates an object without the keys that are undefined, and sometimes with an unknown key. */
const object = (keys: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> =>
  record({ ...keys, extra: option(constantFrom(1), { nil: undefined, freq: 60 }) }).map((value) =>
    Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)),
  );

const dates = ['2026-01-01', '2026-02-28', '2024-02-29', '2100-12-31'];
const uuids = ['01a1fcf7-b13e-74de-bd85-c2fc187618e9', '01A1FCF7-B13E-74DE-BD85-C2FC187618E8'];

function valueOf(field: Dimension | Measure): Arbitrary<unknown> {
  if ('values' in field && field.values) return of(...field.values);
  if (field.type === 'text') return of(markedText, `${marker} IT`);
  if (field.type === 'id') return of(...uuids);
  if (field.type === 'boolean') return of(true, false);
  return field.type === 'date' ? of(...dates) : or(integer({ min: -5, max: 5 }));
}

/** Generates a condition on one of these fields, with an operator and values that fit the field. */
const comparisonOf = (fields: readonly (Dimension | Measure)[]): Arbitrary<unknown> =>
  constantFrom(...fields).chain((field) =>
    constantFrom(...operatorsOf(field)).chain((op) => {
      const one = valueOf(field);
      const values = { none: constant(undefined), one, two: tuple(one, one), many: few(one, 3, 1) };
      return object({ field: of(field.id), op: of(op), value: values[arityOf(op)] });
    }),
  );
const conditionsOf = (fields: readonly (Dimension | Measure)[]): Arbitrary<unknown> => {
  const comparison = comparisonOf(fields);
  const any = object({ any: few(comparison, 2, 1) });
  return few(oneof(comparison, any, object({ all: few(oneof(comparison, any), 2, 1) })), 2);
};

const period = oneof(
  object({ preset: of('today', 'last_30_days', 'last_12_months', 'this_quarter', 'all_time', 'last_yaer') }),
  object({ preset: of('custom'), from: of(...dates), to: of(...dates) }),
);

const filtersOf = (dimensions: readonly Dimension[]): Arbitrary<unknown> =>
  object({
    period: maybe(period),
    position_ids: maybe(few(of(...uuids), 2)),
    include_test: maybe(of(true, false)),
    timezone: maybe(of('Europe/Amsterdam', 'Asia/Kolkata', 'Europe/Amsterdm')),
    where: maybe(conditionsOf(dimensions)),
  });

function blockOf(dataset: Dataset): Arbitrary<unknown> {
  const dimensions = [...dataset.dimensions.values()];
  const measures = [...dataset.measures.values()];
  const dimension = constantFrom(...dimensions).chain(({ id, type }) =>
    type === 'date' ? object({ field: of(id), grain: of('day', 'week', 'month', 'year', 'hour') }) : of(id),
  );
  const measureId = of(...measures.map(({ id }) => id));
  const as = of(`${marker}_a`, `${marker}_b`, `${marker}_c`, 'completed', 'x_of_first');
  const measure = oneof(
    { arbitrary: measureId, weight: 3 },
    { arbitrary: object({ measure: measureId, where: conditionsOf(dimensions), as }), weight: 1 },
    { arbitrary: object({ ratio: few(measureId, 2, 2), as }), weight: 1 },
  );
  const sort = object({
    field: of(...[...dimensions, ...measures].map(({ id }) => id)),
    dir: of('asc', 'desc'),
  });
  return object({
    id: of(`${marker}-1`, `${marker}-2`, `${marker}-3`, `${marker}-4`),
    type: of('kpi', 'line', 'bar', 'pie', 'funnel', 'table', 'table', 'text'),
    title: maybe(of(markedText)),
    dataset: of(dataset.id),
    dimensions: maybe(few(dimension, 3), 4),
    measures: few(measure, 3, 1),
    where: maybe(conditionsOf([...dimensions, ...measures])),
    compare: maybe(of('previous_period', 'previous_year')),
    sort: maybe(few(sort, 2), 1),
    limit: maybe(or(integer({ min: -1, max: 600 }))),
    width: maybe(or(integer({ min: 0, max: 14 }))),
    period: maybe(period, 1),
    totals: maybe(of(true), 1),
    others: maybe(of(true), 1),
    goal: maybe(of(5), 1),
  });
}

/** Generates definitions and filters over these datasets. */
export function definitionsOver(datasets: ReadonlyMap<string, Dataset>) {
  const all = [...datasets.values()];
  const filters = filtersOf(all.flatMap(({ dimensions }) => [...dimensions.values()]));
  const definition = or(
    object({
      schema: of('platform.report/v1'),
      title: of('Hiring', marker),
      filters: maybe(filters),
      blocks: few(oneof(...all.map(blockOf)), 3, 1),
    }),
  );
  return { definition, filters: maybe(filters) };
}

export const anyInput: Arbitrary<unknown> = oneof(anything(), jsonValue());
