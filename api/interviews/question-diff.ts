import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { blankQuestion } from '../../db/interviews/steps';
import type { InterviewStep } from '../../db/interviews/steps';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { checkChoices } from './choices';
import { hasSameContent } from './given-questions';
import type { QuestionUpdate } from './question';
import type { questionsDiff } from './update-fields';

type QuestionDiff = {
  /** All steps after the change, in order. */
  steps: InterviewStep[];
  /** The steps for which a new record must be stored. */
  records: InterviewStep[];
  isChanged: boolean;
  report: Omit<z.output<typeof questionsDiff>, 'reactivated'>;
};

/**
 * Compares the complete new list with the existing steps (docs/interviews.md#updating-an-interview). `records` contains
 * the merchant's question records that the list refers to by id. Throws 422 for new records that cannot be asked.
 */
export function diffQuestions(
  existing: InterviewStep[],
  sent: QuestionUpdate[],
  records: ReadonlyMap<string, InterviewStep>,
  language: InterviewStep['platform_language_code'],
): QuestionDiff {
  const before = existing.filter(({ view }) => view === 'question');
  const matches = matchQuestions(before, sent);
  /**
   * Maps each `id` and `external_id` in the list to the id that the question's record has after the change. The id of
   * a replaced record is also a key.
   */
  const idOf = new Map<string, string>();
  const kept: string[] = [];
  const added: string[] = [];
  const replaced: { from: string; to: string }[] = [];
  const errors: ApiError[] = [];

  const after = sent.map((question, index): InterviewStep => {
    const match = matches[index];
    const named = question.id === undefined ? undefined : records.get(question.id);
    const base = match ?? named;
    const parentId = resolveParent(question, base, idOf, index);
    if (parentId === null && (question.is_conditional ?? base?.is_conditional)) throw parentMissing(index);
    const isSame =
      base !== undefined && hasSameContent(question, base) && base.conditional_question_main_id === parentId;
    const step = isSame ? base : toRecord(question, base, parentId, language);
    if (!isSame) errors.push(...checkChoices(step, `questions[${index}]`));
    if (!match) added.push(step.id);
    else if (isSame) kept.push(step.id);
    else replaced.push({ from: match.id, to: step.id });
    for (const name of [question.id, question.external_id, base?.id]) if (name) idOf.set(name, step.id);
    return step;
  });
  throwAll(errors);

  const first = existing.findIndex(({ view }) => view === 'question');
  const head = existing.slice(0, Math.max(first, 0)).filter(({ view }) => view !== 'question');
  const tail = existing.slice(Math.max(first, 0)).filter(({ view }) => view !== 'question');
  const steps = [...head, ...after, ...tail];
  const matched = new Set(matches);
  const oldIds = new Set(existing.map(({ id }) => id));
  return {
    steps,
    records: after.filter(({ id }) => !oldIds.has(id) && !records.has(id)),
    isChanged: !isDeepStrictEqual(
      steps.map(({ id }) => id),
      existing.map(({ id }) => id),
    ),
    report: {
      kept,
      added,
      removed: before.filter((step) => !matched.has(step)).map(({ id }) => id),
      replaced,
      question_ids: steps.map(({ id }) => id),
    },
  };
}

/**
 * Matches the sent questions with existing ones: first by `external_id`, then by `id`, and only then by content, so
 * that a match by content never uses a question that another entry of the list names.
 */
function matchQuestions(before: InterviewStep[], sent: QuestionUpdate[]): (InterviewStep | undefined)[] {
  const free = new Set(before);
  const matches = sent.map((): InterviewStep | undefined => undefined);
  const passes: ((question: QuestionUpdate, step: InterviewStep) => boolean)[] = [
    (question, step) => Boolean(question.external_id) && question.external_id === step.external_id,
    (question, step) => question.id === step.id,
    (question, step) => question.id === undefined && hasSameContent(question, step),
  ];
  for (const isMatch of passes)
    sent.forEach((question, index) => {
      if (matches[index]) return;
      const match = [...free].find((step) => isMatch(question, step));
      if (!match) return;
      matches[index] = match;
      free.delete(match);
    });
  return matches;
}

function resolveParent(
  question: QuestionUpdate,
  base: InterviewStep | undefined,
  idOf: ReadonlyMap<string, string>,
  index: number,
): string | null {
  const parent = question.conditional_question_main_id;
  if (parent === null) return null;
  const named = parent ?? base?.conditional_question_main_id;
  if (!named) return null;
  const id = idOf.get(named) ?? idOf.get(named.toLowerCase());
  if (id !== undefined) return id;
  const name = `questions[${index}].conditional_question_main_id`;
  throw new ApiError(
    'unknown_id',
    `${name} must name a question earlier in the list. Its main question was removed or moved.`,
    name,
  );
}

function parentMissing(index: number): ApiError {
  const name = `questions[${index}].conditional_question_main_id`;
  return new ApiError('required', `${name} is required for a conditional question.`, name);
}

/** Builds a new record from the sent fields and, for omitted fields, from the record that it replaces. */
function toRecord(
  question: QuestionUpdate,
  base: InterviewStep | undefined,
  parentId: string | null,
  language: InterviewStep['platform_language_code'],
): InterviewStep {
  return {
    ...blankQuestion(language),
    ...base,
    ...withoutUndefined(question),
    id: randomUUID(),
    conditional_question_main_id: parentId,
  };
}
