import type {
  CheckedBlock,
  CheckedFilters,
  Condition,
  Operator,
  PeriodRange,
  Value,
} from '../../../db/reports/checked-report';
import { isZeroWithoutRows } from '../../../db/reports/compile-measure';
import { bucketOf, instantLabel, listBuckets, listBucketsSince, localDate } from './local-time';
import type { Bucket } from './local-time';
import { dimensionValues, measureValues } from './naive-fields';
import type { Attempt } from './naive-fields';

/*
 * Evaluates a block of interview_results over rows in memory. The code follows docs/reports.md, independently of the
 * compiler.
 */

type Cell = Value | null;
/** The value of a dimension in a group. Groups are sorted by `key`, and results contain `label`. */
type Shown = { key: Cell; label: Cell };
type Group = {
  dimensions: Shown[];
  rows: readonly Attempt[];
  measures: Cell[];
  hidden: Map<string, Cell>;
  bucket: number | null;
};

const operators: Record<Operator, (value: Value, given: readonly Value[]) => boolean> = {
  eq: (value, [first]) => value === first,
  ne: (value, [first]) => value !== first,
  in: (value, given) => given.includes(value),
  not_in: (value, given) => !given.includes(value),
  contains: (value, [first]) => has(value, first),
  not_contains: (value, [first]) => !has(value, first),
  starts_with: (value, [first]) => String(value).toLowerCase().startsWith(String(first).toLowerCase()),
  gt: (value, [first]) => value > (first ?? 0),
  gte: (value, [first]) => value >= (first ?? 0),
  lt: (value, [first]) => value < (first ?? 0),
  lte: (value, [first]) => value <= (first ?? 0),
  between: (value, [first, second]) => value >= (first ?? 0) && value <= (second ?? 0),
  is_null: () => false,
  not_null: () => true,
};
const has = (value: Value, part: Value | undefined) =>
  String(value).toLowerCase().includes(String(part).toLowerCase());
const ofNull = new Set<Operator>(['ne', 'not_in', 'not_contains', 'is_null']);

function meets(condition: Condition, valueOf: (id: string) => Cell, zone: string): boolean {
  if (condition.kind !== 'field') {
    const test = (one: Condition) => meets(one, valueOf, zone);
    return condition.kind === 'any' ? condition.of.some(test) : condition.of.every(test);
  }
  const { field, op, values } = condition;
  const value = valueOf(field.id);
  if (value === null) return ofNull.has(op);
  return operators[op](field.type === 'date' ? localDate(Number(value), zone) : value, values);
}

export function evaluateBlock(
  all: readonly Attempt[],
  block: CheckedBlock,
  { timezone: zone, includeTest, positionIds, interviewIds }: CheckedFilters,
  range: PeriodRange,
  limit: number,
): { rows: Cell[][]; buckets: (number | null)[]; rest: (after: number) => Cell[] } {
  const [from, to] = [range.from === null ? -Infinity : Date.parse(range.from), Date.parse(range.to)];
  const isMet = (row: Attempt, conditions: readonly Condition[]) =>
    conditions.every((one) => meets(one, (id) => dimensionValues[id]?.(row, zone) ?? null, zone));
  const rows = all.filter(
    (row) =>
      row.instant >= from &&
      row.instant < to &&
      (includeTest || !row.is_test) &&
      (!positionIds || (row.position_id !== null && positionIds.includes(row.position_id))) &&
      (!interviewIds || interviewIds.includes(row.interview_id)) &&
      isMet(row, block.where),
  );
  const measureOf = (id: string, of: readonly Attempt[]): Cell => measureValues[id]?.(of) ?? null;

  const grouped = new Map<string, { dimensions: Shown[]; rows: Attempt[] }>();
  if (block.dimensions.length === 0) grouped.set('', { dimensions: [], rows });
  else
    for (const row of rows) {
      const dimensions = block.dimensions.map(({ field, grain }): Shown => {
        const isAxis = field.id === 'completed_at';
        const value = isAxis && grain ? row.instant : (dimensionValues[field.id]?.(row, zone) ?? null);
        if (grain === null || value === null) return { key: value, label: value };
        return shownBucket(bucketOf(Number(value), grain, zone));
      });
      const key = JSON.stringify(dimensions);
      const group = grouped.get(key) ?? { dimensions, rows: [] };
      group.rows.push(row);
      grouped.set(key, group);
    }

  const measuresOf = (of: readonly Attempt[]) =>
    block.measures.map(({ measure, where }) =>
      measureOf(
        measure.id,
        of.filter((row) => isMet(row, where)),
      ),
    );
  let groups = [...grouped.values()].map((group): Group => ({
    dimensions: group.dimensions,
    rows: group.rows,
    measures: measuresOf(group.rows),
    hidden: new Map(Object.keys(measureValues).map((id) => [id, measureOf(id, group.rows)])),
    bucket: null,
  }));
  const dateAt = block.dimensions.findIndex(({ grain }) => grain !== null);
  if (dateAt !== -1) groups = withBuckets(groups, block, dateAt, { from, to }, zone);
  const sorted = groups
    .filter(({ hidden }) => block.having.every((one) => meets(one, (id) => hidden.get(id) ?? null, zone)))
    .toSorted((one, other) => compareGroups(one, other, block));
  const labelsOf = (measures: Cell[]) =>
    measures.map((value, at) =>
      block.measures[at]?.measure.type === 'date' && value !== null
        ? instantLabel(Number(value), zone, 23)
        : value,
    );
  const first = sorted.slice(0, limit);
  return {
    rows: first.map(({ dimensions, measures }) => [
      ...dimensions.map(({ label }) => label),
      ...labelsOf(measures),
    ]),
    buckets: first.map(({ bucket }) => bucket),
    rest: (after) => [
      ...block.dimensions.map(() => null),
      ...labelsOf(measuresOf(sorted.slice(after).flatMap((group) => group.rows))),
    ],
  };
}

const shownBucket = ({ at, label }: Bucket): Shown => ({ key: at, label });

function withBuckets(
  groups: Group[],
  block: CheckedBlock,
  dateAt: number,
  { from, to }: { from: number; to: number },
  zone: string,
): Group[] {
  const { field, grain } = block.dimensions[dateAt] ?? {};
  if (!field || !grain) throw new Error('a date has a grain');
  const keys = groups.map(({ dimensions }) => dimensions[dateAt]?.key ?? null);
  const known = keys.filter((key) => key !== null).map(Number);
  let series: Shown[] = [];
  if (from !== -Infinity) series = listBuckets(from, to, grain, zone).map(shownBucket);
  else if (known.length > 0) series = listBucketsSince(Math.min(...known), to, grain, zone).map(shownBucket);
  if (field.id !== 'completed_at')
    for (const { dimensions } of groups) {
      const shown = dimensions[dateAt];
      if (shown && !series.some(({ key }) => key === shown.key)) series.push(shown);
    }
  series.sort((one, other) => compareCells(one.key, other.key, 1));
  const placeOf = new Map(series.map(({ key }, place) => [key, place]));
  const placed = groups.map((group) => ({
    ...group,
    bucket: placeOf.get(group.dimensions[dateAt]?.key ?? null) ?? null,
  }));
  if (block.type !== 'line' && block.type !== 'bar') return placed;
  const byDimensions = new Map(placed.map((group) => [JSON.stringify(group.dimensions), group]));
  const noMeasures = new Map(Object.keys(measureValues).map((id) => [id, measureValues[id]?.([]) ?? null]));
  const othersOf = ({ dimensions }: Group) => dimensions.filter((_, at) => at !== dateAt);
  const others = new Map(groups.map((group) => [JSON.stringify(othersOf(group)), othersOf(group)]));
  if (block.dimensions.length === 1) others.set('[]', []);
  return [...others.values()].flatMap((rest) =>
    series.map((shown, place): Group => {
      const dimensions = rest.toSpliced(dateAt, 0, shown);
      const found = byDimensions.get(JSON.stringify(dimensions));
      if (found) return found;
      return {
        dimensions,
        rows: [],
        measures: block.measures.map(({ measure }) =>
          isZeroWithoutRows(measure.aggregate) ? 0 : (noMeasures.get(measure.id) ?? null),
        ),
        hidden: noMeasures,
        bucket: place,
      };
    }),
  );
}

function compareGroups(one: Group, other: Group, { sort, dimensions, measures }: CheckedBlock): number {
  const columns = [
    ...sort.map(({ column, dir }) => ({ column, sign: dir === 'asc' ? 1 : -1 })),
    ...dimensions.map(({ field }) => ({ column: field.id, sign: 1 })),
  ];
  for (const { column, sign } of columns) {
    const measureAt = measures.findIndex(({ as }) => as === column);
    const dimensionAt = dimensions.findIndex(({ field }) => field.id === column);
    const cellOf = (group: Group): Cell => {
      if (dimensionAt === -1) return group.measures[measureAt] ?? null;
      const field = dimensions[dimensionAt]?.field;
      const key = group.dimensions[dimensionAt]?.key ?? null;
      return field?.ordered && key !== null ? (field.values ?? []).indexOf(String(key)) : key;
    };
    const order = compareCells(cellOf(one), cellOf(other), sign);
    if (order !== 0) return order;
  }
  return 0;
}

/** Nulls come last in both directions. */
function compareCells(one: Cell, other: Cell, sign: number): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return (one < other ? -1 : 1) * sign;
}
