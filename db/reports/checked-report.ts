import type { Dataset, Dimension, Grain, Measure } from './dataset';

/*
 * A report whose ids, types and periods have been checked (docs/reports.md#language). The validator creates it and
 * the compiler turns it into SQL. The only texts in it that come from a caller are values, labels and ids of blocks.
 */

export const blockTypes = ['kpi', 'line', 'bar', 'pie', 'funnel', 'table', 'text'] as const;
export type BlockType = (typeof blockTypes)[number];

export const operators = [
  'eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'gt', 'gte', 'lt', 'lte', 'between', 'is_null',
  'not_null',
] as const; // prettier-ignore
export type Operator = (typeof operators)[number];

export type Value = string | number | boolean;
export type Condition =
  | { kind: 'field'; field: Dimension | Measure; op: Operator; values: readonly Value[] }
  | { kind: 'any' | 'all'; of: readonly Condition[] };

/**
 * `from` (inclusive) and `to` (exclusive) are ISO 8601 times. `from` is null for `all_time` if the time of the
 * dataset's first row is unknown.
 */
export type PeriodRange = { from: string | null; to: string };
export type CheckedPeriod = PeriodRange & {
  preset: string;
  /** The first and the last local date of the period. */
  firstDay: string | null;
  lastDay: string;
  /** The range of the comparison period. Null if the block requests no comparison or the preset is `all_time`. */
  previous: PeriodRange | null;
};

/**
 * A measure of a block. `as` names the measure's column in the block. Only rows that meet all conditions in `where`
 * count. If the block requests the ratio of two measures, `measure` is a measure that computes this ratio.
 */
export type CheckedMeasure = {
  as: string;
  label: string;
  measure: Measure;
  where: readonly Condition[];
};

export type CheckedBlock = {
  id: string;
  type: Exclude<BlockType, 'text'>;
  title: string | null;
  dataset: Dataset;
  dimensions: readonly { field: Dimension; grain: Grain | null }[];
  measures: readonly CheckedMeasure[];
  /** Conditions on dimensions. */
  where: readonly Condition[];
  /** Conditions on measures. */
  having: readonly Condition[];
  /** The columns to sort by: ids of dimensions, or the `as` of measures. Never empty. */
  sort: readonly { column: string; dir: 'asc' | 'desc' }[];
  limit: number;
  /** Null if the dataset is a snapshot, which has no period. */
  period: CheckedPeriod | null;
  /** How the comparison period `period.previous` was chosen. Null if the block requests no comparison. */
  compare: 'previous_period' | 'previous_year' | null;
  /** Requests a row that aggregates all rows, including those after the limit. */
  totals?: true;
  /** Requests a row that combines the rows after the limit. Only bars, pies and lines with a series can have it. */
  others?: true;
};

export type CheckedText = { id: string; type: 'text'; title: string | null; contentMd: string };

/** The filters that apply to all blocks. */
export type CheckedFilters = {
  positionIds: readonly string[] | null;
  interviewIds: readonly string[] | null;
  includeTest: boolean;
  timezone: string;
};
