import type { Random } from './random';

export const dayMs = 86_400_000;
export const historyYears = 2;

/**
 * The relative activity of the months of a year: most hiring is in spring and autumn, and shops hire for the end of the
 * year.
 */
const seasons = {
  hiring: [1.3, 1.2, 1.15, 1.05, 1, 0.85, 0.6, 0.55, 1.25, 1.3, 1.1, 0.6],
  retail: [0.6, 0.65, 0.8, 0.9, 1, 0.95, 0.9, 1.15, 1.45, 1.6, 1.5, 0.7],
  learning: [1.2, 1.15, 1.1, 1, 1, 0.8, 0.45, 0.5, 1.2, 1.25, 1.15, 0.55],
} as const;
export type Season = keyof typeof seasons;

const weekdays = [0.25, 1.15, 1.3, 1.25, 1.15, 0.95, 0.2];
const hours = [0, 0, 0, 0, 0, 0, 1, 2, 5, 8, 10, 9, 6, 7, 8, 8, 7, 6, 6, 7, 7, 5, 2, 1];
const allHours = hours.reduce((sum, weight) => sum + weight, 0);

/** A part of the two years of history. `from` and `to` are fractions of the two years. */
export type HistorySpan = { from?: number; to?: number };

/**
 * Returns the times of events in a part of the two years before `now`. The rate is `perWeek` at the start of the two
 * years and 1.5 times as high at the end. It varies with the season, the weekday and the hour.
 */
export function eventTimesIn(
  random: Random,
  now: number,
  { perWeek, season, from = 0, to = 1 }: HistorySpan & { perWeek: number; season: Season },
): number[] {
  const today = Math.floor(now / dayMs) * dayMs;
  const days = historyYears * 365;
  const instants: number[] = [];
  for (let day = Math.ceil(days * from); day <= days * to; day++) {
    const date = new Date(today - (days - day) * dayMs);
    const isBreak = date.getUTCMonth() === 11 && date.getUTCDate() > 21;
    const mean =
      (perWeek / 7) *
      (1 + (0.5 * day) / days) *
      (seasons[season][date.getUTCMonth()] ?? 1) *
      (weekdays[date.getUTCDay()] ?? 1) *
      (isBreak ? 0.35 : 1);
    const times = Array.from({ length: random.count(mean) }, () => date.getTime() + timeOfDay(random));
    instants.push(...times.filter((time) => time <= now).toSorted((a, b) => a - b));
  }
  return instants;
}

function timeOfDay(random: Random): number {
  let left = random.next() * allHours;
  const hour = hours.findIndex((weight) => (left -= weight) < 0);
  return (hour + random.next()) * 3_600_000;
}
