/*
 * The enums of a result (docs/results.md#states). test/db/platform/vocabulary.test.ts compares them with the CHECK
 * constraints.
 */

/** A result is a `draft` until the candidate submits it. */
export const resultStatuses = ['draft', 'active'] as const;
/**
 * Values of `interview_status`: `collectedStatuses` mean that the attempt has ended with answers, and
 * `failedStatuses` mean that it ended without a result.
 */
const collectedStatuses = ['completed', 'completed, stopped early'] as const;
export const failedStatuses = ['failed', 'abandoned', 'terminated, no speech detected'] as const;
export const coachStatuses = ['started', ...collectedStatuses, ...failedStatuses] as const;
export const processingStatuses = ['queued', 'processing', 'completed', 'failed'] as const;
/** Why an attempt has ended. */
export const completionReasons = [
  'all_questions_answered',
  'time_over',
  'stopped_early',
  'no_speech',
  'left',
  'technical_error',
] as const;
/** Why the remaining scored questions of an attempt were skipped. */
export const stopReasons = ['enough', 'empty'] as const;
export type StoppedBecause = (typeof stopReasons)[number];
/** How well the answers fit a department. */
export const departmentFits = ['strong', 'partial', 'none'] as const;
/** The values of `view`, which says what kind of turn an entry of the transcript is. */
export const transcriptViews = [
  'with listening',
  'with listening conditional',
  'with listening expert',
  'without scoring',
  'candidate asking recruiter',
  'multiple choice',
  'welcome',
  'thank you',
  'instructional video',
] as const;
export const riskSeverities = ['warning', 'issue'] as const;
