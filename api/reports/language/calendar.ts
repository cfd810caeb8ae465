/*
 * These functions compute with local dates as days since 1970-01-01, and convert them to instants in a time zone.
 * Dates lie between the years 1000 and 9999.
 */

export type Day = number;
export type Unit = 'week' | 'month' | 'quarter' | 'year';

const dayMs = 86_400_000;

/** Returns the day of a text like `2026-01-31`, undefined for anything else. */
export function parseDay(text: string): Day | undefined {
  if (text.length !== 10 || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March, so the day is valid only if it gives the same text again.
  return Number.isNaN(ms) || writeDay(ms / dayMs) !== text ? undefined : ms / dayMs;
}

export const writeDay = (day: Day): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Returns the first day of a month. `month` counts from 0 and may lie outside of 0 to 11. */
const firstOf = (year: number, month: number): Day => Date.UTC(year, month, 1) / dayMs;
const yearOf = (day: Day) => new Date(day * dayMs).getUTCFullYear();
const monthOf = (day: Day) => new Date(day * dayMs).getUTCMonth();

const modulo = (value: number, by: number) => ((value % by) + by) % by;

const monthsOf: Record<Exclude<Unit, 'week'>, number> = { month: 1, quarter: 3, year: 12 };

/** Returns the first day of the unit that contains a day. Weeks begin on Monday. */
export function startOf(unit: Unit, day: Day): Day {
  // Day 0, 1970-01-01, was a Thursday: three days after a Monday.
  if (unit === 'week') return day - modulo(day + 3, 7);
  const month = monthOf(day);
  return firstOf(yearOf(day), month - (month % monthsOf[unit]));
}

/** Returns the first day of the unit that lies `count` units after the unit that begins on `start`. */
export const shiftUnits = (unit: Unit, start: Day, count: number): Day =>
  unit === 'week' ? start + 7 * count : firstOf(yearOf(start), monthOf(start) + monthsOf[unit] * count);

/** Returns how many units contain at least one of the days from `first` to `last`. */
export function countUnits(unit: Unit, first: Day, last: Day): number {
  if (unit === 'week') return (startOf('week', last) - startOf('week', first)) / 7 + 1;
  const months = (yearOf(last) - yearOf(first)) * 12 + monthOf(last) - monthOf(first);
  const skipped = monthOf(first) % monthsOf[unit];
  return Math.floor((months + skipped) / monthsOf[unit]) + 1;
}

/** Returns the same date a year earlier. 29 February becomes 28 February. */
export function yearBefore(day: Day): Day {
  const date = new Date(day * dayMs);
  const isLeapDay = date.getUTCMonth() === 1 && date.getUTCDate() === 29;
  return Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), isLeapDay ? 28 : date.getUTCDate()) / dayMs;
}

const maxFormats = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  // The cache is bounded, because names are not case-sensitive and callers can send more spellings than there are
  // time zones.
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, format);
  return format;
}

/** Matches names of time zones. Intl also accepts offsets such as +02:00, which are not names. */
const zoneName = /^[A-Za-z][\w+/-]*$/;

export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !zoneName.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the local date and time of a zone at an instant, as milliseconds of the same date and time in UTC. */
function clockAt(ms: number, zone: string): number {
  // The text looks like `11/23/2026, 01:56:17`.
  const text = formatOf(zone).format(ms);
  const part = (from: number, to: number) => Number(text.slice(from, to));
  const seconds = Date.UTC(part(6, 10), part(0, 2) - 1, part(3, 5), part(12, 14), part(15, 17), part(18, 20));
  return seconds + modulo(ms, 1_000);
}

const maxStarts = 20_000;
/** Caches the starts of days, because computing a start with Intl takes 50 times as long as finding it here. */
const starts = new Map<string, number>();

/**
 * Returns the first instant of a local day in milliseconds, which is later than midnight if the clocks skip midnight.
 */
export function startOfDay(day: Day, zone: string): number {
  const key = `${day} ${zone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = findStart(day * dayMs, zone);
  if (starts.size >= maxStarts) starts.clear();
  starts.set(key, start);
  return start;
}

/** Returns the local day of an instant. */
export function dayAt(instant: Date, zone: string): Day {
  const ms = instant.getTime();
  let day = Math.floor(ms / dayMs) + 1;
  while (startOfDay(day, zone) > ms) day -= 1;
  return day;
}

function findStart(midnight: number, zone: string): number {
  const found = [midnight - dayMs, midnight + dayMs]
    .map((near) => midnight - (clockAt(near, zone) - near))
    .filter((instant) => clockAt(instant, zone) === midnight);
  return found.length > 0 ? Math.min(...found) : firstAfter(midnight, zone);
}

/** Returns the first instant, in whole seconds, at which the local time of the zone is `clock` or later. */
function firstAfter(clock: number, zone: string): number {
  let before = clock - 2 * dayMs;
  let after = clock + 2 * dayMs;
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000;
    if (clockAt(middle, zone) >= clock) after = middle;
    else before = middle;
  }
  return after;
}
