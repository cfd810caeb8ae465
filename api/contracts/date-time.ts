import { z } from 'zod';
import { boundedText } from './bounded-text';

/** The longest that ISO 8601 needs, with room for more digits of a second. */
const maxCharacters = 40;
/** Offsets from UTC that clocks have had, and that Postgres takes. */
const offset = /(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;
const isoDateTime = z.iso.datetime({ offset: true });

/** The instant that a text like `2026-01-15T10:30:00+01:00` means, in milliseconds; NaN for anything else. */
export function instantOf(text: string): number {
  if (text.length > maxCharacters || !offset.test(text) || !isoDateTime.safeParse(text).success)
    return Number.NaN;
  const instant = Date.parse(text);
  // In UTC it may leave the years that ISO 8601 writes with four digits.
  return instant >= firstInstant && instant < Date.UTC(10_000, 0) ? instant : Number.NaN;
}
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

/** A date and time with its offset from UTC, as a caller sends it; kept in UTC with milliseconds. */
export const dateTime = boundedText(maxCharacters)
  .refine((text) => !Number.isNaN(instantOf(text)), {
    error: 'must be a date and time, as 2026-01-15T09:30:00Z',
    params: { code: 'invalid_format' },
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())
  .meta({ format: 'date-time' });
