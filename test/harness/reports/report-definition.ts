/** A report block that consists of one number. */
export const completed = {
  id: 'completed',
  type: 'kpi',
  dataset: 'interview_results',
  measures: ['completed'],
};
/** Returns a report definition whose filters select all data. */
export const definitionOf = (title: string, blocks: unknown[] = [completed]) => ({
  schema: 'platform.report/v1',
  title,
  filters: { period: { preset: 'all_time' } },
  blocks,
});
