import { z } from 'zod';
import { boundedText } from './bounded-text';

/** The length limit of a time. A time with nanoseconds and a UTC offset has 35 characters. */
const maxCharacters = 40;
/** Matches UTC offsets that clocks have used and that Postgres accepts. */
const offset = /(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;
const isoDateTime = z.iso.datetime({ offset: true });

/** Returns the instant of a text like `2026-01-15T10:30:00+01:00` in milliseconds, or NaN for anything else. */
export function instantOf(text: string): number {
  if (text.length > maxCharacters || !offset.test(text)) return Number.NaN;
  // ISO 8601 allows times without seconds, but zod requires seconds, so they are added.
  if (!isoDateTime.safeParse(text.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00')).success) return Number.NaN;
  const instant = Date.parse(text);
  // After the conversion to UTC, the year can be outside of 0001 to 9999, the years that ISO 8601 writes with four
  // digits.
  return instant >= firstInstant && instant < Date.UTC(10_000, 0) ? instant : Number.NaN;
}
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

const example = 'such as 2026-01-15T09:30:00Z';
const problemOf = (text: string): string =>
  /T\d\d:\d\d/.test(text) && !offset.test(text)
    ? `must end with Z or a UTC offset between -15:59 and +15:59, ${example}`
    : `must be a date and time, ${example}`;

/** A date and time with its UTC offset, as a caller sends it. It is converted to UTC with milliseconds. */
export const dateTime = boundedText(maxCharacters)
  .refine((text) => !Number.isNaN(instantOf(text)), {
    error: ({ input }) => problemOf(String(input)),
    params: { code: 'invalid_format' },
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())
  .meta({ format: 'date-time' });
