/** The types of values in SQL. */
type SqlType = 'text' | 'uuid' | 'boolean' | 'float8' | 'date' | 'timestamptz' | 'int';

/** The values of a statement. SQL refers to them by number, so that no value becomes part of its text. */
export type Parameters = {
  readonly values: readonly unknown[];
  /** Adds a value and returns its place with a cast. */
  bind: (value: unknown, type: SqlType | `${SqlType}[]`) => string;
  /** Returns the place of the report's time zone. */
  zone: () => string;
};

export function openParameters(timezone: string): Parameters {
  const values: unknown[] = [];
  const bind: Parameters['bind'] = (value, type) => `$${values.push(value)}::${type}`;
  let zone: string | undefined;
  return { values, bind, zone: () => (zone ??= bind(timezone, 'text')) };
}

/** Puts the place of the time zone into an expression of a dataset. */
export const withZone = (sql: string, parameters: Parameters): string =>
  sql.includes('{zone}') ? sql.replaceAll('{zone}', () => parameters.zone()) : sql;
