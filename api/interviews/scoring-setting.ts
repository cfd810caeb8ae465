import { isDeepStrictEqual } from 'node:util';
import type { InterviewUpdate } from './update-fields';

/** A field of an update whose value changes, with the new values of its columns. */
export type ColumnChange = { field: string; columns: Record<string, unknown> };

const defaultScoring = {
  max_score: 10,
  early_stop: false,
  speech_cadence: 0,
  ai_pronunciation: 0,
  sentiment_analysis: 0,
  ai_assessment_answer: 0.5,
  ai_assessment_resume: 0,
  ai_assessment_session: 0.5,
  max_retries: 1,
};

/** Merges `custom_scoring` and `interview_attempts` into `base`. Returns `base` unchanged if neither was sent. */
export function mergeScoring(
  base: Record<string, unknown> | null,
  custom: Record<string, unknown> | undefined,
  attempts: number | undefined,
): Record<string, unknown> | null {
  if (custom === undefined && attempts === undefined) return base;
  return {
    ...defaultScoring,
    ...base,
    ...custom,
    ...(attempts === undefined ? {} : { max_retries: attempts }),
  };
}

/**
 * Returns the change that `custom_scoring` or `interview_attempts` makes, or an empty list if there is none. Both
 * fields are stored in the column `result_scoring`.
 */
export function findScoringChange(
  field: 'custom_scoring' | 'interview_attempts',
  { custom_scoring: custom, interview_attempts: attempts }: InterviewUpdate,
  stored: unknown,
): ColumnChange[] {
  const before = stored as Record<string, unknown> | null;
  const after = mergeScoring(custom === null ? null : before, custom ?? undefined, attempts ?? undefined);
  if (isDeepStrictEqual(after, before)) return [];
  const areAttemptsNew = after?.['max_retries'] !== before?.['max_retries'];
  const isRestNew = !isDeepStrictEqual({ ...after, max_retries: 0 }, { ...before, max_retries: 0 });
  const isNamed =
    field === 'custom_scoring' ? isRestNew || attempts === undefined : areAttemptsNew || custom === undefined;
  return isNamed ? [{ field, columns: { result_scoring: after } }] : [];
}
