import type { Condition } from '../../../db/reports/checked-report';
import { grains } from '../../../db/reports/dataset';
import type { Dimension, Grain } from '../../../db/reports/dataset';
import type { DataType } from './block-shapes';
import type { PlacedDimension } from './check-dimensions';
import type { MergedFilters } from './check-filters';
import type { LocatedValue } from './issue';
import { limits } from './limits';
import { countBuckets, daysOf, presets } from './resolve-period';
import type { Clock, Period } from './resolve-period';

const bucketsOf = (period: Period, clock: Clock) => countBuckets(daysOf(period, clock), clock.zone);

/**
 * Returns the finest grain that divides a period into at most 62 buckets: a day or longer. A chart with more buckets
 * is hard to read.
 */
export function grainFor(period: Period, clock: Clock): Grain {
  const counts = bucketsOf(period, clock);
  return (['day', 'week', 'month', 'quarter'] as const).find((grain) => counts[grain] <= 62) ?? 'year';
}

type Buckets = {
  type: DataType;
  dimensions: readonly PlacedDimension[];
  where: readonly Condition[];
  period: Period;
  /** The block's own period in the definition. Null if the block uses the period of the filters. */
  own: LocatedValue | null;
  filters: MergedFilters;
  clock: Clock;
};

/** Records an issue for each date dimension that would have more than `max_buckets` buckets over all series. */
export function checkBuckets(block: LocatedValue, buckets: Buckets): void {
  const { type, dimensions, where, period, own, filters, clock } = buckets;
  const counts = bucketsOf(period, clock);
  for (const dimension of dimensions) {
    const { grain } = dimension;
    if (grain === null) continue;
    // In a line or a bar, gaps are filled, so that every series has every bucket.
    const other = type === 'table' ? undefined : dimensions.find((entry) => entry !== dimension);
    const series = other ? countValues(other.field, where) : 1;
    if (counts[grain] * series <= limits.max_buckets) continue;
    const what = describe(period, grain, counts[grain], series);
    const sent = own ? undefined : filters.sent.get('period');
    if (sent && sent.source !== 'definition') {
      sent.place.within(block).fail('too_many_buckets', {
        what,
        valid: fittingPresets(grain, series, clock).map((preset) => ({ preset })),
      });
      continue;
    }
    const coarser = grains.slice(grains.indexOf(grain) + 1);
    const valid = coarser.filter((name) => counts[name] * series <= limits.max_buckets);
    if (valid.length > 0) dimension.grainPlace.fail('too_many_buckets', { what, valid });
    else other?.place.fail('too_many_buckets', { what });
  }
}

function describe({ preset }: Period, grain: Grain, count: number, series: number): string {
  const product = series > 1 ? ` and ${series} series` : '';
  return `the period ${preset} has ${count} buckets of grain "${grain}"${product}, more than ${limits.max_buckets}`;
}

/**
 * Returns how many values of a dimension the conditions allow, or 1 if the dataset does not list the dimension's
 * values.
 */
function countValues(field: Dimension, where: readonly Condition[]): number {
  if (!field.values) return 1;
  const narrowed = where.map((condition) =>
    condition.kind === 'field' &&
    condition.field === field &&
    (condition.op === 'in' || condition.op === 'eq')
      ? condition.values.length
      : Number.POSITIVE_INFINITY,
  );
  return Math.min(field.values.length, ...narrowed);
}

/** Returns the presets that have at most `max_buckets` buckets over all series, the longest first. */
function fittingPresets(grain: Grain, series: number, clock: Clock) {
  return presets
    .filter((preset) => preset !== 'custom' && preset !== 'all_time')
    .map((preset) => ({ preset, count: bucketsOf({ preset }, clock)[grain] }))
    .filter(({ count }) => count * series <= limits.max_buckets)
    .sort((a, b) => b.count - a.count)
    .map(({ preset }) => preset);
}
