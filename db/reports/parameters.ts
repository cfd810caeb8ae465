/** The types of values in SQL. */
type SqlType = 'text' | 'uuid' | 'boolean' | 'float8' | 'date' | 'timestamptz' | 'int';

/** The values of a statement. The SQL refers to each value by number, so no value becomes part of the SQL text. */
export type Parameters = {
  readonly values: readonly unknown[];
  /** Adds a value and returns its placeholder with a cast, such as `$1::int`. */
  bind: (value: unknown, type: SqlType | `${SqlType}[]`) => string;
  /** Returns the placeholder of the report's time zone. */
  zone: () => string;
};

export function openParameters(timezone: string): Parameters {
  const values: unknown[] = [];
  const bind: Parameters['bind'] = (value, type) => `$${values.push(value)}::${type}`;
  let zone: string | undefined;
  return { values, bind, zone: () => (zone ??= bind(timezone, 'text')) };
}

/** Replaces `{zone}` in an expression of a dataset with the placeholder of the time zone. */
export const bindZone = (sql: string, parameters: Parameters): string =>
  sql.includes('{zone}') ? sql.replaceAll('{zone}', () => parameters.zone()) : sql;
