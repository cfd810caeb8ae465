import type { TranscriptConfidence } from '../../db/taking/public';
import { roundTo } from './combine';
import type { ScoreParts, Polarity, TotalScore } from './types';
import { countWords } from './words';

const weightOf = {
  answers: 'ai_assessment_answer',
  session: 'ai_assessment_session',
  resume: 'ai_assessment_resume',
  pronunciation: 'ai_pronunciation',
  cadence: 'speech_cadence',
  sentiment: 'sentiment_analysis',
} as const;
const defaultWeights: Readonly<Record<string, number>> = {
  ai_assessment_answer: 0.5,
  ai_assessment_session: 0.5,
};
/** The interview's `result_scoring`. */
type Weights = Readonly<Record<string, unknown>> | null;
const partNames = Object.keys(weightOf) as (keyof typeof weightOf)[];
const judgedParts = ['answers', 'session'] as const;

/**
 * Combines the scores of the parts of a result into its total. The total is rounded to one decimal on the scale from
 * 0 to 10 and then converted to the scale of `max_score`: 3.9 of 10 becomes 1.95 of 5. It is not rounded again, so
 * that its bracket stays the same. Parts without data are left out, and the weights of the others are scaled up. There is
 * no total if all of these weights are 0, or if answers or session count and neither has a score: the pace of a candidate
 * who says nothing is no result. `weights` is the interview's `result_scoring`.
 */
export function totalOfParts(
  { answers, ...others }: ScoreParts,
  { weights, max_score: maxScore = 10 }: { weights: Weights; max_score?: number },
): TotalScore {
  const scores = { ...others, answers: weightedMean(answers) };
  const used = partNames.flatMap((part) => {
    const score = scores[part];
    const weight = partWeight(weights, part);
    return score === null || weight <= 0 ? [] : [{ part, score, weight }];
  });
  const sum = used.reduce((total, { weight }) => total + weight, 0);
  const parts = used.map((part) => ({ ...part, weight: part.weight / sum }));
  const isJudged = judgedParts.some((part) => scores[part] !== null);
  const wantsJudged = judgedParts.some((part) => partWeight(weights, part) > 0);
  if (parts.length === 0 || (wantsJudged && !isJudged)) return { score: null, parts: [] };
  const score = parts.reduce((total, part) => total + part.score * part.weight, 0);
  // Rounding to six decimals only removes the floating-point error of the multiplication.
  return { score: roundTo((roundTo(score, 1) * maxScore) / 10, 6), parts };
}

function partWeight(weights: Weights, part: keyof typeof weightOf): number {
  const weight = weights?.[weightOf[part]] ?? defaultWeights[weightOf[part]];
  return typeof weight === 'number' ? weight : 0;
}

function weightedMean(answers: ScoreParts['answers']): number | null {
  const scored = answers.flatMap(({ score, weight = 1 }) => (score === null ? [] : [{ score, weight }]));
  const sum = scored.reduce((total, { weight }) => total + weight, 0);
  return sum > 0 ? scored.reduce((total, { score, weight }) => total + score * weight, 0) / sum : null;
}

/**
 * Returns the pace of spoken answers in words per minute, rounded, or null if no answer has words and a duration. The
 * caller must leave out typed answers. `heard` is the transcript before a candidate changed it.
 */
export function wordsPerMinute(
  spoken: readonly { heard: string; duration_ms: number | null }[],
): number | null {
  const timed = spoken
    .map(({ heard, duration_ms: duration }) => ({ words: countWords(heard), duration: duration ?? 0 }))
    .filter(({ words, duration }) => words > 0 && duration > 0);
  const minutes = timed.reduce((sum, { duration }) => sum + duration, 0) / 60_000;
  return minutes === 0 ? null : Math.round(timed.reduce((sum, { words }) => sum + words, 0) / minutes);
}

/**
 * The range of paces that are easy to follow, in words per minute. Each 30 words per minute outside this range cost
 * one point of 10.
 */
const easyPace = { from: 90, to: 180 };

/** Returns the score of a pace, from 0 to 10. All paces within `easyPace` get 10. */
export function cadenceScore(pace: number): number {
  const off = Math.max(easyPace.from - pace, pace - easyPace.to, 0);
  return roundTo(Math.max(0, 10 - off / 30), 1);
}

/** With fewer spoken words, chance would decide the score of the pronunciation. */
const minPronouncedWords = 60;

/**
 * Returns how well the transcription understood all spoken answers, from 0 to 100: the mean probability of its tokens.
 * Null if they have too few words or were not measured. `heard` is the transcript before a candidate changed it.
 */
export function pronunciationOf(
  spoken: readonly { heard: string; confidence: TranscriptConfidence | null }[],
): number | null {
  const measured = spoken.flatMap(({ heard, confidence }) =>
    confidence ? [{ ...confidence, words: countWords(heard) }] : [],
  );
  const tokens = measured.reduce((sum, one) => sum + one.tokens, 0);
  if (tokens === 0 || measured.reduce((sum, one) => sum + one.words, 0) < minPronouncedWords) return null;
  return Math.round((measured.reduce((sum, one) => sum + one.mean * one.tokens, 0) / tokens) * 100);
}

/** Returns the percentage of planned questions that were answered, or null if none was planned. */
export function answeredPercent({ planned, answered }: { planned: number; answered: number }): number | null {
  return planned === 0 ? null : Math.min(100, Math.round((answered / planned) * 100));
}

const polarities: Readonly<Record<Polarity, number>> = { negative: -1, mixed: 0, neutral: 0, positive: 1 };

/** Returns whether the sentiment of an attempt is assessed: in coaching, and wherever it is part of the score. */
export const wantsSentiment = ({ type, weights }: { type: string; weights: Weights }): boolean =>
  type === 'coaching' || partWeight(weights, 'sentiment') > 0;

/** The score of a sentiment from −1 to 1, from 0 to 10. */
export const sentimentScore = (sentiment: number): number => roundTo((sentiment + 1) * 5, 1);

/**
 * Returns the sentiment of a session from −1 to 1: the mean of the polarities in its samples, or null if no sample has
 * one.
 */
export function sentimentOf(samples: readonly { polarity: Polarity | null }[]): number | null {
  const values = samples.flatMap(({ polarity }) => (polarity ? [polarities[polarity]] : []));
  return values.length === 0
    ? null
    : roundTo(values.reduce((sum, value) => sum + value, 0) / values.length, 2);
}
