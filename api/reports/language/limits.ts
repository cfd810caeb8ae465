/** The limits of a report, as the catalog publishes them. */
export const limits = {
  max_rows: 500,
  max_blocks: 12,
  max_dimensions: 6,
  max_measures: 12,
  max_conditions: 20,
  max_in_values: 200,
  max_buckets: 500,
  max_filter_ids: 200,
  block_timeout_ms: 8_000,
  report_timeout_ms: 25_000,
  max_definition_bytes: 65_536,
} as const;

export const reportSchema = 'platform.report/v1';
export const maxTitle = 200;
export const maxContent = 4_000;
export const maxWidth = 12;
/** Returns the width of blocks that set none. */
export const defaultWidthOf = (type: string): number => (type === 'pie' ? 6 : maxWidth);
/** The maximum length of a text that a condition compares with. */
export const maxValueText = 200;
/** The ending of the columns that a funnel adds. */
export const firstShareSuffix = '_of_first';
/** The maximum depth of nested `any` and `all`. */
export const maxConditionDepth = 2;
