import { coachPlans } from '../../platform/vocabulary';
import type { Aggregate, Dataset } from '../dataset';
import {
  attemptRecords,
  averageOf,
  completedAt,
  completedCount,
  isCompleted,
  isStarted,
  retakeCount,
} from './attempts';
import { countOf, dimensionsOf, measuresOf, rateOf } from './fields';

const stepsFixed: Aggregate = { kind: 'sum', of: 'a.steps_fixed', when: isCompleted };

export const coachingSessions: Dataset = {
  id: 'coaching_sessions',
  label: 'Coaching sessions',
  description:
    'One row for each attempt of a learner at a coaching session or at practice with a persona, earlier attempts included. An attempt counts when it ended, or else when it began. Tests count only with include_test.',
  snapshot: false,
  from: `report_attempt a
    join interview i on i.merchant_id = a.merchant_id and i.id = a.interview_id and i.type in ('coaching', 'persona')`,
  joins: {
    first:
      'left join report_attempt f on f.merchant_id = a.merchant_id and f.result_id = a.result_id and f.attempt = 1',
    before:
      'left join report_attempt b on b.merchant_id = a.merchant_id and b.result_id = a.result_id and b.attempt = a.attempt - 1',
  },
  time: { column: 'a.instant', dimension: 'completed_at' },
  filters: { position: 'a.position_id', interview: 'a.interview_id', isTest: 'a.is_test' },
  records: attemptRecords,
  dimensions: dimensionsOf({
    completed_at: {
      label: 'Completed at',
      description:
        'When the session was completed; null for attempts that were not. As a time axis it also has those, at their end or else their start.',
      type: 'date',
      sql: completedAt,
    },
    interview_id: {
      label: 'Session ID',
      description: 'Id of the session.',
      type: 'id',
      sql: 'a.interview_id',
    },
    interview_type: {
      label: 'Interview type',
      description: 'Whether the learner was coached, or practiced with a persona whom the AI plays.',
      type: 'text',
      values: ['coaching', 'persona'],
      sql: 'i.type',
    },
    coach_plan: {
      label: 'Coaching plan',
      description: 'The plan that the session belongs to. Null without one.',
      type: 'text',
      values: coachPlans,
      sql: 'i.coach_plan',
    },
    language: {
      label: 'Language',
      description: 'The language of the session, as a code such as en.',
      type: 'text',
      sql: 'a.language',
    },
    session_name: {
      label: 'Session',
      description: 'Name of the session.',
      type: 'text',
      tableOnly: true,
      sql: 'i.name',
    },
    attempt: {
      label: 'Attempt',
      description: 'Number of the attempt: 1 is the first.',
      type: 'integer',
      sql: 'a.attempt',
    },
  }),
  measures: measuresOf({
    sessions: countOf('Sessions', 'Attempts that were begun, whatever became of them.', isStarted),
    completed: countOf(
      'Completed',
      'Attempts that were completed, also those that ended early.',
      isCompleted,
    ),
    learners: {
      label: 'Learners',
      description: 'Different people with an attempt. A person with several attempts counts once.',
      type: 'integer',
      aggregate: { kind: 'distinct', of: 'a.profile_id' },
    },
    steps_given: {
      label: 'Steps given',
      description: 'Next steps that the feedback on completed attempts gave to learners.',
      type: 'integer',
      aggregate: { kind: 'sum', of: 'a.steps_given', when: isCompleted },
    },
    steps_fixed: {
      label: 'Steps fixed',
      description: 'Next steps from the attempt before that learners did in a completed attempt.',
      type: 'integer',
      aggregate: stepsFixed,
    },
    avg_score: {
      label: 'Average score',
      description: 'Mean score of completed attempts that have one, from 0 to 10.',
      type: 'number',
      format: 'score',
      aggregate: averageOf('a.score'),
    },
    best_score: {
      label: 'Best score',
      description: 'Highest score of a completed attempt, from 0 to 10.',
      type: 'number',
      format: 'score',
      aggregate: { kind: 'max', of: 'a.score', when: isCompleted },
    },
    avg_score_gain: {
      label: 'Average gain',
      description:
        'Mean difference between the score of a repeated session and that of its first attempt, both from 0 to 10.',
      type: 'number',
      format: 'decimal2',
      joins: ['first'],
      aggregate: { kind: 'avg', of: 'a.score - f.score', when: `${isCompleted} and a.attempt > 1` },
    },
    repeat_rate: rateOf(
      'Repeat rate',
      'Completed attempts after the first as a share of those completed.',
      retakeCount,
      completedCount,
    ),
    fix_rate: {
      ...rateOf(
        'Fix rate',
        'Steps fixed as a share of the steps given after the attempts before, over completed attempts with feedback.',
        stepsFixed,
        { kind: 'sum', of: 'b.steps_given', when: `${isCompleted} and a.steps_fixed is not null` },
      ),
      joins: ['before'],
    },
    avg_duration: {
      label: 'Average duration',
      description: 'Mean duration of completed attempts, in seconds.',
      type: 'duration',
      aggregate: averageOf('a.duration'),
    },
    avg_words_per_minute: {
      label: 'Average pace',
      description: 'Mean pace of speech in words per minute, over completed attempts that have one.',
      type: 'number',
      aggregate: averageOf('a.words_per_minute'),
    },
  }),
};
