import {
  averageOf,
  completedCount,
  isCompleted,
  isStarted,
  retakeCount,
  startedCount,
  timeToDecision,
} from './attempts';
import { countOf, measuresOf, rateOf } from './fields';

export const interviewResultMeasures = measuresOf({
  started: countOf('Started', 'Attempts that were begun, whatever became of them.', isStarted),
  completed: countOf('Completed', 'Attempts that were completed, also those that ended early.', isCompleted),
  abandoned: countOf('Abandoned', 'Attempts that the candidate abandoned.', `a.outcome = 'abandoned'`),
  failed: countOf(
    'Failed',
    'Attempts that failed, also those that ended because no speech was detected. Abandoned ones are left out.',
    `a.outcome = 'failed'`,
  ),
  candidates: {
    label: 'Candidates',
    description: 'Different people with an attempt. A person with several attempts counts once.',
    type: 'integer',
    aggregate: { kind: 'distinct', of: 'a.profile_id' },
  },
  retakes: {
    label: 'Retakes',
    description: 'Completed attempts after the first.',
    type: 'integer',
    aggregate: retakeCount,
  },
  shortlisted: countOf('Shortlisted', 'Attempts of candidates on the shortlist.', 'a.is_shortlisted'),
  advanced: countOf('Advanced', 'Attempts that a recruiter selected for the next round.', 'a.decision'),
  rejected: countOf('Rejected', 'Attempts that a recruiter rejected.', 'not a.decision'),
  undecided: countOf(
    'Undecided',
    'Completed, submitted and scored attempts that wait for a decision.',
    'a.is_undecided',
  ),
  with_risk_flags: countOf(
    'With risk flags',
    'Attempts with a risk that is flagged for the recruiter.',
    'a.has_risk_flags',
  ),
  completion_rate: rateOf(
    'Completion rate',
    'Completed attempts as a share of those begun.',
    completedCount,
    startedCount,
  ),
  shortlist_rate: rateOf(
    'Shortlist rate',
    'Completed attempts on the shortlist as a share of those completed.',
    { kind: 'count', when: `${isCompleted} and a.is_shortlisted` },
    completedCount,
  ),
  retake_rate: rateOf(
    'Retake rate',
    'Completed attempts after the first as a share of those completed.',
    retakeCount,
    completedCount,
  ),
  avg_coverage: {
    label: 'Average coverage',
    description: 'Mean share of the questions that a completed attempt covered.',
    type: 'percent',
    aggregate: averageOf('a.coverage'),
  },
  evidence_verified_rate: {
    label: 'Verified evidence',
    description:
      'Mean share of the quotes of a scoring that were found in the answers, over completed attempts with quotes.',
    type: 'percent',
    aggregate: averageOf('a.evidence_verified'),
  },
  avg_score: {
    label: 'Average score',
    description: 'Mean score of completed attempts that have one, from 0 to 10.',
    type: 'number',
    format: 'score',
    aggregate: averageOf('a.score'),
  },
  median_score: {
    label: 'Median score',
    description: 'Median score of completed attempts that have one, from 0 to 10.',
    type: 'number',
    format: 'score',
    aggregate: { kind: 'percentile', of: 'a.score', at: 0.5, when: isCompleted },
  },
  p90_score: {
    label: '90th percentile of scores',
    description: 'The score, from 0 to 10, that 90 % of completed attempts do not exceed.',
    type: 'number',
    format: 'score',
    aggregate: { kind: 'percentile', of: 'a.score', at: 0.9, when: isCompleted },
  },
  avg_recruiter_score: {
    label: 'Average score for recruiters',
    description:
      'Mean score of the assessment for recruiters, from 0 to 10, over completed attempts that have one.',
    type: 'number',
    format: 'score',
    aggregate: averageOf('a.recruiter_score'),
  },
  avg_pronunciation: {
    label: 'Average pronunciation',
    description: 'Mean score of the pronunciation, from 0 to 100, over completed attempts that have one.',
    type: 'number',
    format: 'score',
    aggregate: averageOf('a.pronunciation'),
  },
  avg_words_per_minute: {
    label: 'Average pace',
    description: 'Mean pace of speech in words per minute, over completed attempts that have one.',
    type: 'number',
    format: 'decimal1',
    aggregate: averageOf('a.words_per_minute'),
  },
  avg_duration: {
    label: 'Average duration',
    description: 'Mean duration of completed attempts, in seconds.',
    type: 'duration',
    aggregate: averageOf('a.duration'),
  },
  median_duration: {
    label: 'Median duration',
    description: 'Median duration of completed attempts, in seconds.',
    type: 'duration',
    aggregate: { kind: 'percentile', of: 'a.duration', at: 0.5, when: isCompleted },
  },
  avg_time_to_decision: {
    label: 'Average time to decision',
    description:
      'Mean time from submission, or else the end, to the decision of completed attempts, in seconds. Undecided ones are left out.',
    type: 'duration',
    aggregate: averageOf(timeToDecision),
  },
  last_completed_at: {
    label: 'Last completed at',
    description: 'When the latest completed attempt was completed.',
    type: 'date',
    tableOnly: true,
    aggregate: { kind: 'max', of: 'a.ended_at', when: isCompleted },
  },
});
