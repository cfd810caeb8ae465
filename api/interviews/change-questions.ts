import type { LockedInterview } from '../../db/interviews/locked-definition';
import { insertQuestions, linkSteps, listSteps, unlinkSteps } from '../../db/interviews/steps';
import type { Step } from '../../db/interviews/steps';
import type { Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { findNamedRecords, validateKnowledgeBases } from './given-questions';
import { diffQuestions } from './question-diff';
import type { InterviewUpdate } from './update-fields';

/**
 * Replaces an interview's questions with the complete list that was sent, and returns the difference. Throws 422 if the
 * interview is active and its template is offline, because the videos of such an interview are already rendered.
 */
export async function changeQuestions(
  trx: Transaction,
  questions: NonNullable<InterviewUpdate['questions']>,
  interview: LockedInterview,
  after: { status: string; template: string | null },
) {
  const existing = await trx.rows(listSteps(interview.id));
  const linked = new Set(existing.filter(({ view }) => view === 'question').map((step) => step.id));
  const unlinked = questions.filter(({ id }) => id !== undefined && !linked.has(id));
  await validateKnowledgeBases(trx, questions);
  const records = await findNamedRecords(trx, questions, unlinked);
  const diff = diffQuestions(
    existing,
    questions,
    records,
    interview.platform_language_code as Step['platform_language_code'],
  );
  if (!diff.isChanged) return diff;
  if (after.status === 'active' && after.template?.startsWith('offline'))
    throw new ApiError(
      'not_permitted_state',
      'questions of an active interview on an offline template cannot change. Set its status to draft first.',
      'questions',
    );
  if (diff.records.length > 0) await trx.count(insertQuestions(interview, diff.records));
  await trx.count(unlinkSteps(interview.id));
  await trx.count(linkSteps(interview, interview.id, diff.report.question_ids));
  return diff;
}
