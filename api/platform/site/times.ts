import { instantOf } from '../text/date-time';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Formats a time span in its largest unit, such as `in 4 min` or `3 h ago`. */
export function formatRelativeTime(ms: number): string {
  const size = Math.abs(ms);
  const [name, unit] = units.find(([, least]) => size >= least) ?? ['', 0];
  if (unit === 0) return ms > 0 ? 'in less than a minute' : 'just now';
  const count = Math.round(size / unit);
  return ms > 0 ? `in ${count} ${name}` : `${count} ${name} ago`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats an instant in a time zone, such as `Nov 22, 2026, 07:27:25`. */
export function writeTime(at: string, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'medium',
      hourCycle: 'h23',
      timeZone,
    });
  formats.set(timeZone, format);
  return format.format(new Date(at));
}

/** Formats an API timestamp in UTC, such as `2026-11-22 06:27:25 UTC`. */
export const writeUtc = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

/** Between these two instants, the local time has a year of four digits in every time zone. */
const earliest = Date.parse('1000-01-02');
const latest = Date.parse('9999-12-30');

/**
 * Returns how far a time zone is ahead of UTC at an instant, in milliseconds. Returns 0 for years without four digits.
 */
function offsetAt(ms: number, timeZone: string): number {
  if (ms < earliest || ms > latest) return 0;
  const local = new Date(ms).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
  return Date.parse(`${local}Z`) - Math.floor(ms / 1000) * 1000;
}

/**
 * Converts the value of a time field in this time zone to an instant in the API's format. Returns other texts
 * unchanged, and a day that does not exist as an instant that the API rejects.
 */
export function toInstant(text: string, timeZone: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)) return text;
  const local = instantOf(`${text}Z`);
  if (Number.isNaN(local)) return `${text}Z`;
  // The offset is looked up a second time, because the first result may be wrong near a change of the clocks.
  const near = local - offsetAt(local, timeZone);
  return new Date(local - offsetAt(near, timeZone)).toISOString();
}

/** Returns the value of a time field for an instant or for an entered time, or '' if the text is neither. */
export function toTimeInput(text: string, timeZone: string): string {
  const ms = instantOf(toInstant(text, timeZone));
  if (Number.isNaN(ms)) return '';
  const shown = new Date(ms + offsetAt(ms, timeZone)).toISOString();
  // A year with more than four digits would have a sign, which a time field does not accept.
  return /^\d{4}-/.test(shown) ? shown.slice(0, 19) : '';
}
