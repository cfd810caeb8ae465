import type {
  Bracket,
  CombinedScore,
  CombinedCriterion,
  Criterion,
  CriterionVerdict,
  QuoteRejection,
  ReviewReason,
  QuestionAnswer,
  Sample,
  Thresholds,
  VerifiedJudgement,
} from './types';
import { isShorterThan, sentencesOf } from './words';

export const defaultThresholds: Thresholds = {
  strong: 0.6,
  moderate: 0.5,
  minWords: 12,
  minCharacters: 20,
  maxDisagreement: 0.2,
  maxSpread: 1,
};

/** With fewer samples, nothing could contradict the model, so there is no score. */
const minUsableSamples = 2;

type Answer = Pick<QuestionAnswer, 'turn_id' | 'answer'>;
type Placed = { bracket: Bracket; score: number };
/** A judgement as it counts for the score. `isClaimed` is true for a rejected quote as well. */
type Weighed = { met: CriterionVerdict; isClaimed?: boolean };

/**
 * Combines the samples (assessments by the model) of an answer or a session into one score. A criterion is met, or
 * not met, if more than half of the usable samples say so; otherwise it is unclear. There is no score if fewer than
 * two samples are usable, or if no criterion is met in a text that is too short. `answers` are those that were assessed,
 * which for a session are all answers.
 */
export function combineSamples(
  samples: readonly Sample[],
  criteria: readonly Criterion[],
  thresholds: Thresholds,
  answers: readonly Answer[],
): CombinedScore {
  const answered = samples.filter(({ refused }) => refused === null);
  const usable = answered.length < minUsableSamples ? [] : answered;
  const combined = criteria.map((criterion) => combineCriterion(criterion, usable));
  const said = answers.map(({ answer }) => answer).join('\n');
  const isShort = isShorterThan(said, { words: thresholds.minWords, characters: thresholds.minCharacters });
  const place = (judged: readonly Weighed[]): Placed | null =>
    isShort && judged.every(({ met }) => met !== 'yes') ? null : computeScore(judged, criteria, thresholds);

  const placed =
    usable.length === 0
      ? null
      : place(
          combined.map(({ id, met }) => ({
            met,
            isClaimed: isClaimed(usable.flatMap((one) => judgementOf(one, id) ?? [])),
          })),
        );
  const scores = usable.map((sample) =>
    place(
      criteria.map(({ id }) => {
        const judgement = judgementOf(sample, id);
        return { met: judgement?.met ?? 'unclear', isClaimed: isClaimed(judgement ? [judgement] : []) };
      }),
    ),
  );
  const spread = roundTo(spreadOf(scores), 2);
  const disagreement = criteria.length === 0 ? 0 : roundTo(shareOfDisagreement(criteria, usable), 4);
  const isMixed = scores.some((score) => score === null) && scores.some((score) => score !== null);
  const found: [ReviewReason, boolean][] = [
    ['samples_missing', usable.length < samples.length],
    ['samples_differ', isMixed || disagreement > thresholds.maxDisagreement || spread > thresholds.maxSpread],
    ['quotes_rejected', shareOfRejections(criteria, usable) > thresholds.maxDisagreement],
    ['all_met', isIndiscriminate(combined)],
    ['shared_quotes', isRejected(usable, 'shared') || hasSharedQuotes(combined, answers)],
    ['only_strong', hasOnlyStrong(combined)],
  ];
  const reasons = found.flatMap(([reason, isFound]) => (isFound ? [reason] : []));
  return {
    status: placed ? 'scored' : 'insufficient_evidence',
    bracket: placed?.bracket ?? null,
    score: placed && roundTo(placed.score, 1),
    answer_score: placed && roundTo(1 + 0.4 * placed.score, 1),
    criteria: combined,
    spread,
    disagreement,
    needs_review: reasons.length > 0,
    review_reasons: reasons,
    reason: placed ? null : (samples.find(({ refused }) => refused)?.refused ?? 'too_little_said'),
    instructs: samples.some(({ instructs_the_assessor: instructs }) => instructs),
  };
}

/**
 * Returns bracket and score (0 to 10) for judgements in the order of the criteria (docs/scoring.md#the-formula). A weak item
 * counts even if its quote was rejected, as a rejected quote must not raise a score.
 */
export function computeScore(
  judged: readonly Weighed[],
  criteria: readonly Criterion[],
  { strong: strongShare, moderate: moderateShare }: Pick<Thresholds, 'strong' | 'moderate'>,
): Placed {
  const share = (bracket: Bracket): number => {
    const own = judged.filter((_judgement, index) => criteria[index]?.bracket === bracket);
    const counted = own.filter(
      ({ met, isClaimed: claimed = false }) => met === 'yes' || (bracket === 'weak' && claimed),
    );
    return own.length === 0 ? 0 : counted.length / own.length;
  };
  const [weak, moderate, strong] = [share('weak'), share('moderate'), share('strong')];
  if (strong > 0 && strong >= strongShare) return { bracket: 'strong', score: 7 + 3 * strong };
  if (strong > 0 || (moderate > 0 && moderate >= moderateShare))
    return { bracket: 'moderate', score: 4 + 2.9 * Math.max(moderate, strong) };
  // Text that shows nothing at all must not score more than an answer with weak items.
  const hasEvidence = judged.some(({ met }) => met === 'yes');
  return { bracket: 'weak', score: hasEvidence ? 3.9 * (1 - weak) : 0 };
}

/** Returns true if most samples say that an item is met, with a verified or a rejected quote. */
const isClaimed = (judgements: readonly VerifiedJudgement[]): boolean =>
  judgements.filter(({ met, rejected }) => met === 'yes' || rejected !== null).length * 2 > judgements.length;

function combineCriterion(criterion: Criterion, samples: readonly Sample[]): CombinedCriterion {
  const judgements = samples.flatMap((sample) => judgementOf(sample, criterion.id) ?? []);
  const count = (wanted: CriterionVerdict) => judgements.filter(({ met }) => met === wanted).length;
  const met =
    (['yes', 'no'] as const).find((wanted) => count(wanted) * 2 > judgements.length) ?? ('unclear' as const);
  const { quote, start, end, turn_id } = judgements.find((judgement) => judgement.met === met) ?? {};
  if (met !== 'yes') return { ...criterion, met, quote: null, start: null, end: null, turn_id: null };
  return {
    ...criterion,
    met,
    quote: quote ?? null,
    start: start ?? null,
    end: end ?? null,
    turn_id: turn_id ?? null,
  };
}

const judgementOf = (sample: Sample, id: string): VerifiedJudgement | undefined =>
  sample.judgements.find(({ criterion_id: judged }) => judged === id);

function spreadOf(placed: readonly (Placed | null)[]): number {
  const scores = placed.flatMap((one) => (one ? [one.score] : []));
  return scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores);
}

const shareOfDisagreement = (criteria: readonly Criterion[], samples: readonly Sample[]): number =>
  criteria.filter(({ id }) => new Set(samples.map((sample) => judgementOf(sample, id)?.met)).size > 1)
    .length / criteria.length;

/**
 * The share of criteria for which a quote of at least one sample was rejected. The answer may meet such a criterion,
 * although the quote does not prove it.
 */
const shareOfRejections = (criteria: readonly Criterion[], samples: readonly Sample[]): number =>
  criteria.filter(({ id }) => samples.some((sample) => (judgementOf(sample, id)?.rejected ?? null) !== null))
    .length / criteria.length;

const isRejected = (samples: readonly Sample[], reason: QuoteRejection): boolean =>
  samples.some(({ judgements }) => judgements.some(({ rejected }) => rejected === reason));

/**
 * Returns true if all criteria are met, although the rubric has a weak one and two others, or more than four. This is so
 * rare that the model may not have judged the answer at all.
 */
function isIndiscriminate(combined: readonly CombinedCriterion[]): boolean {
  const hasWeak = combined.some(({ bracket }) => bracket === 'weak');
  return combined.length > (hasWeak ? 2 : 4) && combined.every(({ met }) => met === 'yes');
}

/**
 * Returns true if the quotes of two moderate or strong items overlap, or if one sentence is the proof of three such items or
 * of all that are met. Otherwise, a single sentence could be cut into pieces that prove everything.
 */
export function hasSharedQuotes(
  combined: readonly (Pick<CombinedCriterion, 'bracket' | 'met'> & QuotePosition)[],
  answers: readonly Answer[],
): boolean {
  const proven = combined.filter(({ bracket, met }) => bracket !== 'weak' && met === 'yes');
  const overlaps = proven.some((one, index) =>
    proven.slice(index + 1).some((other) => quotesOverlap(one, other)),
  );
  if (overlaps || proven.length < 2) return overlaps;
  const limit = Math.min(proven.length, 3);
  return answers.some(({ turn_id, answer }) => {
    const starts = proven.filter((one) => one.turn_id === turn_id).map(({ start }) => start ?? 0);
    if (starts.length < limit) return false;
    return sentencesOf(answer).some(
      ({ start, end }) => starts.filter((at) => start <= at && at < end).length >= limit,
    );
  });
}

/** Where a quote stands. */
export type QuotePosition = Pick<VerifiedJudgement, 'turn_id' | 'start' | 'end'>;

/** Returns true if two quotes have words of the same answer in common. */
export const quotesOverlap = (one: QuotePosition, other: QuotePosition): boolean =>
  one.turn_id === other.turn_id && (one.start ?? 0) < (other.end ?? 0) && (other.start ?? 0) < (one.end ?? 0);

/** Returns true if strong items are met and no moderate one, although the rubric has moderate ones. */
function hasOnlyStrong(combined: readonly CombinedCriterion[]): boolean {
  const isMet = (wanted: Bracket) => combined.some(({ bracket, met }) => bracket === wanted && met === 'yes');
  return isMet('strong') && !isMet('moderate') && combined.some(({ bracket }) => bracket === 'moderate');
}

/** Rounds half up, as people do: 2.25 to one digit is 2.3. */
export const roundTo = (value: number, digits: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** digits + 1e-9) / 10 ** digits;
