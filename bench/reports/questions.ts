/**
 * A question about the data of one merchant, written as blocks of a report and as queries of drizzle-cube that have
 * the same answers.
 */
export type Question = {
  name: string;
  /** The number of days in the shortest period of the question. */
  days: number;
  blocks: readonly Block[];
  cubes: (from: string, to: string) => readonly CubeQuery[];
};
export type Block = { id: string; dimensions?: readonly unknown[]; measures: readonly string[] };
export type CubeQuery = object;

const measures = ['completed', 'avg_score', 'shortlisted'];
const asked = { dataset: 'interview_results', measures };
const week = [{ field: 'completed_at', grain: 'week' }];
const weeks = { ...asked, id: 'weeks', type: 'line', dimensions: week };
const total = { ...asked, id: 'total', type: 'kpi' };
const departments = { ...asked, id: 'departments', type: 'bar', dimensions: ['department'] };
/** These measures cannot be computed from sums by day: one counts distinct values, the other is a median. */
const others = { ...weeks, id: 'others', measures: ['candidates', 'median_score'] };

const cubeOf = (from: string, to: string, { granularity, of = measures }: CubeOptions = {}): CubeQuery => ({
  measures: of.map((measure) => `Attempts.${measure}`),
  // A time dimension without granularity would group by every instant. With `fillMissingDates`, buckets without rows
  // would get averages of 0.
  ...(granularity === undefined
    ? { filters: [{ member: 'Attempts.at', operator: 'inDateRange', values: [from, to] }] }
    : {
        timeDimensions: [
          { dimension: 'Attempts.at', dateRange: [from, to], granularity, fillMissingDates: false },
        ],
      }),
});
type CubeOptions = { granularity?: string; of?: readonly string[] };

const cubes = {
  weeks: (from: string, to: string) => cubeOf(from, to, { granularity: 'week' }),
  total: (from: string, to: string) => cubeOf(from, to),
  departments: (from: string, to: string) => ({
    ...cubeOf(from, to),
    dimensions: ['Interviews.department'],
    order: { 'Attempts.completed': 'desc' },
    limit: 50,
  }),
};

export const month: Question = {
  name: '30 days by week',
  days: 30,
  blocks: [weeks],
  cubes: (from, to) => [cubes.weeks(from, to)],
};
export const twoYears: Question = {
  name: 'two years by week',
  days: 730,
  blocks: [weeks],
  cubes: (from, to) => [cubes.weeks(from, to)],
};
export const twoYearsOfOthers: Question = {
  name: 'two years, people, median',
  days: 730,
  blocks: [others],
  cubes: (from, to) => [cubeOf(from, to, { granularity: 'week', of: others.measures })],
};
export const byDepartment: Question = {
  name: '90 days by department',
  days: 90,
  blocks: [departments],
  cubes: (from, to) => [cubes.departments(from, to)],
};
export const twelveBlocks: Question = {
  name: '12 blocks, 90 days',
  days: 90,
  blocks: Array.from({ length: 12 }, (_, at) => ({
    ...([weeks, total, departments][at % 3] ?? weeks),
    id: `b${at}`,
  })),
  cubes: (from, to) =>
    Array.from(
      { length: 12 },
      (_, at) => [cubes.weeks, cubes.total, cubes.departments].map((each) => each(from, to))[at % 3],
    ).filter((each) => each !== undefined),
};
