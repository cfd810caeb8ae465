import { instantOf } from './date-time';

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/** Returns true if the value is a date like `2026-03-31`, without a time. */
export const isDate = (value: string): boolean => isoDate.test(value);

/**
 * Returns the end of the day (UTC) for a date, or the exact time for a date-time, in milliseconds. Returns NaN for
 * anything else.
 */
export function availableUntilMs(value: string): number {
  if (isDate(value)) {
    const start = Date.parse(`${value}T00:00:00Z`);
    // Date.parse converts 31 February to a day in March, so the result is compared with the value.
    return new Date(start || 0).toISOString().startsWith(value) ? start + 86_400_000 - 1 : Number.NaN;
  }
  return instantOf(value);
}

/** Returns the time at which a stored `interview_available_till` ends. Null means that there is no end. */
export const availableUntil = (value: string | null): Date | null =>
  value === null ? null : new Date(availableUntilMs(value));
