import { randomUUID } from 'node:crypto';
import type { LockedInterview } from '../../db/interviews/locked-definition';
import { insertQuestions, linkSteps, listSteps, removeAllSteps } from '../../db/interviews/steps';
import type { InterviewStep } from '../../db/interviews/steps';
import type { Transaction } from '../../db/platform/database';
import { isPractice } from '../../db/platform/vocabulary';
import { ApiError } from '../platform/operation/api-error';
import { forPractice, languageTexts } from '../platform/text/language-texts';
import { requireQuestionRecords, validateKnowledgeBases } from './given-questions';
import { diffQuestions } from './question-diff';
import { stepFields } from './update-fields';
import type { InterviewUpdate } from './update-fields';

/** The fields with the text of a step that is not a question. */
const textFields = {
  welcome: 'welcome_message',
  instructional_video: 'instructional_video_custom_text',
  thank_you: 'thank_you_message',
} as const;

/**
 * Changes the questions of an interview and the texts around them. `fields` names what changed, and `report` is the
 * difference of the questions if they were sent. Returns undefined if the call sends no step. Throws 422 if the
 * interview is active and its template is offline, because the videos of such an interview are already rendered.
 */
export async function changeSteps(
  trx: Transaction,
  input: InterviewUpdate,
  interview: LockedInterview,
  after: { status: string; template: string | null },
) {
  if (stepFields.every((field) => input[field] === undefined)) return undefined;
  const existing = await trx.rows(listSteps(interview.id));
  const texts = changeTexts(existing, input, isPractice(interview.type));
  const diff = input.questions ? await diffSent(trx, input.questions, texts.steps, interview) : undefined;
  const steps = diff?.steps ?? texts.steps;
  const fields: string[] = [...texts.fields, ...(diff?.isChanged ? ['questions'] : [])];
  if (fields[0] === undefined) return { steps, fields, report: diff?.report };
  if (after.status === 'active' && after.template?.startsWith('offline'))
    throw new ApiError(
      'not_permitted_state',
      `${fields[0]} of an active interview on an offline template cannot change. Set its status to draft first.`,
      fields[0],
    );
  const records = [...texts.records, ...(diff?.records ?? [])];
  if (records.length > 0) await trx.count(insertQuestions(interview, records));
  await trx.count(removeAllSteps(interview.id));
  await trx.count(
    linkSteps(
      interview,
      interview.id,
      steps.map(({ id }) => id),
    ),
  );
  return { steps, fields, report: diff?.report };
}

/** Gives each step whose text changes a new record, because records are never changed. Null is the standard text. */
function changeTexts(
  existing: InterviewStep[],
  input: InterviewUpdate,
  isForLearners: boolean,
): { steps: InterviewStep[]; records: InterviewStep[]; fields: string[] } {
  const fields: string[] = [];
  const records: InterviewStep[] = [];
  const steps = existing.map((step) => {
    if (step.view === 'question') return step;
    const field = textFields[step.view];
    const sent = input[field];
    const language = step.platform_language_code;
    const text = sent || forPractice(languageTexts[language].steps, language, isForLearners)[step.view];
    if (sent === undefined || text === step.question) return step;
    const record = { ...step, id: randomUUID(), question: text };
    fields.push(field);
    records.push(record);
    return record;
  });
  const video = textFields.instructional_video;
  if (input[video] && !existing.some(({ view }) => view === 'instructional_video'))
    throw new ApiError(
      'not_applicable',
      `${video} needs an interview that was created with instructional_video.`,
      video,
    );
  return { steps, records, fields };
}

async function diffSent(
  trx: Transaction,
  questions: NonNullable<InterviewUpdate['questions']>,
  existing: InterviewStep[],
  interview: LockedInterview,
) {
  const linked = new Set(existing.filter(({ view }) => view === 'question').map((step) => step.id));
  const unlinked = questions.filter(({ id }) => id !== undefined && !linked.has(id));
  await validateKnowledgeBases(trx, questions, new Set(existing.map((step) => step.knowledge_base_id)));
  const records = await requireQuestionRecords(trx, questions, unlinked);
  return diffQuestions(
    existing,
    questions,
    records,
    interview.platform_language_code as InterviewStep['platform_language_code'],
  );
}
