import type { Dataset, Dimension, Grain, Measure } from './dataset';

/*
 * A report whose ids, types and periods have been checked (docs/reports.md#language). The validator makes it, the compiler
 * turns it into SQL. It contains no text of a caller but values, labels and the ids of blocks.
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

/** Instants as ISO 8601, `from` inclusive and `to` exclusive. `from` is null for all_time of a dataset whose first row is unknown. */
export type PeriodRange = { from: string | null; to: string };
export type CheckedPeriod = PeriodRange & {
  preset: string;
  /** The first and the last local date. */
  firstDay: string | null;
  lastDay: string;
  /** The range to compare with. */
  previous: PeriodRange | null;
};

/**
 * A measure of a block, with the name of its column. A filtered one counts only rows that meet its conditions. The ratio of
 * two measures is a measure whose aggregate is a ratio.
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
  /** Columns of the block: ids of dimensions and `as` of measures. Never empty. */
  sort: readonly { column: string; dir: 'asc' | 'desc' }[];
  limit: number;
  /** Null in a snapshot. */
  period: CheckedPeriod | null;
  /** Whether the rows of `period.previous` are asked for. */
  compare: 'previous_period' | 'previous_year' | null;
  /** Asks for a row over all rows, whatever the limit. */
  totals?: true;
  /** Asks for a row that combines the rows after the limit. Only in bar, pie and a line with a series. */
  others?: true;
};

export type CheckedText = { id: string; type: 'text'; title: string | null; contentMd: string };

/** What applies to all blocks. */
export type CheckedFilters = {
  positionIds: readonly string[] | null;
  interviewIds: readonly string[] | null;
  includeTest: boolean;
  timezone: string;
};
