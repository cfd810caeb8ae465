import type { Grain } from '../../../db/reports/dataset';

/* Computes local times and buckets with Intl, independently of Postgres. */

const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}

/** Returns the local time of an instant in milliseconds since 1970, computed as if the local time were UTC. */
export function localMs(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

const isoDay = (local: number): string => new Date(local).toISOString().slice(0, 10);
export const localDate = (instant: number, zone: string): string => isoDay(localMs(instant, zone));

const dayMs = 86_400_000;
/** Returns the first day of the week, month, quarter or year in which a local time lies. */
function truncated(local: number, grain: Exclude<Grain, 'hour'>): number {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = Date.UTC(year, month, date.getUTCDate());
  if (grain === 'day') return day;
  if (grain === 'week') return day - ((date.getUTCDay() + 6) % 7) * dayMs;
  if (grain === 'month') return Date.UTC(year, month, 1);
  return Date.UTC(year, grain === 'quarter' ? month - (month % 3) : 0, 1);
}

function nextOf(first: number, grain: Exclude<Grain, 'hour'>): number {
  const date = new Date(first);
  const months = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }[grain];
  if (months === 0) return first + (grain === 'day' ? 1 : 7) * dayMs;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Returns the local time of an instant as text, with its offset from UTC. */
export function instantLabel(instant: number, zone: string, length = 19): string {
  const local = localMs(instant, zone);
  const minutes = Math.round((local - instant) / 60_000);
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const offset = `${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${new Date(local).toISOString().slice(0, length)}${minutes < 0 ? '-' : '+'}${offset}`;
}

/**
 * A bucket. `at` is its beginning in milliseconds, by which buckets are sorted. `label` is the text that reports
 * show.
 */
export type Bucket = { at: number; label: string };

export function bucketOf(instant: number, grain: Grain, zone: string): Bucket {
  const local = localMs(instant, zone);
  if (grain === 'hour') {
    // The bucket begins at the full hour of local time. It has the UTC offset that applies at the instant.
    const label = `${instantLabel(instant, zone).slice(0, 14)}00:00${instantLabel(instant, zone).slice(19)}`;
    return { at: Date.parse(label), label: instantLabel(Date.parse(label), zone) };
  }
  const first = truncated(local, grain);
  return { at: first, label: isoDay(first) };
}

/** Returns all buckets of a range. `to` is exclusive. */
export const listBuckets = (from: number, to: number, grain: Grain, zone: string): Bucket[] =>
  listBucketsSince(grain === 'hour' ? from : bucketOf(from, grain, zone).at, to, grain, zone);

/** Returns all buckets from the one that begins at `first` until `to`, which is exclusive. */
export function listBucketsSince(first: number, to: number, grain: Grain, zone: string): Bucket[] {
  const found = new Map<number, Bucket>();
  const add = (bucket: Bucket) => found.set(bucket.at, bucket);
  if (grain === 'hour') for (let at = first; at < to; at += 15 * 60_000) add(bucketOf(at, grain, zone));
  else {
    const last = bucketOf(to - 1, grain, zone);
    for (let at = first; at <= last.at; at = nextOf(at, grain)) add({ at, label: isoDay(at) });
  }
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}
