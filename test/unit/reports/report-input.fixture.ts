import type { ReportInput } from '../../../api/reports/language/checked';
import { datasets } from './datasets.fixture';

export type Json = Record<string, unknown>;
export const results = { dataset: 'interview_results', measures: ['completed'] };
export const kpi: Json = { id: 'number', type: 'kpi', ...results };
export const week = { field: 'completed_at', grain: 'week' };
export const snapshot: Json = {
  id: 'now',
  type: 'table',
  dataset: 'position_pipeline',
  measures: ['candidates'],
};
export const inputOf = (blocks: unknown, more: Json = {}, rest: Partial<ReportInput> = {}): ReportInput => ({
  definition: { schema: 'platform.report/v1', title: ' Hiring ', blocks, ...more },
  datasets,
  now: new Date('2026-11-23T12:00:00Z'),
  merchantZone: 'Europe/Amsterdam',
  ...rest,
});
