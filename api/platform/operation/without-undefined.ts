/** Returns only the fields that were sent, so that omitted ones override nothing when they are spread. */
export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
