import { instantOf } from './date-time';

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/** Whether it is a date like `2026-03-31`, without a time. */
export const isDate = (value: string): boolean => isoDate.test(value);

/** End of the day (UTC) for a date, the moment itself for a date-time; NaN for anything else. */
export function availableUntilMs(value: string): number {
  if (isDate(value)) {
    const start = Date.parse(`${value}T00:00:00Z`);
    // Date.parse rolls 31 February over to March.
    return new Date(start || 0).toISOString().startsWith(value) ? start + 86_400_000 - 1 : Number.NaN;
  }
  return instantOf(value);
}

/** The end that a stored `interview_available_till` means; null: none. */
export const availableUntil = (value: string | null): Date | null =>
  value === null ? null : new Date(availableUntilMs(value));
