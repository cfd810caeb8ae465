import type { ScoredStep, ScoredTurn } from '../../db/scoring/attempt-input';

/** What a candidate said in answer to a question and its follow-ups. */
export type WholeAnswer = {
  text: string;
  /** The range of each turn's answer in `text`, in UTF-16 units. `to` is exclusive. */
  parts: { turn_id: string; from: number; to: number }[];
};

const spoken = ({ answer, answer_kind }: ScoredTurn): string =>
  answer_kind === 'seen' ? '' : (answer ?? '').trimEnd();

/** Returns the answers to a question and its follow-ups as one text, one line for each. */
export function answerOf({ turns }: ScoredStep): WholeAnswer {
  const whole: WholeAnswer = { text: '', parts: [] };
  for (const turn of turns) {
    const said = spoken(turn);
    if (said.trim() === '') continue;
    if (whole.text !== '') whole.text += '\n';
    whole.parts.push({ turn_id: turn.turn_id, from: whole.text.length, to: whole.text.length + said.length });
    whole.text += said;
  }
  return whole;
}

export const hasAnswer = (step: ScoredStep): boolean => answerOf(step).parts.length > 0;

/**
 * True for a step whose answer the model judges: the step is scored, has a rubric, and has an answer or a pending
 * transcript.
 */
export const isJudged = (step: ScoredStep): boolean =>
  step.is_scored && step.rubric !== null && mayHaveAnswer(step);

/** True if there is an answer, or a transcript is still pending. */
const mayHaveAnswer = (step: ScoredStep): boolean =>
  hasAnswer(step) || step.turns.some(({ transcript_status }) => transcript_status === 'pending');

/**
 * Converts offsets in a `WholeAnswer` to a turn and offsets in the answer of that turn. A quote that spans several
 * turns is cut at the end of the first of them.
 */
export function locate(
  { parts }: WholeAnswer,
  start: number,
  end: number,
): { turn_id: string; start: number; end: number } | null {
  const part = parts.find(({ from, to }) => start >= from && start < to);
  if (!part) return null;
  return { turn_id: part.turn_id, start: start - part.from, end: Math.min(end, part.to) - part.from };
}

/** Returns the answers of all turns that have one, with their questions, for the assessment of the session. */
export const sessionAnswersOf = (
  steps: readonly ScoredStep[],
): { turn_id: string; question: string; answer: string }[] =>
  steps.flatMap(({ turns, question }) =>
    turns
      .map((turn) => ({ turn_id: turn.turn_id, question: turn.asked ?? question, answer: spoken(turn) }))
      .filter(({ answer }) => answer.trim() !== ''),
  );
