import type { Aggregate, Dataset } from '../dataset';
import { countOf, dimensionsOf, measuresOf, rateOf } from './fields';

/**
 * SQL that reads one row per step that a candidate of a position has reached, with the latest attempt at this step,
 * and one row per position without candidates.
 */
const pipeline = `(select * from position where status <> 'deleted') p
left join enrolment e on e.merchant_id = p.merchant_id and e.position_id = p.id
left join enrolment_step k on k.merchant_id = e.merchant_id and k.enrolment_id = e.id
left join position_step s on s.merchant_id = k.merchant_id and s.position_id = k.position_id and s.interview_id = k.interview_id
left join interview_result r on r.merchant_id = k.merchant_id and r.enrolment_id = k.enrolment_id
  and r.interview_id = k.interview_id and not r.is_test
left join report_attempt a on a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = r.attempt`;

/** SQL that is true for the row of the step where the candidate is now. */
const isCurrent = 'k.interview_id = e.interview_id';
const isOpen = `${isCurrent} and k.left_at is null`;
const candidateCount: Aggregate = { kind: 'count', when: isCurrent };
const advancedCount: Aggregate = { kind: 'count', when: `${isCurrent} and a.decision` };
const days = 'extract(epoch from now() - k.entered_at)::float8 / 86400';

export const positionPipeline: Dataset = {
  id: 'position_pipeline',
  label: 'Position pipeline',
  description:
    'The present state of positions: one row for each step that a candidate has reached, and one for each position without candidates. Tests and deleted positions are left out.',
  snapshot: true,
  from: pipeline,
  joins: {
    interview: 'left join interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id',
    recruiter: 'left join profile c on c.merchant_id = p.merchant_id and c.id = p.recruiter_profile_id',
  },
  time: null,
  filters: { position: 'p.id', interview: 'k.interview_id' },
  records: {
    result: 'r.id',
    attempt: 'r.attempt',
    candidate: 'e.id',
    key: `concat_ws('/', p.id, e.id, k.interview_id)`,
  },
  dimensions: dimensionsOf({
    position_id: { label: 'Position ID', description: 'Id of the position.', type: 'id', sql: 'p.id' },
    position_name: {
      label: 'Position',
      description: 'Name of the position.',
      type: 'text',
      tableOnly: true,
      sql: 'p.name',
    },
    position_status: {
      label: 'Position status',
      description: 'Status of the position. Deleted positions are left out.',
      type: 'text',
      values: ['draft', 'active', 'archived', 'preparing', 'completed'],
      sql: 'p.status',
    },
    step_index: {
      label: 'Step',
      description: 'Place of the step in its position: 1 is the first. Null without candidates.',
      type: 'integer',
      ordered: 'steps',
      sql: 's.step_order',
    },
    step_name: {
      label: 'Step name',
      description: 'Name of the interview of the step.',
      type: 'text',
      tableOnly: true,
      sql: 'i.name',
      joins: ['interview'],
    },
    department: {
      label: 'Department',
      description: 'Department of the position.',
      type: 'text',
      sql: 'p.interview_department',
    },
    recruiter: {
      label: 'Recruiter',
      description: 'Name of the recruiter of the position.',
      type: 'text',
      tableOnly: true,
      sql: 'c.name',
      joins: ['recruiter'],
    },
  }),
  measures: measuresOf({
    candidates: {
      label: 'Candidates',
      description: 'Candidates of the positions. A person in two positions counts twice.',
      type: 'integer',
      aggregate: candidateCount,
    },
    in_progress: countOf(
      'In progress',
      'Candidates whose attempt is begun and not yet submitted and scored.',
      `${isCurrent} and a.interview_status is not null and a.decision is null and not a.is_undecided and a.outcome in ('started', 'completed')`,
    ),
    awaiting_decision: countOf(
      'Awaiting decision',
      'Candidates whose scored attempt waits for a decision.',
      `${isCurrent} and a.is_undecided`,
    ),
    advanced: {
      label: 'Advanced',
      description: 'Candidates that a recruiter selected for the next round.',
      type: 'integer',
      aggregate: advancedCount,
    },
    rejected: countOf('Rejected', 'Candidates that a recruiter rejected.', `${isCurrent} and not a.decision`),
    open_positions: {
      label: 'Open positions',
      description: 'Active positions, also those without candidates.',
      type: 'integer',
      aggregate: { kind: 'distinct', of: 'p.id', when: `p.status = 'active'` },
    },
    step_conversion: rateOf(
      'Step conversion',
      'Candidates selected for the next round as a share of those who reached the step, also those who are further now.',
      { kind: 'count', when: `k.outcome = 'advanced'` },
      { kind: 'count', when: 'k.enrolment_id is not null' },
    ),
    avg_days_in_step: {
      label: 'Average days in step',
      description: 'Mean days that candidates without a decision have been at their step.',
      type: 'number',
      aggregate: { kind: 'avg', of: days, when: isOpen },
    },
    oldest_days_in_step: {
      label: 'Longest time in step',
      description: 'Most days that a candidate without a decision has been at the step.',
      type: 'number',
      tableOnly: true,
      aggregate: { kind: 'max', of: days, when: isOpen },
    },
  }),
};
