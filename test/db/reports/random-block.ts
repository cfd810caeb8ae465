import { arityOf, operatorsOf } from '../../../api/reports/language/operators';
import type { CheckedBlock, CheckedFilters, Condition, Value } from '../../../db/reports/checked-report';
import { grains } from '../../../db/reports/dataset';
import type { Dimension, Grain, Measure } from '../../../db/reports/dataset';
import { uuid } from '../platform/world';
import { localDate } from './local-time';
import { dimensionValues, measureValues } from './naive-fields';
import type { Attempt } from './naive-fields';
import type { Random } from './random';
import { blockOf, dimension, hostile, interviewResults, measure } from './report-world';

export type Situation = { random: Random; attempts: readonly Attempt[]; zone: string };

function valueOf(field: Dimension | Measure, { random, attempts, zone }: Situation): Value {
  const row = random.pick(attempts);
  if (field.kind === 'measure') {
    const value = measureValues[field.id]?.(random.some(attempts, 1 + random.below(20))) ?? 1;
    return field.type === 'date' ? localDate(value, zone) : value;
  }
  if (field.type === 'date') return localDate(row.instant, zone);
  if (field.type === 'id' && random.chance(0.2)) return uuid();
  const value = dimensionValues[field.id]?.(row, zone) ?? null;
  if (field.type === 'text' && !field.values && random.chance(0.5))
    return random.chance(0.5) ? random.pick(hostile) : random.pick(['a', 'BA', 'ales', '%', '_']);
  if (value !== null) return value;
  if (field.type === 'text') return field.values?.[0] ?? 'x';
  return field.type === 'id' ? uuid() : 1;
}

function conditionOf(fields: readonly (Dimension | Measure)[], situation: Situation, depth = 0): Condition {
  const { random } = situation;
  if (depth < 2 && random.chance(0.25))
    return {
      kind: random.pick(['any', 'all'] as const),
      of: Array.from({ length: 1 + random.below(3) }, () => conditionOf(fields, situation, depth + 1)),
    };
  const field = random.pick(fields);
  const op = random.pick(operatorsOf(field));
  const count = { none: 0, one: 1, two: 2, many: 1 + random.below(4) }[arityOf(op)];
  const values = Array.from({ length: count }, () => valueOf(field, situation));
  return { kind: 'field', field, op, values: op === 'between' ? values.toSorted(ascending) : values };
}
const ascending = (one: Value, other: Value) => (one < other ? -1 : 1);

const allDimensions = [...interviewResults.dimensions.values()];
const allMeasures = [...interviewResults.measures.values()];
const isDate = ({ type }: Dimension) => type === 'date';

function dimensionsOf(type: CheckedBlock['type'], { random }: Situation): CheckedBlock['dimensions'] {
  const grain = (field: Dimension) => ({ field, grain: isDate(field) ? random.pick(grains) : null });
  const some = (count: number, test: (field: Dimension) => boolean) =>
    random.some(allDimensions.filter(test), count).map(grain);
  const isPlain = (field: Dimension) => !isDate(field);
  const axis = () => grain(dimension(random.chance(0.8) ? 'completed_at' : 'started_at'));
  const shapes: Record<CheckedBlock['type'], () => CheckedBlock['dimensions']> = {
    kpi: () => [],
    line: () => [axis(), ...some(random.below(2), ({ type: fieldType }) => fieldType === 'text')],
    bar: () =>
      random.chance(0.5) ? [axis(), ...some(random.below(2), isPlain)] : some(1 + random.below(2), isPlain),
    pie: () => some(1, isPlain),
    funnel: () => (random.chance(0.5) ? [] : [{ field: dimension('score_band'), grain: null }]),
    table: () => some(random.below(5), () => true),
  };
  return shapes[type]();
}

/** Returns a random block of interview_results, as the validator would return it. */
export function randomBlock(situation: Situation): CheckedBlock {
  const { random } = situation;
  const type = random.pick(['kpi', 'line', 'bar', 'pie', 'funnel', 'table'] as const);
  const dimensions = dimensionsOf(type, situation);
  const chosen = random.some(allMeasures, 1 + random.below(4));
  const measures = chosen.map((field) => ({
    as: random.chance(0.5) ? field.id : `my ${field.id}`,
    label: field.label,
    measure: field,
    where: random.chance(0.2) ? [conditionOf(allDimensions, situation)] : [],
  }));
  const columns = [...dimensions.map(({ field }) => field.id), ...measures.map(({ as }) => as)];
  const some = (fields: readonly (Dimension | Measure)[], share: number) =>
    random.chance(share)
      ? Array.from({ length: 1 + random.below(3) }, () => conditionOf(fields, situation))
      : [];
  return blockOf({
    type,
    dimensions,
    measures,
    where: some(allDimensions, 0.5),
    having: some([...allMeasures, measure('started')], 0.25),
    sort: random
      .some(columns, 1 + random.below(2))
      .map((column) => ({ column, dir: random.pick(['asc', 'desc'] as const) })),
    limit: random.pick([1, 3, 20, 500]),
  });
}

/** True if a block with this grain needs a short period, because a long one would have too many buckets. */
export const isShortGrain = (grain: Grain | null) => grain === 'hour' || grain === 'day';

export function randomFilters({ random, attempts, zone }: Situation): CheckedFilters {
  const some = <T>(values: readonly (T | null)[]) =>
    random.chance(0.15)
      ? random.some([...new Set(values)].filter((value) => value !== null), 1 + random.below(3))
      : null; // prettier-ignore
  return {
    timezone: zone,
    includeTest: random.chance(0.3),
    positionIds: some(attempts.map(({ position_id }) => position_id)),
    interviewIds: some(attempts.map(({ interview_id }) => interview_id)),
  };
}
