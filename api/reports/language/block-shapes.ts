import type { CheckedBlock } from '../../../db/reports/checked-report';

export type DataType = CheckedBlock['type'];

/** The minimum and the maximum number of entries of a list. */
type Range = readonly [min: number, max: number];

type Shape = {
  dimensions: Range;
  measures: Range;
  /** The default of `limit`. */
  limit: number;
};

/** The number of dimensions and measures that each type of block can have (docs/reports.md#language). */
export const blockShapes: Record<DataType, Shape> = {
  kpi: { dimensions: [0, 0], measures: [1, 4], limit: 1 },
  line: { dimensions: [1, 2], measures: [1, 4], limit: 500 },
  bar: { dimensions: [1, 2], measures: [1, 4], limit: 50 },
  pie: { dimensions: [1, 1], measures: [1, 1], limit: 12 },
  funnel: { dimensions: [0, 1], measures: [1, 8], limit: 20 },
  table: { dimensions: [0, 6], measures: [0, 12], limit: 100 },
};

/** Returns how many measures a block with this number of dimensions can have. */
export function measureLimits(type: DataType, dimensions: number): Range {
  if (type === 'line' && dimensions > 1) return [1, 1];
  if (type === 'funnel') return dimensions > 0 ? [1, 1] : [2, 8];
  if (type === 'table') return [dimensions > 0 ? 0 : 1, 12];
  return blockShapes[type].measures;
}

type Fitting = { type: string; ordered?: boolean | 'steps' | 'values' };

/** Returns why `field` cannot be the next dimension after `before`, or undefined if it can. */
export function whyNotFitting(
  type: DataType,
  field: Fitting,
  before: readonly Fitting[],
): string | undefined {
  const isDate = field.type === 'date';
  if (type === 'line' && before.length === 0)
    return isDate ? undefined : 'the first dimension of a line must be a date with a grain';
  if (type === 'line')
    return field.type === 'text' ? undefined : 'the second dimension of a line must be a text';
  if (type === 'pie') return isDate ? 'the dimension of a pie must not be a date' : undefined;
  if (type === 'bar' && isDate && before.some((other) => other.type === 'date'))
    return 'a bar must not have two dates';
  if (type === 'funnel' && (!field.ordered || field.ordered === 'values'))
    return 'the dimension of a funnel must have values that are steps';
  return undefined;
}

/** Returns the description of a block type for the catalog. */
export const describeShape = (type: DataType | 'text') => ({
  type,
  dimensions: type === 'text' ? [0, 0] : [...blockShapes[type].dimensions],
  measures: type === 'text' ? [0, 0] : [...blockShapes[type].measures],
  default_limit: type === 'text' ? null : blockShapes[type].limit,
  keys: blockKeys.filter((key) => mayHaveKey(type, key)),
});

/** The keys that blocks of every type have. `dataKeys` and `content_md` are keys of some types only (`mayHaveKey`). */
const commonKeys = ['id', 'type', 'title', 'width'] as const;
const dataKeys = [
  'dataset', 'dimensions', 'measures', 'where', 'compare', 'sort', 'limit', 'period', 'totals', 'others', 'goal',
] as const; // prettier-ignore
export const blockKeys = [...commonKeys, ...dataKeys, 'content_md'] as const;

/** Returns whether blocks of a type may have a key. */
export function mayHaveKey(type: DataType | 'text', key: string): boolean {
  if (commonKeys.some((common) => common === key)) return true;
  if (type === 'text' || key === 'content_md') return type === 'text' && key === 'content_md';
  if (key === 'goal') return type === 'kpi' || type === 'line' || type === 'bar';
  if (key === 'others') return type === 'line' || type === 'bar' || type === 'pie';
  if (key === 'totals') return type !== 'kpi';
  return true;
}
