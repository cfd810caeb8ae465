/** A question about the data of one merchant, written as blocks of a report. */
export type Question = {
  name: string;
  /** The number of days in the shortest period of the question. */
  days: number;
  blocks: readonly Block[];
};
export type Block = { id: string; dimensions?: readonly unknown[]; measures: readonly string[] };

const measures = ['completed', 'avg_score', 'shortlisted'];
const asked = { dataset: 'interview_results', measures };
const week = [{ field: 'completed_at', grain: 'week' }];
const weeks = { ...asked, id: 'weeks', type: 'line', dimensions: week };
const total = { ...asked, id: 'total', type: 'kpi' };
const departments = { ...asked, id: 'departments', type: 'bar', dimensions: ['department'] };
/** These measures cannot be computed from sums by day: one counts distinct values, the other is a median. */
const others = { ...weeks, id: 'others', measures: ['candidates', 'median_score'] };

export const month: Question = {
  name: '30 days by week',
  days: 30,
  blocks: [weeks],
};
export const twoYears: Question = {
  name: 'two years by week',
  days: 730,
  blocks: [weeks],
};
export const twoYearsOfOthers: Question = {
  name: 'two years, people, median',
  days: 730,
  blocks: [others],
};
export const byDepartment: Question = {
  name: '90 days by department',
  days: 90,
  blocks: [departments],
};
export const twelveBlocks: Question = {
  name: '12 blocks, 90 days',
  days: 90,
  blocks: Array.from({ length: 12 }, (_, at) => ({
    ...([weeks, total, departments][at % 3] ?? weeks),
    id: `b${at}`,
  })),
};
