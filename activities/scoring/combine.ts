import type {
  Bracket,
  Combined,
  CombinedCriterion,
  Criterion,
  Met,
  Sample,
  Thresholds,
  VerifiedJudgement,
} from './types';
import { isShorterThan } from './words';

export const defaultThresholds: Thresholds = {
  strong: 0.6,
  moderate: 0.5,
  minWords: 12,
  minCharacters: 20,
  maxDisagreement: 0.2,
  maxSpread: 1,
};

type Placed = { bracket: Bracket; score: number };

/**
 * Returns the score of an answer or a session from its samples. A criterion is met or not if most samples say so, and
 * otherwise unclear. `answer` is what was said, all answers together for a session: too little of it without any
 * evidence is insufficient and gets no score.
 */
export function combineSamples(
  samples: readonly Sample[],
  criteria: readonly Criterion[],
  thresholds: Thresholds,
  answer: string,
): Combined {
  const usable = samples.filter(({ refused }) => refused === null);
  const combined = criteria.map((criterion) => combineCriterion(criterion, usable));
  const isShort = isShorterThan(answer, { words: thresholds.minWords, characters: thresholds.minCharacters });
  const place = (judged: readonly Pick<VerifiedJudgement, 'met'>[]): Placed | null =>
    isShort && judged.every(({ met }) => met !== 'yes') ? null : computeScore(judged, criteria, thresholds);

  const placed = usable.length === 0 ? null : place(combined);
  const scores = usable.map((sample) =>
    place(criteria.map(({ id }) => ({ met: judgementOf(sample, id)?.met ?? 'unclear' }))),
  );
  const spread = roundTo(spreadOf(scores), 2);
  const disagreement = criteria.length === 0 ? 0 : roundTo(shareOfDisagreement(criteria, usable), 4);
  const isMixed = scores.some((score) => score === null) && scores.some((score) => score !== null);
  return {
    status: placed ? 'scored' : 'insufficient_evidence',
    bracket: placed?.bracket ?? null,
    score: placed && roundTo(placed.score, 1),
    answer_score: placed && roundTo(1 + 0.4 * placed.score, 1),
    criteria: combined,
    spread,
    disagreement,
    needs_review:
      usable.length < samples.length ||
      isMixed ||
      isIndiscriminate(combined) ||
      shareOfRejections(criteria, usable) > thresholds.maxDisagreement ||
      disagreement > thresholds.maxDisagreement ||
      spread > thresholds.maxSpread,
    reason: placed ? null : (samples.find(({ refused }) => refused)?.refused ?? 'too_little_said'),
    instructs: samples.some(({ instructs_the_assessor: instructs }) => instructs),
  };
}

/** Returns bracket and score (0 to 10) for judgements in the order of the criteria (docs/scoring.md#the-formula). */
export function computeScore(
  judged: readonly { met: Met }[],
  criteria: readonly Criterion[],
  { strong: strongShare, moderate: moderateShare }: Pick<Thresholds, 'strong' | 'moderate'>,
): Placed {
  const share = (bracket: Bracket): number => {
    const own = judged.filter((_judgement, index) => criteria[index]?.bracket === bracket);
    return own.length === 0 ? 0 : own.filter(({ met }) => met === 'yes').length / own.length;
  };
  const [weak, moderate, strong] = [share('weak'), share('moderate'), share('strong')];
  if (strong > 0 && strong >= strongShare) return { bracket: 'strong', score: 7 + 3 * strong };
  if (strong > 0 || (moderate > 0 && moderate >= moderateShare))
    return { bracket: 'moderate', score: 4 + 2.9 * Math.max(moderate, strong) };
  return { bracket: 'weak', score: 3.9 * (1 - weak) };
}

function combineCriterion(criterion: Criterion, samples: readonly Sample[]): CombinedCriterion {
  const judgements = samples.flatMap((sample) => judgementOf(sample, criterion.id) ?? []);
  const count = (wanted: Met) => judgements.filter(({ met }) => met === wanted).length;
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

/** The share of criteria for which a quote of any sample was rejected: they may be met although no evidence counts. */
const shareOfRejections = (criteria: readonly Criterion[], samples: readonly Sample[]): number =>
  criteria.filter(({ id }) => samples.some((sample) => (judgementOf(sample, id)?.rejected ?? null) !== null))
    .length / criteria.length;

/** Hardly any answer meets the whole of a rubric. A model that says so may not have judged at all. */
const isIndiscriminate = (combined: readonly CombinedCriterion[]): boolean =>
  combined.length > 4 && combined.every(({ met }) => met === 'yes');

/** Rounds half up, as people do: 2.25 to one digit is 2.3. */
export const roundTo = (value: number, digits: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** digits + 1e-9) / 10 ** digits;
