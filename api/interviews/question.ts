import { z } from 'zod';
import type { ErrorItem } from '../platform/operation/api-error';
import type { ErrorCode } from '../platform/operation/error-codes';
import { namedEnum } from '../platform/operation/named-enums';
import {
  asStored,
  freeObject,
  languageCode,
  optionalField,
  requiredText,
  text,
  uuid,
} from '../platform/operation/vocabulary';

const bracketItems = (answer: string) =>
  z
    .array(requiredText(500).meta({ description: 'One observable sign.' }))
    .max(20)
    .meta({ description: `What ${answer} answer shows, at most 20 items.` });

/** Describes what weak, moderate and strong answers show. */
export const expectations = z
  .object({
    weak: bracketItems('a weak'),
    moderate: bracketItems('a moderate'),
    strong: bracketItems('a strong'),
  })
  .meta({
    id: 'Expectations',
    description: 'The rubric: what weak, moderate and strong answers show.',
  });

/** The rubric of a question or session, as it is stored. */
export const storedRubric = z
  .looseObject({
    weak: z
      .array(z.string().meta({ description: 'A criterion.' }))
      .meta({ description: 'What weak answers show.' }),
    moderate: z
      .array(z.string().meta({ description: 'A criterion.' }))
      .meta({ description: 'What moderate answers show.' }),
    strong: z
      .array(z.string().meta({ description: 'A criterion.' }))
      .meta({ description: 'What strong answers show.' }),
  })
  .meta({ id: 'Rubric', description: 'What weak, moderate and strong answers show.' });

const meaning = {
  question: 'The question, as the candidate is asked it.',
  duration: 'The longest recording of the answer, in seconds. Null or 0: no limit. Typed answers have none.',
  platform_language_code: 'The language of the question. Left out: the language of the interview.',
  label:
    'A short name for lists and reports. Candidates see the labels of scored questions before they begin.',
  is_conditional:
    'True asks the question only if the answer to its main question (`conditional_question_main_id`) does not already cover it.',
  is_without_scoring: 'True excludes the answer from the score.',
  is_candidate_asking_recruiter: 'True lets the candidate ask questions at this point, which the AI answers.',
  is_expert: 'True marks a question on expert knowledge, which transcripts show as `with listening expert`.',
  is_multiple_choice:
    'True lets the candidate choose one of `question_alternatives`. The answer is scored by the rubric, without AI.',
  question_alternatives:
    'Of a multiple choice: the options in the order they are shown, 2 to 10 of at most 500 characters that look different. Of other questions: other wordings. Each attempt asks one, drawn from the question and these.',
  knowledge_base_id:
    'Id of the knowledge base that the answer is compared with, and with which follow-ups are chosen. What contradicts it is listed in `ai_analysis_recruiter`.',
  external_id: 'A reference of your own. Updates and transcripts identify the question by it.',
  external_data: 'Data of your own, a JSON object that transcripts return with the answer.',
  expectations:
    'The rubric of this question. Left out on create: the AI writes it. That of a multiple choice names options word for word: `strong` ones are right (5 points), `moderate` ones half right (3), all others wrong (1). Without a rubric, or with an empty one, a multiple choice is not scored. One that names only wrong options (`weak`) is a 422.',
};
const flag = (description: string) => z.boolean().meta({ description });
const duration = z.int().min(0).max(7_200).meta({ description: meaning.duration });
const alternatives = z
  .array(requiredText(1_000).meta({ description: 'An option, or another wording.' }))
  .max(50)
  .meta({ description: meaning.question_alternatives });
const parent = text(200).meta({
  description:
    'The main question of a conditional one: the `id` or `external_id` of a question earlier in the list.',
});
const language = languageCode.meta({ description: meaning.platform_language_code });
const asked = requiredText(5_000).meta({ description: meaning.question });
const label = text(200).meta({ description: meaning.label });
const knowledgeBaseId = uuid.toLowerCase().meta({ description: meaning.knowledge_base_id });
const externalId = requiredText(200).meta({ description: meaning.external_id });
const externalData = freeObject(16_384).meta({
  description: `${meaning.external_data} At most 16,384 characters.`,
});
const rubric = expectations.meta({ description: meaning.expectations });
const flags = {
  is_conditional: flag(meaning.is_conditional),
  is_without_scoring: flag(meaning.is_without_scoring),
  is_candidate_asking_recruiter: flag(meaning.is_candidate_asking_recruiter),
  is_expert: flag(meaning.is_expert),
  is_multiple_choice: flag(meaning.is_multiple_choice),
};
// Ids are converted to lower case, as Postgres returns them, so that a record cannot appear in two spellings.
const recordId = optionalField(uuid.toLowerCase()).meta({
  description: 'Id of the question. A question that is sent back unchanged keeps its record.',
});

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/**
 * Any text that names the question within the call. A UUID is converted to lower case, so that it can match the id of a
 * record.
 */
const handle = optionalField(
  text(200).transform((id) => (uuidPattern.test(id) ? id.toLowerCase() : id) || undefined),
).meta({
  description:
    'Any text. `conditional_question_main_id` of a later question can refer to it. If it is the id of an existing question with the same content, both share one record.',
});

/**
 * A question that create-from-array accepts. It has the shape that job-interview-get returns, and null means the same
 * as an omitted field.
 */
export const questionInput = z
  .object({
    question: asked,
    id: handle,
    duration: optionalField(duration),
    platform_language_code: optionalField(language),
    label: optionalField(label),
    is_conditional: optionalField(flags.is_conditional),
    is_without_scoring: optionalField(flags.is_without_scoring),
    is_candidate_asking_recruiter: optionalField(flags.is_candidate_asking_recruiter),
    is_expert: optionalField(flags.is_expert),
    is_multiple_choice: optionalField(flags.is_multiple_choice),
    question_alternatives: optionalField(alternatives),
    conditional_question_main_id: optionalField(parent),
    knowledge_base_id: optionalField(knowledgeBaseId),
    external_id: optionalField(externalId),
    external_data: optionalField(externalData),
    candidate_expectations_json: optionalField(rubric),
  })
  .meta({ id: 'QuestionInput', description: 'A question of a new interview.' });
export type QuestionInput = z.output<typeof questionInput>;

/** A question that update accepts. Omitted fields keep their values; null clears a field. */
export const questionUpdate = z
  .object({
    question: asked,
    id: recordId,
    duration: duration.nullish(),
    platform_language_code: language.optional(),
    label: label.nullish(),
    is_conditional: flags.is_conditional.optional(),
    is_without_scoring: flags.is_without_scoring.optional(),
    is_candidate_asking_recruiter: flags.is_candidate_asking_recruiter.optional(),
    is_expert: flags.is_expert.optional(),
    is_multiple_choice: flags.is_multiple_choice.optional(),
    question_alternatives: alternatives.nullish(),
    conditional_question_main_id: parent.nullish(),
    knowledge_base_id: knowledgeBaseId.nullish(),
    external_id: externalId.nullish(),
    external_data: externalData.nullish(),
    candidate_expectations_json: rubric.nullish(),
  })
  .meta({
    id: 'QuestionUpdate',
    description: 'A question of the complete list. Omitted fields keep their value; null clears a field.',
  });
export type QuestionUpdate = z.output<typeof questionUpdate>;

const maxQuestions = 100;

/**
 * The schema of a call's questions, 1 to 100 in order. `checkQuestions` finds errors that involve several questions.
 */
export const questionList = <T extends typeof questionInput | typeof questionUpdate>(shape: T) =>
  z.array(shape).min(1).max(maxQuestions);

/**
 * Finds errors that involve several questions: an `id` or `external_id` that is used twice, and a question whose
 * parent is not earlier in the list. Reads the list as it was sent, so these errors are found even if single
 * questions are invalid.
 */
export function checkQuestions(
  sent: unknown,
  { shape }: typeof questionInput | typeof questionUpdate,
): ErrorItem[] {
  if (!Array.isArray(sent) || sent.length > maxQuestions) return [];
  const errors: ErrorItem[] = [];
  const earlier = new Set<string>();
  let areNamesKnown = true;
  for (const [index, entry] of sent.entries()) {
    const question = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {};
    const fail = (field: keyof QuestionInput, code: ErrorCode, message: string) => {
      const name = `questions[${index}].${field}`;
      errors.push({ name, code, error: `${name} ${message}.` });
    };
    const parentField = 'conditional_question_main_id';
    const parentId = shape[parentField].safeParse(question[parentField]).data;
    // In an update, a question without this field keeps its parent, so only null or an empty text means that there is
    // no parent.
    const isMissing = shape === questionUpdate.shape ? parentId === null || parentId === '' : !parentId;
    if (question['is_conditional'] === true && isMissing)
      fail(parentField, 'required', 'is required for a conditional question');
    const isKnown = !parentId || earlier.has(parentId) || earlier.has(parentId.toLowerCase());
    if (!isKnown && areNamesKnown)
      fail(parentField, 'unknown_id', 'must be the id or external_id of a question earlier in the list');
    const names = (['id', 'external_id'] as const).map((field) => {
      const { data: name, success } = shape[field].safeParse(question[field]);
      // If a question's `id` or `external_id` is invalid, later questions may refer to it. Unknown parents are
      // therefore not reported from here on.
      if (!success) areNamesKnown = false;
      if (name && earlier.has(name)) fail(field, 'duplicate_value', 'must be unique in the list');
      return name;
    });
    for (const name of names) if (name) earlier.add(name);
  }
  return errors;
}

const maybe = (description: string) => z.string().nullable().meta({ description });

export const question = z
  .object({
    question: z.string().meta({ description: meaning.question }),
    id: z.string().meta({ description: 'Id of the question.' }),
    duration: z.number().nullable().meta({ description: meaning.duration }),
    platform_language_code: languageCode.meta({ description: 'The language of the question.' }),
    label: maybe(meaning.label),
    ...flags,
    question_alternatives: z
      .array(z.string().meta({ description: 'An option, or another wording.' }))
      .nullable()
      .meta({ description: meaning.question_alternatives }),
    conditional_question_main_id: maybe('Id of the main question of a conditional one.'),
    knowledge_base_id: maybe(meaning.knowledge_base_id),
    external_id: maybe(meaning.external_id),
    external_data: z.unknown().meta({ type: ['object', 'null'], description: meaning.external_data }),
    candidate_expectations_json: asStored(storedRubric).nullable().meta({
      description:
        'The rubric of this question. That of a multiple choice names its right (`strong`) and half right (`moderate`) options.',
    }),
    avatar_video: z
      .object({
        state: namedEnum('AvatarVideoState', ['rendering', 'ready', 'failed'], 'How far a video is.', {
          rendering: 'It is being rendered. Until then, the drawn figure speaks the question.',
          ready: 'Candidates see it.',
          failed:
            'It cannot be rendered, so the drawn figure speaks. `job-interview-render-videos` tries again.',
        }),
        ai_generated: z
          .literal(true)
          .meta({ description: 'Always true: figure and voice are generated by AI.' }),
      })
      .nullable()
      .meta({
        description:
          'The video in which a figure speaks the question, in all its wordings. Only on the template `offline_avatar_3`, and only if the platform has a provider of videos; else null. It belongs to the `id`: a question that is sent back unchanged keeps it.',
      }),
  })
  .meta({ id: 'Question', description: 'A question of an interview, in the order it is asked.' });
export type Question = z.output<typeof question>;
