import { datasets } from '../../db/reports/datasets/index';
import { visibleDatasets } from './language/build-catalog';
import type { Viewer } from './language/build-catalog';

/*
 * The platform's templates: reports that every merchant can run, and copy with `report-create`. Their ids never
 * change, and a test checks each definition.
 */

export type TemplateDefinition = {
  schema: 'platform.report/v1';
  title: string;
  filters?: Record<string, unknown>;
  blocks: readonly Record<string, unknown>[];
};

export type ReportTemplate = { id: string; definition: TemplateDefinition };

const schema = 'platform.report/v1';
const results = { dataset: 'interview_results' };

const list: ReportTemplate[] = [
  {
    id: '0198a000-0000-7000-8000-00000000c001',
    definition: {
      schema,
      title: 'Hiring month',
      filters: { period: { preset: 'last_30_days' } },
      blocks: [
        {
          ...results,
          id: 'key-figures',
          type: 'kpi',
          title: 'This period',
          measures: ['completed', 'avg_score', 'shortlisted', 'completion_rate'],
          compare: 'previous_period',
          width: 12,
        },
        {
          ...results,
          id: 'by-week',
          type: 'line',
          title: 'Completed interviews by week',
          dimensions: [{ field: 'completed_at', grain: 'week' }],
          measures: ['completed', 'shortlisted'],
          compare: 'previous_period',
          width: 8,
        },
        {
          ...results,
          id: 'decisions',
          type: 'pie',
          title: 'Decisions',
          dimensions: ['decision'],
          measures: ['completed'],
          width: 4,
        },
        {
          ...results,
          id: 'departments',
          type: 'bar',
          title: 'Completed by department',
          dimensions: ['department'],
          measures: ['completed', 'shortlisted'],
          limit: 10,
          width: 6,
        },
        {
          ...results,
          id: 'bands',
          type: 'bar',
          title: 'Scores',
          dimensions: ['score_band'],
          measures: ['completed'],
          sort: [{ field: 'score_band', dir: 'asc' }],
          width: 6,
        },
      ],
    },
  },
  {
    id: '0198a000-0000-7000-8000-00000000c002',
    definition: {
      schema,
      title: 'Funnel by position',
      filters: { period: { preset: 'last_90_days' } },
      blocks: [
        {
          ...results,
          id: 'funnel',
          type: 'funnel',
          title: 'From start to shortlist',
          measures: ['started', 'completed', 'shortlisted'],
          width: 12,
        },
        {
          ...results,
          id: 'positions',
          type: 'table',
          title: 'By position',
          dimensions: ['position_name'],
          measures: ['started', 'completed', 'completion_rate', 'shortlisted', 'shortlist_rate', 'avg_score'],
          limit: 100,
          width: 12,
        },
      ],
    },
  },
  {
    id: '0198a000-0000-7000-8000-00000000c003',
    definition: {
      schema,
      title: 'Interviewer load',
      filters: { period: { preset: 'last_30_days' } },
      blocks: [
        {
          ...results,
          id: 'waiting',
          type: 'kpi',
          title: 'Decisions',
          measures: ['undecided', 'avg_time_to_decision'],
          compare: 'previous_period',
          width: 12,
        },
        {
          ...results,
          id: 'recruiters',
          type: 'table',
          title: 'By recruiter',
          dimensions: ['recruiter'],
          measures: ['completed', 'undecided', 'shortlisted', 'rejected', 'avg_time_to_decision'],
          width: 12,
        },
        {
          ...results,
          id: 'weekdays',
          type: 'bar',
          title: 'Completed by day of the week',
          dimensions: ['day_of_week'],
          measures: ['completed'],
          sort: [{ field: 'day_of_week', dir: 'asc' }],
          width: 12,
        },
      ],
    },
  },
  {
    id: '0198a000-0000-7000-8000-00000000c004',
    definition: {
      schema,
      title: 'Credits',
      filters: { period: { preset: 'last_12_months' } },
      blocks: [
        {
          dataset: 'credits',
          id: 'totals',
          type: 'kpi',
          title: 'This period',
          measures: ['granted', 'consumed', 'refunded', 'expired'],
          width: 12,
        },
        {
          dataset: 'credits',
          id: 'by-month',
          type: 'bar',
          title: 'Used by month',
          dimensions: [{ field: 'occurred_at', grain: 'month' }],
          measures: ['consumed', 'granted'],
          width: 12,
        },
        {
          dataset: 'credits',
          id: 'interviews',
          type: 'table',
          title: 'By interview',
          dimensions: ['interview_name'],
          measures: ['interviews_charged', 'consumed'],
          width: 12,
        },
      ],
    },
  },
  {
    id: '0198a000-0000-7000-8000-00000000c005',
    definition: {
      schema,
      title: 'Coaching progress',
      filters: { period: { preset: 'last_90_days' } },
      blocks: [
        {
          dataset: 'coaching_sessions',
          id: 'key-figures',
          type: 'kpi',
          title: 'This period',
          measures: ['completed', 'learners', 'avg_score', 'repeat_rate'],
          compare: 'previous_period',
          width: 12,
        },
        {
          dataset: 'coaching_sessions',
          id: 'by-week',
          type: 'line',
          title: 'Sessions by week',
          dimensions: [{ field: 'completed_at', grain: 'week' }],
          measures: ['completed', 'avg_score'],
          width: 12,
        },
        {
          dataset: 'coaching_sessions',
          id: 'sessions',
          type: 'table',
          title: 'By session',
          dimensions: ['session_name'],
          measures: ['completed', 'learners', 'avg_score', 'avg_score_gain'],
          width: 12,
        },
      ],
    },
  },
];

export const templates: ReadonlyMap<string, ReportTemplate> = new Map(
  list.map((template) => [template.id, template]),
);

export const findTemplate = (id: string): ReportTemplate | undefined => templates.get(id.toLowerCase());

/** Returns the templates whose blocks all use datasets that the viewer may see. */
export function templatesFor(viewer: Viewer): ReportTemplate[] {
  const visible = visibleDatasets(datasets, viewer);
  return [...templates.values()].filter(({ definition }) =>
    definition.blocks.every(({ dataset }) => typeof dataset !== 'string' || visible.has(dataset)),
  );
}
