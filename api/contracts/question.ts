import { z } from 'zod';
import { freeObject, languageCode, optional, requiredText, text, uuid } from './vocabulary';

const bracketItems = z.array(requiredText(500)).max(20);

/** What weak, moderate and strong answers show. */
export const expectations = z.object({
  weak: bracketItems,
  moderate: bracketItems,
  strong: bracketItems,
});
export type Expectations = z.output<typeof expectations>;

const duration = z.int().min(0).max(7_200).meta({ description: 'Seconds.' });
const alternatives = z.array(requiredText(1_000)).max(50);
const parent = text(200).meta({
  description: 'The `id` or `external_id` of a question earlier in the list.',
});
// In the case Postgres answers, so that one record is never named twice in two spellings.
const recordId = optional(uuid.toLowerCase()).meta({
  description: 'Sent back unchanged, keeps the existing record.',
});

/** A question as create-from-array takes it: the shape that get answers (spec: Question); null as if left out. */
export const questionInput = z.object({
  question: requiredText(5_000),
  id: recordId,
  duration: optional(duration),
  platform_language_code: optional(languageCode),
  label: optional(text(200)),
  is_conditional: optional(z.boolean()),
  is_without_scoring: optional(z.boolean()),
  is_candidate_asking_recruiter: optional(z.boolean()),
  is_expert: optional(z.boolean()),
  is_multiple_choice: optional(z.boolean()),
  question_alternatives: optional(alternatives),
  conditional_question_main_id: optional(parent),
  knowledge_base_id: optional(uuid.toLowerCase()),
  external_id: optional(requiredText(200)),
  external_data: optional(freeObject(16_384)),
  candidate_expectations_json: optional(expectations),
});
export type QuestionInput = z.output<typeof questionInput>;

/** A question as update takes it: what is left out is carried over, null clears. */
export const questionUpdate = z.object({
  question: requiredText(5_000),
  id: recordId,
  duration: duration.nullish(),
  platform_language_code: languageCode.optional(),
  label: text(200).nullish(),
  is_conditional: z.boolean().optional(),
  is_without_scoring: z.boolean().optional(),
  is_candidate_asking_recruiter: z.boolean().optional(),
  is_expert: z.boolean().optional(),
  is_multiple_choice: z.boolean().optional(),
  question_alternatives: alternatives.nullish(),
  conditional_question_main_id: parent.nullish(),
  knowledge_base_id: uuid.toLowerCase().nullish(),
  external_id: requiredText(200).nullish(),
  external_data: freeObject(16_384).nullish(),
  candidate_expectations_json: expectations.nullish(),
});
export type QuestionUpdate = z.output<typeof questionUpdate>;

/** A call's ordered questions: 1 to 100, no `external_id` or `id` twice, parents before their children. */
export const questionList = <T extends typeof questionInput | typeof questionUpdate>(shape: T) =>
  z
    .array(shape)
    .min(1)
    .max(100)
    .superRefine((questions: (QuestionInput | QuestionUpdate)[], context) => {
      const earlier = new Set<string>();
      questions.forEach((question, index) => {
        const refuse = (field: keyof QuestionInput, message: string) =>
          context.addIssue({ code: 'custom', path: [index, field], message });
        const parentId = question.conditional_question_main_id;
        // On update a parent that is left out is carried over.
        const isMissing = shape === questionUpdate ? parentId === null || parentId === '' : !parentId;
        if (question.is_conditional && isMissing)
          refuse('conditional_question_main_id', 'is required for a conditional question');
        if (parentId && !earlier.has(parentId) && !earlier.has(parentId.toLowerCase()))
          refuse(
            'conditional_question_main_id',
            'must be the id or external_id of a question earlier in the list',
          );
        for (const field of ['id', 'external_id'] as const) {
          const name = question[field];
          if (name && earlier.has(name)) refuse(field, 'is used by two questions of the list');
        }
        for (const name of [question.id, question.external_id]) if (name) earlier.add(name);
      });
    });

export const question = z
  .object({
    question: z.string(),
    id: z.string(),
    duration: z.number().nullable(),
    platform_language_code: languageCode,
    label: z.string().nullable(),
    is_conditional: z.boolean(),
    is_without_scoring: z.boolean(),
    is_candidate_asking_recruiter: z.boolean(),
    is_expert: z.boolean(),
    is_multiple_choice: z.boolean(),
    question_alternatives: z.array(z.string()).nullable(),
    conditional_question_main_id: z.string().nullable(),
    knowledge_base_id: z.string().nullable(),
    external_id: z.string().nullable(),
    external_data: z.unknown().meta({ type: ['object', 'null'] }),
    candidate_expectations_json: z.unknown().meta({
      type: ['object', 'null'],
      description: 'Keys `weak`, `moderate`, `strong`, each an array of string.',
    }),
  })
  .meta({ id: 'Question' });
export type Question = z.output<typeof question>;
