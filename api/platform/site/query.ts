import { toInstant } from './times';
import type { ConsoleVisit } from './visitor';

/** Returns the query parameters with these names that are not empty. */
export const givenParameters = (
  query: Record<string, string>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));

/** Returns `text` if it is one of `values`, otherwise undefined. */
export const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** Returns the offset of a list from the query, or 0 if it is not an integer with at most seven digits. */
export const offsetOf = (query: Record<string, string>, name = 'offset'): number =>
  /^\d{1,7}$/.test(query[name] ?? '') ? Number(query[name]) : 0;

/**
 * Converts the times `since` and `until` of a filter, which are entered in the merchant's time zone, to the API's format.
 */
export const toInstants = ({ merchant }: ConsoleVisit, { since, until }: Record<string, string>) => ({
  ...(since && { since: toInstant(since, merchant.time_zone) }),
  ...(until && { until: toInstant(until, merchant.time_zone) }),
});
