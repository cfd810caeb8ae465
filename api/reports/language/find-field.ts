import type { BlockType } from '../../../db/reports/checked-report';
import type { Dataset, Dimension, Grain, Measure } from '../../../db/reports/dataset';
import { quoteValue, suggest } from './issue';
import type { LocatedValue } from './issue';

/** The dataset and the block properties with which the fields of a block are found and checked. */
export type FieldScope = {
  dataset: Dataset;
  type: BlockType;
  /** The grain that is suggested for a date. */
  grain: Grain;
  /**
   * The place of the block's type. If a field is allowed in tables only, the issue suggests the type `table` at this
   * place.
   */
  typePlace?: LocatedValue;
};

const usable = <F extends Dimension | Measure>(fields: ReadonlyMap<string, F>, scope: FieldScope): F[] =>
  [...fields.values()].filter((field) => scope.type === 'table' || !field.tableOnly);

export const usableDimensions = (scope: FieldScope): Dimension[] => usable(scope.dataset.dimensions, scope);
export const usableMeasures = (scope: FieldScope): Measure[] => usable(scope.dataset.measures, scope);

/** Returns a dimension as an item of `dimensions`. */
export const toDimensionItem = (field: Dimension, scope: FieldScope): unknown =>
  field.type === 'date' ? { field: field.id, grain: scope.grain } : field.id;

type Wanted = {
  /** The valid fields, as the JSON that a definition has at this place. */
  valid: readonly unknown[];
  /** The ids of the fields of `valid`, in the same order. */
  ids: readonly string[];
  /** The noun for what belongs at this place, for error messages. The default is the kind of the field. */
  name?: string;
};

/** Finds a dimension by its id. If the id is not valid, records an issue with `valid` as the values to choose from. */
export function findDimension(
  place: LocatedValue,
  scope: FieldScope,
  { valid, ids }: Wanted,
): Dimension | undefined {
  const found = typeof place.value === 'string' ? scope.dataset.dimensions.get(place.value) : undefined;
  if (found) return allowed(place, scope, found, valid);
  const wrongKind = typeof place.value === 'string' && scope.dataset.measures.has(place.value);
  return fail(place, scope, 'dimension', wrongKind, { valid, ids });
}

/** Finds a measure by its id. If the id is not valid, records an issue. */
export function findMeasure(place: LocatedValue, scope: FieldScope): Measure | undefined {
  const ids = usableMeasures(scope).map(({ id }) => id);
  const found = typeof place.value === 'string' ? scope.dataset.measures.get(place.value) : undefined;
  if (found) return allowed(place, scope, found, ids);
  const wrongKind = typeof place.value === 'string' && scope.dataset.dimensions.has(place.value);
  return fail(place, scope, 'measure', wrongKind, { valid: ids, ids });
}

/** Finds the field of a condition. Measures are found only if `withMeasures` is true. */
export function findConditionField(
  place: LocatedValue,
  scope: FieldScope,
  withMeasures: boolean,
): Dimension | Measure | undefined {
  const dimensions = usableDimensions(scope).map(({ id }) => id);
  const ids = withMeasures ? [...dimensions, ...usableMeasures(scope).map(({ id }) => id)] : dimensions;
  const { value } = place;
  const measure = typeof value === 'string' ? scope.dataset.measures.get(value) : undefined;
  const found = typeof value === 'string' ? scope.dataset.dimensions.get(value) : undefined;
  const field = found ?? (withMeasures ? measure : undefined);
  if (field) return allowed(place, scope, field, ids);
  const name = withMeasures ? 'dimension or measure' : 'dimension';
  return fail(place, scope, 'dimension', measure !== undefined, { valid: ids, ids, name });
}

function allowed<F extends Dimension | Measure>(
  place: LocatedValue,
  { type, typePlace }: FieldScope,
  field: F,
  valid: readonly unknown[],
): F | undefined {
  if (!field.tableOnly || type === 'table') return field;
  const what = `"${field.id}" is available in blocks of type table only`;
  if (typePlace) return typePlace.fail('table_only_field', { what, suggestion: 'table', valid: ['table'] });
  return place.fail('table_only_field', { what, valid });
}

function fail(
  place: LocatedValue,
  { dataset }: FieldScope,
  kind: 'dimension' | 'measure',
  isWrongKind: boolean,
  { valid, ids, name = kind }: Wanted,
): undefined {
  const { value } = place;
  if (typeof value !== 'string') {
    const what = value === undefined ? 'is required' : `must be the id of a ${name}`;
    return place.fail('bad_value', { what, valid });
  }
  if (isWrongKind) {
    const other = kind === 'dimension' ? 'measure' : 'dimension';
    return place.fail('wrong_kind', { what: `"${value}" is a ${other}, not a ${kind}`, valid });
  }
  const near = suggest(value, ids);
  return place.fail(kind === 'dimension' ? 'unknown_dimension' : 'unknown_measure', {
    what: `unknown ${name} ${quoteValue(value)} in dataset "${dataset.id}"`,
    suggestion: near === undefined ? undefined : valid[ids.indexOf(near)],
    valid,
    listed: ids,
  });
}
