import type { Dataset } from '../../../db/reports/dataset';
import { datasets as all } from '../../../db/reports/datasets';

const pick = <Field>(fields: ReadonlyMap<string, Field>, ids: string): ReadonlyMap<string, Field> => {
  const wanted = ids.split(' ');
  return new Map([...fields].filter(([id]) => wanted.includes(id)));
};
const some = (id: string, dimensions: string, measures: string): [string, Dataset] => {
  const whole = all.get(id);
  if (!whole) throw new Error(`no dataset ${id}`);
  return [
    id,
    {
      ...whole,
      dimensions: pick(whole.dimensions, dimensions),
      measures: pick(whole.measures, measures),
    },
  ];
};

/**
 * Datasets of the product with few of their fields, so that the sentences that list them stay short: one of attempts,
 * one that describes the present state, and two that have less in common with them.
 */
export const datasets: ReadonlyMap<string, Dataset> = new Map([
  some(
    'interview_results',
    'completed_at started_at position_id interview_type department decision score_band position_name attempt is_test',
    'started completed shortlisted avg_coverage avg_score avg_duration last_completed_at',
  ),
  some('position_pipeline', 'position_id position_status department', 'candidates rejected'),
  some('coaching_sessions', 'completed_at interview_type', 'sessions'),
  some('credits', 'occurred_at bucket', 'consumed'),
]);
