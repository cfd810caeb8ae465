import type { CheckedPeriod, PeriodRange } from '../../../db/reports/checked-report';
import type { Grain } from '../../../db/reports/dataset';
import {
  countUnits,
  dayAt,
  parseDay,
  shiftUnits,
  startOf,
  startOfDay,
  writeDay,
  yearBefore,
} from './calendar';
import type { Day, Unit } from './calendar';

export const presets = [
  'today', 'yesterday', 'last_7_days', 'last_14_days', 'last_30_days', 'last_90_days', 'last_180_days',
  'last_365_days', 'this_week', 'last_week', 'this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year',
  'last_year', 'last_12_months', 'all_time', 'custom',
] as const; // prettier-ignore
export type Preset = (typeof presets)[number];
export const compareValues = ['previous_period', 'previous_year'] as const;
export type Compare = (typeof compareValues)[number];

/** A valid period of a definition. `from` and `to` are inclusive local dates and belong to `custom`. */
export type Period = { preset: Preset; from?: string; to?: string };

/**
 * What is needed to resolve a period: the current time, the time zone, and for `all_time` the first row of the
 * dataset.
 */
export type Clock = { now: Date; zone: string; firstRowAt?: Date | null };

/** Local days, both inclusive. `first` is null for `all_time` if the dataset's first row is unknown. */
export type LocalDays = { first: Day | null; last: Day };
type Span = { first: Day; last: Day };

/** For each rolling preset, how many days ago it begins and ends. */
const rollingPresets = new Map<Preset, readonly [number, number]>([
  ['today', [0, 0]], ['yesterday', [1, 1]], ['last_7_days', [6, 0]], ['last_14_days', [13, 0]], ['last_30_days', [29, 0]],
  ['last_90_days', [89, 0]], ['last_180_days', [179, 0]], ['last_365_days', [364, 0]],
]); // prettier-ignore
/** The presets that begin with the unit that contains today and end today. */
const elapsedPresets = new Map<Preset, Unit>([
  ['this_week', 'week'], ['this_month', 'month'], ['this_quarter', 'quarter'], ['this_year', 'year'],
]); // prettier-ignore
/** The presets for a number of whole units that end before the unit that contains today. */
const wholePresets = new Map<Preset, readonly [Unit, number]>([
  ['last_week', ['week', 1]], ['last_month', ['month', 1]], ['last_quarter', ['quarter', 1]],
  ['last_year', ['year', 1]], ['last_12_months', ['month', 12]],
]); // prettier-ignore

/**
 * The days of a period. `kind` decides how `previousDays` computes the comparison period, which `all_time` does not
 * have.
 */
type Kind =
  | { kind: 'rolling'; days: Span }
  | { kind: 'elapsed' | 'whole'; unit: Unit; days: Span; count: number }
  | { kind: 'all'; days: LocalDays };

function kindOf({ preset, from = '', to = '' }: Period, { now, zone, firstRowAt }: Clock): Kind {
  const today = dayAt(now, zone);
  const elapsed = elapsedPresets.get(preset);
  if (elapsed)
    return {
      kind: 'elapsed',
      unit: elapsed,
      count: 1,
      days: { first: startOf(elapsed, today), last: today },
    };
  const whole = wholePresets.get(preset);
  if (whole) {
    const [unit, count] = whole;
    const end = startOf(unit, today);
    return { kind: 'whole', unit, count, days: { first: shiftUnits(unit, end, -count), last: end - 1 } };
  }
  if (preset === 'all_time') {
    const first = firstRowAt ? Math.min(dayAt(firstRowAt, zone), today) : null;
    return { kind: 'all', days: { first, last: today } };
  }
  const [first, last] = rollingPresets.get(preset) ?? [
    today - (parseDay(from) ?? today),
    today - (parseDay(to) ?? today),
  ];
  return { kind: 'rolling', days: { first: today - first, last: today - last } };
}

/** Returns the local days of a period. */
export const daysOf = (period: Period, clock: Clock): LocalDays => kindOf(period, clock).days;

/** Returns the days of the comparison period, or null for all_time. */
function previousDays(period: Period, compare: Compare, clock: Clock): Span | null {
  const found = kindOf(period, clock);
  if (found.kind === 'all') return null;
  const { first, last } = found.days;
  if (compare === 'previous_year') return { first: yearBefore(first), last: yearBefore(last) };
  if (found.kind === 'rolling') return { first: first - (last - first + 1), last: first - 1 };
  const before = shiftUnits(found.unit, first, -found.count);
  // The previous unit may be shorter than the elapsed part of this one: on 30 March, February has no 30th day.
  const end = found.kind === 'whole' ? first - 1 : Math.min(before + (last - first), first - 1);
  return { first: before, last: end };
}

/** Returns a period with the instants of its start and end, and the range to compare it with. */
export function resolvePeriod(period: Period, compare: Compare | null, clock: Clock): CheckedPeriod {
  const { first, last } = daysOf(period, clock);
  const previous = compare ? previousDays(period, compare, clock) : null;
  return {
    preset: period.preset,
    from: first === null ? null : instantOf(first, clock.zone),
    to: instantOf(last + 1, clock.zone),
    firstDay: first === null ? null : writeDay(first),
    lastDay: writeDay(last),
    previous: previous && rangeOf(previous, clock.zone),
  };
}

const instantOf = (day: Day, zone: string): string => new Date(startOfDay(day, zone)).toISOString();
const rangeOf = ({ first, last }: Span, zone: string): PeriodRange => ({
  from: instantOf(first, zone),
  to: instantOf(last + 1, zone),
});

/** Returns the number of buckets of each grain in these days. If the first day is unknown, the number is 1. */
export function countBuckets({ first, last }: LocalDays, zone: string): Record<Grain, number> {
  if (first === null) return { hour: 1, day: 1, week: 1, month: 1, quarter: 1, year: 1 };
  return {
    hour: Math.ceil((startOfDay(last + 1, zone) - startOfDay(first, zone)) / 3_600_000),
    day: last - first + 1,
    week: countUnits('week', first, last),
    month: countUnits('month', first, last),
    quarter: countUnits('quarter', first, last),
    year: countUnits('year', first, last),
  };
}
