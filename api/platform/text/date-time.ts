import { z } from 'zod';
import { boundedText } from './bounded-text';

/** The longest that ISO 8601 needs, with room for more digits of a second. */
const maxCharacters = 40;
/** Offsets from UTC that clocks have had, and that Postgres takes. */
const offset = /(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;
const isoDateTime = z.iso.datetime({ offset: true });

/** The instant that a text like `2026-01-15T10:30:00+01:00` means, in milliseconds; NaN for anything else. */
export function instantOf(text: string): number {
  if (text.length > maxCharacters || !offset.test(text)) return Number.NaN;
  // ISO 8601 has times without seconds, zod has none.
  if (!isoDateTime.safeParse(text.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00')).success) return Number.NaN;
  const instant = Date.parse(text);
  // In UTC it may leave the years that ISO 8601 writes with four digits.
  return instant >= firstInstant && instant < Date.UTC(10_000, 0) ? instant : Number.NaN;
}
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

const example = 'as 2026-01-15T09:30:00Z';
const problemOf = (text: string): string =>
  /T\d\d:\d\d/.test(text) && !offset.test(text)
    ? `must end with Z or an offset from UTC between -15:59 and +15:59, ${example}`
    : `must be a date and time, ${example}`;

/** A date and time with its offset from UTC, as a caller sends it; kept in UTC with milliseconds. */
export const dateTime = boundedText(maxCharacters)
  .refine((text) => !Number.isNaN(instantOf(text)), {
    error: ({ input }) => problemOf(String(input)),
    params: { code: 'invalid_format' },
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())
  .meta({ format: 'date-time' });
