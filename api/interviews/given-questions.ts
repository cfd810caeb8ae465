import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkKnowledgeBases } from '../../db/interviews/knowledge-bases';
import { listQuestionsById } from '../../db/interviews/steps';
import type { InterviewStep } from '../../db/interviews/steps';
import type { Transaction } from '../../db/platform/database';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { uuid } from '../platform/operation/vocabulary';
import { unusableKnowledgeBase } from './knowledge-base-fields';
import type { Question, QuestionInput, QuestionUpdate } from './question';

/**
 * The fields that make up a question's content. They include neither `id`, which identifies the record, nor
 * `external_id`, which is the caller's name for the question.
 */
const contentFields = [
  'question',
  'duration',
  'platform_language_code',
  'label',
  'is_conditional',
  'is_without_scoring',
  'is_candidate_asking_recruiter',
  'is_expert',
  'is_multiple_choice',
  'question_alternatives',
  'knowledge_base_id',
  'external_id',
  'external_data',
  'candidate_expectations_json',
] as const satisfies (keyof QuestionInput)[];

/** Returns true if every field that was sent has the record's value. Omitted fields do not count. */
export const hasSameContent = (
  sent: QuestionInput | QuestionUpdate,
  record: Omit<Question, 'avatar_video'>,
): boolean =>
  contentFields.every((field) => sent[field] === undefined || isDeepStrictEqual(sent[field], record[field]));

/** Returns the merchant's question records with these ids. Ids that are not UUIDs are ignored. */
export async function findQuestionRecords(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, InterviewStep>> {
  const named = ids.filter((id) => uuid.safeParse(id).success);
  if (named.length === 0) return new Map();
  const records = await trx.rows(listQuestionsById(named));
  return new Map(records.filter(({ view }) => view === 'question').map((record) => [record.id, record]));
}

/**
 * Returns the merchant's question records that the questions in `lookedUp` name by id. Throws 422 if one of the
 * records does not exist. An update passes in `lookedUp` only the questions that the interview does not have yet.
 */
export async function requireQuestionRecords(
  trx: Transaction,
  questions: { id?: string }[],
  lookedUp = questions,
): Promise<Map<string, InterviewStep>> {
  const ids = lookedUp.flatMap(({ id }) => id ?? []);
  const records = await findQuestionRecords(trx, ids);
  throwAll(
    questions.flatMap(({ id }, index) => {
      if (id === undefined || !ids.includes(id) || records.has(id)) return [];
      const name = `questions[${index}].id`;
      return new ApiError(
        'unknown_id',
        `${name} does not name a question of the account. Leave it out for a new question.`,
        name,
      );
    }),
  );
  return records;
}

/**
 * Throws 422 if a question names a knowledge base that the merchant does not have, or an archived one that is not in
 * `kept`: the ids that the interview's questions name already.
 */
export async function validateKnowledgeBases(
  trx: Transaction,
  questions: { knowledge_base_id?: string | null }[],
  kept: ReadonlySet<string | null> = new Set(),
): Promise<void> {
  const ids = [...new Set(questions.flatMap((question) => question.knowledge_base_id ?? []))];
  if (ids.length === 0) return;
  const known = new Map((await trx.rows(checkKnowledgeBases(ids))).map(({ id, status }) => [id, status]));
  throwAll(
    questions.flatMap(({ knowledge_base_id: id }, index) => {
      if (!id) return [];
      const status = known.get(id) ?? null;
      if (status === 'active' || (status === 'archived' && kept.has(id))) return [];
      return unusableKnowledgeBase(`questions[${index}].knowledge_base_id`, status);
    }),
  );
}

/**
 * Gives every question the id of its record. A question shares an existing record if `keeps` returns the record's id;
 * otherwise it gets a new id. `conditional_question_main_id`, which is an earlier question's id or external_id, is
 * replaced with the id of that question's record.
 */
export function assignQuestionIds(
  questions: QuestionInput[],
  keeps: (question: QuestionInput, parentId: string | null) => string | undefined,
): (QuestionInput & { id: string })[] {
  const idOf = new Map<string, string>();
  return questions.map((question) => {
    const parent = question.conditional_question_main_id;
    const parentId = parent === undefined ? undefined : (idOf.get(parent) ?? idOf.get(parent.toLowerCase()));
    const id = keeps(question, parentId ?? null) ?? randomUUID();
    if (question.id !== undefined) idOf.set(question.id, id);
    if (question.external_id !== undefined) idOf.set(question.external_id, id);
    return { ...question, id, conditional_question_main_id: parentId };
  });
}
