import type { ScoredStep } from '../../db/scoring/attempt-input';
import type { Bracket, CombinedScore, CombinedCriterion } from './types';

/** The score of an option from 0 to 10, by the level at which the rubric names it. As points of 5: 5, 3 and 1. */
const scores: Readonly<Record<Bracket, number>> = { strong: 10, moderate: 5, weak: 0 };

/** A step of multiple choice. Its rubric is the key: it names the options that are right or half right. */
export type ChoiceStep = ScoredStep & { choices: string[] };

export const isChoice = (step: ScoredStep): step is ChoiceStep => step.choices !== null;

/**
 * Returns true if the rubric says which options are right or half right. An empty rubric does not, and neither do those that a
 * model wrote for multiple choice before 2026-11-28, which name no option. Their questions are not scored.
 */
export const hasAnswerKey = ({ rubric, choices }: ChoiceStep): boolean =>
  rubric !== null && [...rubric.strong, ...rubric.moderate].some((option) => choices.includes(option));

/**
 * Scores a choice by the key, without a model. The answer is its own evidence. `criteria` are the chosen option and, unless
 * it is right, the right ones, which are not met. Returns null without a key or an answer.
 */
export function judgeChoice(step: ChoiceStep): CombinedScore | null {
  const { rubric, turns } = step;
  const turn = turns.find(({ answer_kind: kind }) => kind === 'choice');
  const chosen = turn?.answer;
  if (!turn || !chosen || !rubric || !hasAnswerKey(step)) return null;
  const bracket = (['strong', 'moderate'] as const).find((level) => rubric[level].includes(chosen)) ?? 'weak';
  const score = scores[bracket];
  const unproven = { met: 'no', quote: null, start: null, end: null, turn_id: null } as const;
  const right = rubric.strong.map((text, index): CombinedCriterion => ({
    id: `s${index + 1}`,
    bracket: 'strong',
    text,
    ...unproven,
  }));
  const proven: CombinedCriterion = {
    id: idOf(rubric[bracket], bracket, chosen),
    bracket,
    text: chosen,
    met: 'yes',
    quote: chosen,
    start: 0,
    end: chosen.length,
    turn_id: turn.turn_id,
  };
  return {
    status: 'scored',
    bracket,
    score,
    answer_score: 1 + 0.4 * score,
    criteria: bracket === 'strong' ? [proven] : [proven, ...right],
    spread: 0,
    disagreement: 0,
    needs_review: false,
    review_reasons: [],
    reason: null,
    instructs: false,
  };
}

/** Returns the id of an option in the rubric. A wrong option that the rubric does not name follows the named ones. */
const idOf = (named: readonly string[], bracket: Bracket, option: string): string =>
  `${bracket[0]}${(named.includes(option) ? named.indexOf(option) : named.length) + 1}`;
