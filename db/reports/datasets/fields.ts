import type { Aggregate, Dimension, FieldType, ValueFormat, Measure } from '../dataset';

/** A dimension or a measure without its id. */
type Described<Field> = Omit<Field, 'id' | 'kind' | 'format'> & { format?: ValueFormat };

const formats: Record<FieldType, ValueFormat> = {
  text: 'text',
  id: 'text',
  boolean: 'text',
  integer: 'integer',
  number: 'decimal1',
  percent: 'percent',
  duration: 'duration',
  date: 'date',
};

/** Returns the dimensions by id, in the order in which the catalog lists them. */
export const dimensionsOf = (
  fields: Readonly<Record<string, Described<Dimension>>>,
): ReadonlyMap<string, Dimension> =>
  new Map(
    Object.entries(fields).map(([id, field]) => [
      id,
      { id, kind: 'dimension', format: formats[field.type], ...field },
    ]),
  );

/** Returns the measures by id, in the order in which the catalog lists them. */
export const measuresOf = (
  fields: Readonly<Record<string, Described<Measure>>>,
): ReadonlyMap<string, Measure> =>
  new Map(
    Object.entries(fields).map(([id, field]) => [
      id,
      { id, kind: 'measure', format: formats[field.type], ...field },
    ]),
  );

/** Returns a measure that counts rows. */
export const countOf = (label: string, description: string, when?: string): Described<Measure> => ({
  label,
  description,
  type: 'integer',
  aggregate: when === undefined ? { kind: 'count' } : { kind: 'count', when },
});

/** Returns a measure that divides two aggregates. */
export const rateOf = (
  label: string,
  description: string,
  of: Aggregate,
  by: Aggregate,
): Described<Measure> => ({
  label,
  description,
  type: 'percent',
  aggregate: { kind: 'ratio', of, by },
});
