import { languageTexts } from '../../api/platform/text/language-texts';
import { isPractice } from '../../db/platform/vocabulary';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { QuestionScores } from '../../db/scoring/write-scores';
import { hasAnswer } from './attempt-answers';
import { isChoice } from './choices';
import { composeChoice } from './compose-choices';
import { composeContradictions, composeFeedback } from './compose-summary';
import { findingsOf } from './findings';
import type { JudgedPart } from './findings';
import { judgedPart } from './judged-steps';
import type { JudgedStep } from './judged-steps';
import { toSentencePart } from './left-out';
import type { KnowledgeBaseContradiction } from './types';

/** Answers to questions without scoring have no scores, but what contradicts their knowledge base is listed. */
export const scoresOfUnscoredQuestions = (
  { steps }: AttemptInput,
  contradictionsOf: (place: number) => KnowledgeBaseContradiction[],
): QuestionScores[] =>
  steps
    .filter(({ is_scored, knowledge_base_id: base }) => !is_scored && base !== null)
    .map(({ place, turns, language }) => ({
      id: turns[0]?.turn_id ?? '',
      ai_analysis: null,
      ai_analysis_recruiter: composeContradictions(contradictionsOf(place), language),
      score_answer_ai: null,
      score_answer_ai_simulation: null,
      answer_assessment_raw_data: null,
    }));

/** Returns what a run writes about a scored question. */
export function questionScoresOf(
  one: JudgedStep,
  { type }: Pick<AttemptInput, 'type'>,
  whole: readonly JudgedPart[],
  contradictions: readonly KnowledgeBaseContradiction[],
): QuestionScores {
  const { step, combined, isUnavailable } = one;
  const { language } = step;
  const part = judgedPart(one);
  const signs = { yes: '✓', no: '✗', unclear: '?' } as const;
  const reason = isUnavailable ? 'unavailable_transcript' : !hasAnswer(step) ? 'no_answer' : 'no_rubric';
  return {
    id: step.turns[0]?.turn_id ?? '',
    ai_analysis:
      isChoice(step) && combined?.bracket
        ? composeChoice(combined.bracket, language)
        : (composeFeedback(findingsOf([part], language, whole), language) ??
          feedbackWithoutQuotes({ type, language }, [part])),
    ai_analysis_recruiter: joinGivenTexts(
      (combined?.criteria ?? [])
        .filter(({ bracket }) => bracket !== 'weak')
        .map(({ met, text }) => `${signs[met]} ${toSentencePart(text)}`)
        .join('\n'),
      composeContradictions(contradictions, language),
    ),
    score_answer_ai: combined?.answer_score ?? null,
    score_answer_ai_simulation: type.startsWith('persona') ? (combined?.answer_score ?? null) : null,
    answer_assessment_raw_data: combined ?? {
      status: 'insufficient_evidence',
      bracket: null,
      score: null,
      answer_score: null,
      criteria: [],
      spread: 0,
      disagreement: 0,
      needs_review: false,
      review_reasons: [],
      reason,
      instructs: false,
    },
  };
}

/** Returns what learners read about answers that were assessed, if there is nothing else: otherwise, they get only a number. */
export const feedbackWithoutQuotes = (
  { type, language }: Pick<AttemptInput, 'type' | 'language'>,
  parts: readonly JudgedPart[],
): string | null =>
  isPractice(type) && parts.some(({ criteria }) => criteria.length > 0)
    ? languageTexts[language].summary.no_quote
    : null;

/** Joins the texts that there are, or returns null. */
export const joinGivenTexts = (...texts: (string | null)[]): string | null =>
  texts.filter(Boolean).join('\n') || null;
