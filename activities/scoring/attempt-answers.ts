import type { ScoredStep, ScoredTurn } from '../../db/scoring/attempt-input';
import { hasAnswerKey, isChoice } from './choices';

type TurnAnswer = { turn_id: string; question: string; answer: string };

const spoken = ({ answer, answer_kind }: ScoredTurn): string =>
  answer_kind === 'seen' ? '' : (answer ?? '').trimEnd();

/**
 * Returns the answers to a question and its follow-ups, each with the question that was asked. Leaves out turns
 * without words.
 */
export const answersOf = ({ turns, question }: ScoredStep): TurnAnswer[] =>
  turns
    .map((turn) => ({ turn_id: turn.turn_id, question: turn.asked ?? question, answer: spoken(turn) }))
    .filter(({ answer }) => answer.trim() !== '');

/**
 * Returns the answers of the attempt that the assessment of the session reads. Choices are left out: their words are those of
 * the employer.
 */
export const sessionAnswersOf = (steps: readonly ScoredStep[]): TurnAnswer[] =>
  steps.filter((step) => !isChoice(step)).flatMap(answersOf);

export const hasAnswer = (step: ScoredStep): boolean => answersOf(step).length > 0;

/**
 * True for a step whose answer the model reads: the step is scored and has a rubric, or has a knowledge base, and there is
 * an answer or a pending transcript. No model reads choices.
 */
export const isReadByModel = (step: ScoredStep): boolean =>
  !isChoice(step) && (isJudged(step) || step.knowledge_base_id !== null) && mayHaveAnswer(step);

/** True for a step whose answer gets a score, if there is one. */
export const isJudged = (step: ScoredStep): boolean =>
  step.is_scored && (isChoice(step) ? hasAnswerKey(step) : step.rubric !== null);

/** True if there is an answer, or a transcript is still pending. */
const mayHaveAnswer = (step: ScoredStep): boolean =>
  hasAnswer(step) || step.turns.some(({ transcript_status }) => transcript_status === 'pending');
