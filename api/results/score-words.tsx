import type { VNode } from 'preact';
import type { Bracket } from '../../db/results/assessment';
import type { ScoreDecision, ScoreReview } from '../../db/scoring/public';
import { Badge } from '../platform/site/elements';
import type { Tone } from '../platform/site/elements';

/** Explains each bracket to the people who decide about candidates. */
export const bracketMeaning: Readonly<Record<Bracket, string>> = {
  strong: 'Strong: quotes from the answers back most of the criteria of a strong answer.',
  moderate:
    'Moderate: quotes back some criteria of a strong answer, or at least half of those of a moderate one.',
  weak: 'Weak: quotes back few of the criteria of a moderate or strong answer.',
};

const bracketTones: Readonly<Record<Bracket, Tone>> = { strong: 'good', moderate: 'plain', weak: 'warn' };

export const BracketBadge = ({ bracket }: { bracket: Bracket }): VNode => (
  <Badge tone={bracketTones[bracket]}>{bracket.slice(0, 1).toUpperCase() + bracket.slice(1)}</Badge>
);

/** Why an answer has no score: in short, and in a sentence. */
const reasons: Readonly<Record<string, readonly [label: string, sentence: string]>> = {
  too_little_said: ['Insufficient evidence', 'The candidate said too little to score this answer.'],
  refused: [
    'Insufficient evidence',
    'The model declined to assess this answer, or its reply was cut off. Assess it yourself.',
  ],
  too_long: ['Insufficient evidence', 'This answer is too long for the model to assess. Assess it yourself.'],
  malformed: [
    'Insufficient evidence',
    'The model did not return a usable assessment of this answer. Assess it yourself.',
  ],
  unavailable_transcript: [
    'No transcript',
    'The recording of this answer could not be transcribed. Listen to it.',
  ],
  no_answer: ['Not answered', 'The candidate did not answer this question.'],
  no_rubric: ['Not scored', 'This question has no rubric, so its answer is not scored.'],
};

const reasonOf = (reason: string | null | undefined): readonly [label: string, sentence: string] =>
  (reason && Object.hasOwn(reasons, reason) && reasons[reason]) || [
    'Insufficient evidence',
    'There is too little evidence to score this answer.',
  ];

/** Says why an answer has no score. A missing score never counts as a low score. */
export function Unscored(props: { reason: string | null | undefined; isLong?: boolean }): VNode {
  const [label, sentence] = reasonOf(props.reason);
  const tone = props.reason === 'no_rubric' || props.reason === 'no_answer' ? 'plain' : 'warn';
  return props.isLong ? (
    <>
      <Badge tone={tone}>{label}</Badge> {sentence}
    </>
  ) : (
    <span title={sentence}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}

/**
 * Why the scoring computed no score for a result, keyed by the reason that all unscored answers of the result share.
 */
const resultReasons: Readonly<Record<string, string>> = {
  too_little_said: 'The candidate said too little to compute a score. This is not a low score.',
  refused: 'The model declined to assess the answers, or its replies were cut off. Assess them yourself.',
  too_long: 'The answers are too long for the model to assess. Assess them yourself.',
  malformed: 'The model did not return a usable assessment of the answers. Assess them yourself.',
  unavailable_transcript: 'The recordings could not be transcribed. Listen to them.',
  no_answer: 'The candidate did not answer the scored questions. This is not a low score.',
  no_rubric: 'The questions have no rubrics, so there is nothing to score.',
};

/**
 * Returns the label and the sentence that say why the scoring computed no score for a result. `all` are the reasons
 * of the result's answers.
 */
export function noScoreReason(
  all: readonly (string | null | undefined)[],
): readonly [label: string, sentence: string] {
  // A missing rubric counts as the reason only if no answer has another reason.
  const others = all.filter((reason) => reason !== 'no_rubric');
  const distinct = [...new Set(others.length > 0 ? others : all)];
  const [only] = distinct;
  if (distinct.length === 1 && only && Object.hasOwn(resultReasons, only))
    return [reasonOf(only)[0], resultReasons[only] ?? ''];
  return [
    'Insufficient evidence',
    'There is too little evidence to compute a score. This is not a low score. Each answer below says why.',
  ];
}

/**
 * Returns the decision by which a person has set the score of an answer, or of the result if `questionId` is null.
 * Returns undefined if the computed score counts.
 */
export function findScoreDecision(
  { decisions }: ScoreReview,
  questionId: string | null,
): ScoreDecision | undefined {
  const latest = decisions.find(({ question_id }) => question_id === questionId);
  return latest && latest.score !== null ? latest : undefined;
}

type Flag = { title: string; advice?: string };
const flags: Readonly<Record<string, Flag>> = {
  instructs_the_assessor: {
    title: 'Instructions to the assessor',
    advice:
      'An answer or the résumé contains text that tells the assessor what to do. These sentences were not counted as evidence. Read it yourself.',
  },
  // The note of the scoring says why.
  needs_review: { title: 'Needs review' },
  edited_after: {
    title: 'Edited answers',
    advice: 'The candidate edited answers before submitting. The edited text was scored.',
  },
  unavailable_transcript: {
    title: 'Missing transcript',
    advice: 'A recorded answer could not be transcribed and was not scored. Listen to the recording.',
  },
};

/** Returns what a flag means and what to do, or undefined for a flag that the scoring does not set. */
export const flagWords = (key: string): Flag | undefined =>
  Object.hasOwn(flags, key) ? flags[key] : undefined;
