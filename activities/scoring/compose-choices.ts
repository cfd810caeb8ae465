import { languageTexts } from '../../api/platform/text/language-texts';
import { textReader } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { isChoice } from './choices';
import { foldText } from './fold';
import type { JudgedStep } from './judged-steps';
import { toSentencePart } from './left-out';
import type { Bracket, NextStep, CoachingTakeaways } from './types';

/** The highest number of sentences in each list of takeaways. */
const maxSentences = 4;

/** Says whether a choice was right. It does not name the right option, because not every `result_view` shows the key. */
export const composeChoice = (bracket: Bracket, language: LanguageCode): string =>
  `${languageTexts[language].candidate_pages[`choice_${bracket}`]}${languageTexts[language].summary.stop}`;

/** Says how many choices were right. */
export function composeRightChoices(judged: readonly JudgedStep[], language: LanguageCode): string | null {
  const scored = scoredChoices(judged);
  if (scored.length === 0) return null;
  const { right_choices: label, stop } = languageTexts[language].summary;
  const right = textReader(languageTexts[language].candidate_pages, language)('score_of', {
    number: scored.filter(({ bracket }) => bracket === 'strong').length,
    of: scored.length,
  });
  return `${label}${right}${stop}`;
}

/**
 * Adds the choices of a learner to the takeaways: each question with whether the answer was right, and never the right option.
 * A choice that was wrong or half right is a next step.
 */
export function addChoicesToTakeaways(
  takeaways: CoachingTakeaways | null,
  judged: readonly JudgedStep[],
  { language, previous_steps }: { language: LanguageCode; previous_steps: readonly string[] },
): CoachingTakeaways | null {
  const choices = scoredChoices(judged);
  if (choices.length === 0) return takeaways;
  const say = (question: string, bracket: Bracket): string =>
    `${toSentencePart(question)} – ${composeChoice(bracket, language)}`;
  const right = choices.filter(({ bracket }) => bracket === 'strong');
  const steps = choices
    .filter(({ bracket }) => bracket !== 'strong')
    .toSorted((one, other) => Number(other.bracket === 'weak') - Number(one.bracket === 'weak'))
    .map(({ question, bracket }): NextStep => ({
      text: say(question, bracket),
      priority: bracket === 'weak' ? 'impact' : 'quick',
      guidance: { kind: 'exercise', text: languageTexts[language].summary.choice_guidance },
      proof: [],
    }));
  const done = new Set(
    right.flatMap(({ question }) =>
      (['weak', 'moderate'] as const).map((bracket) => foldText(say(question, bracket))),
    ),
  );
  return {
    what_went_well: [
      ...(takeaways?.what_went_well ?? []),
      ...right.map(({ question }) => say(question, 'strong')),
    ].slice(0, maxSentences),
    next_steps: [...(takeaways?.next_steps ?? []), ...steps].slice(0, maxSentences),
    fixed: [...(takeaways?.fixed ?? []), ...previous_steps.filter((step) => done.has(foldText(step)))],
  };
}

const scoredChoices = (judged: readonly JudgedStep[]): { question: string; bracket: Bracket }[] =>
  judged.flatMap(({ step, combined }) =>
    isChoice(step) && combined?.bracket ? [{ question: step.question, bracket: combined.bracket }] : [],
  );
