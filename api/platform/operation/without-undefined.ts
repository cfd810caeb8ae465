/**
 * Returns only the fields that are not undefined, so that spreading the result overrides no other field with
 * undefined.
 */
export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
