import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';

const label = (id: string) => id.replaceAll('_', ' ');
const dimension = (
  id: string,
  type: Dimension['type'],
  more: Partial<Dimension> = {},
): [string, Dimension] => [
  id,
  { id, kind: 'dimension', type, format: 'text', label: label(id), description: '', sql: `r.${id}`, ...more },
];
const measure = (id: string, type: Measure['type'], more: Partial<Measure> = {}): [string, Measure] => [
  id,
  {
    id,
    kind: 'measure',
    type,
    format: 'integer',
    label: label(id),
    description: '',
    aggregate: { kind: 'count' },
    ...more,
  },
];

const results: Dataset = {
  id: 'interview_results',
  label: 'Interview results',
  description: 'One row per attempt.',
  snapshot: false,
  from: 'report_attempt r',
  joins: {},
  time: { column: 'r.at', dimension: 'completed_at' },
  filters: { position: 'r.position_id', interview: 'r.interview_id', isTest: 'r.is_test' },
  records: { result: 'a.result_id', attempt: 'a.attempt', candidate: 'null' },
  dimensions: new Map([
    dimension('completed_at', 'date'),
    dimension('started_at', 'date'),
    dimension('position_id', 'id'),
    dimension('department', 'text'),
    dimension('decision', 'text', { values: ['advance', 'reject', 'undecided'] }),
    dimension('score_band', 'text', { values: ['0-4', '4-6', '6-8', '8-10'], ordered: 'steps' }),
    dimension('position_name', 'text', { tableOnly: true }),
    dimension('attempt', 'integer'),
    dimension('is_test', 'boolean'),
  ]),
  measures: new Map([
    measure('started', 'integer'),
    measure('completed', 'integer'),
    measure('shortlisted', 'integer'),
    measure('avg_coverage', 'percent'),
    measure('avg_score', 'number', { format: 'score' }),
    measure('avg_duration', 'duration'),
    measure('last_completed_at', 'date', { tableOnly: true }),
  ]),
};

const pipeline: Dataset = {
  id: 'position_pipeline',
  label: 'Position pipeline',
  description: 'Where candidates are now.',
  snapshot: true,
  from: 'enrolment_step r',
  joins: {},
  time: null,
  filters: { position: 'r.position_id' },
  records: { result: 'a.result_id', attempt: 'a.attempt', candidate: 'null' },
  dimensions: new Map([
    dimension('position_id', 'id'),
    dimension('department', 'text'),
    dimension('decision', 'text', { values: ['advance', 'hold'] }),
  ]),
  measures: new Map([measure('candidates', 'integer'), measure('rejected', 'integer')]),
};

const credits: Dataset = {
  ...results,
  id: 'credits',
  label: 'Credits',
  hiddenFromHiringManagers: true,
  isOfCharges: true,
  filters: {},
  records: { result: 'a.result_id', attempt: 'a.attempt', candidate: 'null' },
  dimensions: new Map([
    dimension('occurred_at', 'date'),
    dimension('bucket', 'text', { values: ['monthly', 'single'] }),
  ]),
  measures: new Map([measure('consumed', 'number')]),
};

/**
 * Small datasets: one of attempts, one that describes the present state, and one that is hidden from hiring managers.
 */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [results, pipeline, credits].map((dataset) => [dataset.id, dataset]),
);
