/** The fields that were sent: what was left out is not there, and so covers nothing when spread. */
export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
