import { z } from 'zod';
import type { InterviewDraft, UnbuiltInterview } from '../../db/interviews/interview-building';
import { personaParts, playsPersona } from '../../db/interviews/persona';
import type { Persona } from '../../db/interviews/persona';
import { maxOptionCharacters, optionLimits } from '../../db/interviews/question-row';
import { languages, seniorityLevels } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { completePersona } from './persona-draft';
import type { DraftingBrief } from './prompts';

/**
 * Matches a visible character. A text without a visible character, such as one of format characters only, would look
 * empty.
 */
const visible = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u;

const whole = (value: string) => !value.includes('\0') && value.isWellFormed();
const malformedText = { error: 'it contains a NUL character or half of a surrogate pair' };
const text = (max: number) => z.string().max(max).refine(whole, malformedText);
const shownText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(whole, malformedText)
    .refine((value) => visible.test(value), { error: 'it has no visible text' });

const item = shownText(500);
/** An item with an example. It is stored as one text, so that rubrics have one form. */
const itemWithExample = z
  .object({ shows: shownText(240), example: shownText(240) })
  .transform(({ shows, example }) => `${shows} – ${example}`);
const rubricOf = (one: typeof item | typeof itemWithExample) =>
  z.object({ weak: z.array(one), moderate: z.array(one), strong: z.array(one) });
/** The options of a multiple choice. The shape allows exactly one right option. */
const choice = z.object({
  right: shownText(maxOptionCharacters),
  wrong: z.array(shownText(maxOptionCharacters)),
});

/** The person whom the AI plays. */
const persona = z.object(
  Object.fromEntries(personaParts.map((part) => [part, shownText(1_000)])) as Record<
    keyof Persona,
    ReturnType<typeof shownText>
  >,
);

/**
 * Returns the shape of the model's answer. Strict structured output requires every key, but rejects limits on lengths and
 * numbers, so `readDraft` checks these limits.
 */
export function draftZodSchema(
  brief: Pick<DraftingBrief, 'enhanced_expectations' | 'wants_choices' | 'given_persona'>,
) {
  const rubric = rubricOf(brief.enhanced_expectations ? itemWithExample : item);
  const open = z.object({ question: shownText(5_000), candidate_expectations: rubric });
  const draft = z.object({
    description: text(5_000),
    description_long: text(50_000),
    seniority_level: z.enum(seniorityLevels),
    candidate_expectations: rubric,
    questions: z.array(brief.wants_choices ? open.extend({ choice: choice.nullable() }) : open),
  });
  return brief.given_persona ? draft.extend({ persona }) : draft;
}

const unsupportedInStrictMode = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  '$schema',
]);

/** Returns `draftZodSchema` as a strict JSON schema, without the limits that strict mode does not accept. */
export function draftJsonSchema(brief: Parameters<typeof draftZodSchema>[0]): Record<string, unknown> {
  const schema = z.toJSONSchema(draftZodSchema(brief), {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
    },
  });
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    unsupportedInStrictMode.has(key) ? undefined : value,
  ) as Record<string, unknown>;
}

/** Returns the data about the interview that the prompt contains. */
export function toDraftingBrief(interview: UnbuiltInterview): DraftingBrief {
  const input = interview.build_input;
  const company = input.hiring_for_company;
  const unnamed = company?.undisclosed === true || company?.name.trim().toLowerCase() === 'undisclosed';
  const code = interview.platform_language_code as LanguageCode;
  return {
    name: interview.name,
    location: interview.interview_location,
    type: interview.type,
    interview_type: input.interview_type,
    tone: input.interview_tone,
    language: { code, name: languages[code].name },
    question_count: input.questions?.length ?? input.question_count,
    seniority_level: input.seniority_level,
    given_description: interview.description,
    needs_description_long: needsLongDescription(interview),
    given_questions: input.questions?.map(({ question }) => question) ?? null,
    candidate_expectations: interview.candidate_expectations,
    company: company
      ? { ...company, name: unnamed ? 'an unnamed client' : company.name }
      : { name: interview.merchant_name },
    additional_context: input.additional_context,
    enhanced_expectations: input.use_enhanced_expectations,
    wants_choices: interview.type === 'assessment' && input.questions === null,
    department: interview.interview_department,
    ...(playsPersona(interview.type) ? { given_persona: input.persona ?? {} } : {}),
  };
}

/**
 * Returns true if the model must write the long description: only for interviews and assessments whose request
 * contains none.
 */
export const needsLongDescription = ({ type, interview_description_long }: UnbuiltInterview): boolean =>
  (type === 'interview' || type === 'assessment') && interview_description_long === null;

/**
 * Returns true if the request contained everything that the model would write, which job-interview-create-from-array
 * allows.
 */
export function needsNoDraft(interview: UnbuiltInterview): boolean {
  const { questions, candidate_expectations_json, seniority_level } = interview.build_input;
  return (
    questions !== null &&
    questions.every(
      ({ is_without_scoring, is_multiple_choice, candidate_expectations_json: rubric }) =>
        is_without_scoring || is_multiple_choice || rubric,
    ) &&
    candidate_expectations_json !== null &&
    seniority_level !== null &&
    interview.description !== null &&
    !needsLongDescription(interview) &&
    (!playsPersona(interview.type) || completePersona(interview) !== null)
  );
}

/**
 * Parses and validates the model's answer. Returns the draft, or a description of the problem that is sent to the
 * model for a second try.
 */
export function readDraft(
  content: string,
  brief: DraftingBrief,
): { draft: InterviewDraft; problem?: undefined } | { draft?: undefined; problem: string } {
  let json: unknown;
  try {
    // Some OpenAI-compatible servers wrap the JSON in a Markdown fence despite the schema.
    json = JSON.parse(content.replaceAll(/^\s*```(?:json)?|```\s*$/g, ''));
  } catch {
    return { problem: 'it is not valid JSON' };
  }
  const parsed = draftZodSchema(brief).safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { problem: `${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'is malformed'}` };
  }
  const draft: InterviewDraft = parsed.data;
  const problem = findProblem(draft, brief);
  return problem === undefined ? { draft } : { problem };
}

/**
 * Matches white space and sentence punctuation between words. Does not match the signs that distinguish "C#" or "C++"
 * from "C", and ".NET" from "NET".
 */
const betweenWords =
  /(?:\s|\p{Default_Ignorable_Code_Point}|(?<=[\p{L}\p{N}#+.])\.|\.(?![\p{L}\p{N}])|(?![.#@%&*/\\_])\p{P})+/gu;

const fold = (value: string) => value.normalize('NFKC').toLowerCase().replaceAll(betweenWords, ' ').trim();

function findProblem(draft: InterviewDraft, brief: DraftingBrief): string | undefined {
  const { questions } = draft;
  const count = questions.length;
  if (brief.question_count === null && (count < 5 || count > 8))
    return `it has ${count} questions and needs 5 to 8`;
  if (brief.question_count !== null && count !== brief.question_count)
    return `it has ${count} questions and needs exactly ${brief.question_count}`;
  if (brief.given_questions === null && new Set(questions.map(({ question }) => fold(question))).size < count)
    return 'a question occurs twice';
  if (brief.given_description === null && !visible.test(draft.description)) return 'the description is empty';
  if (brief.needs_description_long && !visible.test(draft.description_long))
    return 'description_long is empty';
  const choices = questions.filter((question) => question.choice);
  if (brief.wants_choices && (choices.length === 0 || (count > 1 && choices.length === count)))
    return 'it needs multiple choices and open questions';
  const rubrics = [
    { name: 'candidate_expectations', rubric: draft.candidate_expectations },
    ...questions.flatMap((question, index) =>
      question.choice
        ? []
        : {
            name: `questions[${index}].candidate_expectations`,
            rubric: question.candidate_expectations,
          },
    ),
  ];
  const least = brief.enhanced_expectations ? 5 : 3;
  for (const { name, rubric: brackets } of rubrics) {
    for (const [bracket, items] of Object.entries(brackets))
      if (items.length < least || items.length > 5)
        return `${name}.${bracket} has ${items.length} items and needs ${least === 5 ? 'exactly 5' : '3 to 5'}`;
    const items = Object.values(brackets).flat().map(fold);
    if (new Set(items).size < items.length) return `${name} lists an item twice`;
  }
  return questions.map((question, index) => findChoiceProblem(question.choice, index)).find(Boolean);
}

function findChoiceProblem(
  options: InterviewDraft['questions'][number]['choice'],
  index: number,
): string | undefined {
  if (!options) return undefined;
  const { right, wrong } = options;
  const { min, max } = optionLimits;
  if (wrong.length + 1 < min || wrong.length + 1 > max)
    return `questions[${index}].choice has ${wrong.length + 1} options and needs ${min} to ${max}`;
  const all = [right, ...wrong].map(fold);
  return new Set(all).size < all.length ? `questions[${index}].choice has an option twice` : undefined;
}
