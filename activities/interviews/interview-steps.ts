import { createHash, randomUUID } from 'node:crypto';
import { forPractice, languageTexts } from '../../api/platform/text/language-texts';
import type { UnbuiltInterview } from '../../db/interviews/interview-building';
import { blankQuestion } from '../../db/interviews/steps';
import type { InterviewStep } from '../../db/interviews/steps';
import { isPractice } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';

/**
 * Returns the steps of an interview in order (docs/interviews.md#steps). `records` are the steps that need a new
 * question record. `generated` counts the questions, without those for rapport and closing. `newId` creates the id of a
 * step from its position.
 */
export function buildSteps(
  interview: UnbuiltInterview,
  newId: (place: number) => string = () => randomUUID(),
): { steps: InterviewStep[]; records: InterviewStep[]; generated: number } {
  const { build_input: input, draft } = interview;
  const language = interview.platform_language_code as LanguageCode;
  const texts = forPractice(languageTexts[language].steps, language, isPractice(interview.type));
  let place = 0;
  const step = (
    view: InterviewStep['view'],
    question: string,
    more: Partial<InterviewStep> = {},
  ): InterviewStep => ({
    ...blankQuestion(language),
    ...(view === 'question' ? {} : { view, duration: null, is_without_scoring: true }),
    id: newId(++place),
    question,
    ...more,
  });

  const questions = input.questions
    ? input.questions.map(({ question, ...given }, index) =>
        step('question', question, {
          ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
          candidate_expectations_json:
            given.is_without_scoring || given.is_multiple_choice
              ? (given.candidate_expectations_json ?? null)
              : (given.candidate_expectations_json ??
                draft?.questions[index]?.candidate_expectations ??
                null),
        }),
      )
    : (draft?.questions ?? []).map(({ question, candidate_expectations, choice }) =>
        step(
          'question',
          question,
          choice ? drafted(choice, interview.id) : { candidate_expectations_json: candidate_expectations },
        ),
      );

  const steps = [
    step('welcome', input.welcome_message || texts.welcome),
    ...(input.instructional_video
      ? [step('instructional_video', input.instructional_video_custom_text || texts.instructional_video)]
      : []),
    ...(input.include_rapport_question
      ? [step('question', texts.rapport, { is_without_scoring: true })]
      : []),
    ...questions,
    ...(input.include_closing_prompt
      ? [step('question', texts.closing, { is_without_scoring: true, is_candidate_asking_recruiter: true })]
      : []),
    step('thank_you', input.thank_you_message || texts.thank_you),
  ];
  const shared = new Set(input.shared_question_ids);
  return { steps, records: steps.filter(({ id }) => !shared.has(id)), generated: questions.length };
}

/**
 * Returns the fields of a multiple choice that a model drafted. Models tend to name the right option first, so the options are
 * sorted by a hash.
 */
function drafted(
  { right, wrong }: { right: string; wrong: string[] },
  interviewId: string,
): Partial<InterviewStep> {
  const hashOf = (option: string) => createHash('sha256').update(`${interviewId} ${option}`).digest('hex');
  return {
    is_multiple_choice: true,
    question_alternatives: [right, ...wrong].toSorted((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1)),
    candidate_expectations_json: { weak: [], moderate: [], strong: [right] },
  };
}
