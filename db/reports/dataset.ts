/*
 * The shape of a dataset (docs/reports.md#datasets). The table of datasets (datasets/index.ts) has three readers: the
 * catalog lists its fields, the validator checks ids against it, and the compiler takes SQL from it.
 */

export const grains = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof grains)[number];

export type FieldType = 'text' | 'id' | 'boolean' | 'integer' | 'number' | 'percent' | 'duration' | 'date';
export type ValueFormat =
  | 'integer'
  | 'decimal1'
  | 'decimal2'
  | 'percent'
  | 'duration'
  | 'date'
  | 'score'
  | 'text';

type Field = {
  id: string;
  label: string;
  /** One line for people and AI agents. It names the unit and says which rows the field leaves out. */
  description: string;
  type: FieldType;
  format: ValueFormat;
  /** Set if only blocks of type table may use the field. */
  tableOnly?: true;
};

export type Dimension = Field & {
  kind: 'dimension';
  /** The allowed values of a text field. */
  values?: readonly string[];
  /**
   * Set if the values of the field have an order. That of a text dimension is the order of `values`. `steps` means that
   * they can be the steps of a funnel: whoever reaches one has reached all before it.
   */
  ordered?: 'steps' | 'values';
  /** An expression over the tables of the dataset. `{zone}` stands for the time zone of the report. */
  sql: string;
  /** The joins of the dataset that the expression needs. */
  joins?: readonly string[];
};

/**
 * How a measure is computed. `count` counts rows, `distinct` counts different values of the expression, and
 * `percentile` uses `percentile_cont`. A ratio divides one aggregate by another and is null when the divisor is 0.
 */
export type Aggregate =
  | { kind: 'count'; when?: string }
  | { kind: 'sum' | 'avg' | 'min' | 'max' | 'distinct'; of: string; when?: string }
  | { kind: 'percentile'; of: string; at: number; when?: string }
  | { kind: 'ratio'; of: Aggregate; by: Aggregate };

export type Measure = Field & {
  kind: 'measure';
  aggregate: Aggregate;
  joins?: readonly string[];
};

export type Dataset = {
  id: string;
  label: string;
  description: string;
  /** True if the dataset describes the present and ignores the period of a report. */
  snapshot: boolean;
  /** Set if hiring managers do not see the dataset. */
  hiddenFromHiringManagers?: true;
  /** Set if the dataset is about credits, so that accounts whose plan charges nothing do not see it. */
  isOfCharges?: true;
  /** The table with its alias. Row-level security selects the merchant and the environment. */
  from: string;
  /** The joins that fields need, by name. A join never multiplies rows. */
  joins: Readonly<Record<string, string>>;
  /**
   * `column` is the time of a row. When rows are grouped by the date dimension named `dimension`, their date is taken
   * from `column`, even if the dimension is null for the row. Null if the dataset is a snapshot.
   */
  time: { column: string; dimension: string } | null;
  /** The columns to which the filters of a report apply. A filter without a column has no effect on the dataset. */
  filters: { position?: string; interview?: string; isTest?: string };
  /**
   * SQL expressions over `from` for the result, the attempt and the enrolment of a row. An expression is `null` if
   * the dataset has no such value. `key` is a text that no other row has.
   */
  records: { result: string; attempt: string; candidate: string; key: string };
  dimensions: ReadonlyMap<string, Dimension>;
  measures: ReadonlyMap<string, Measure>;
};
