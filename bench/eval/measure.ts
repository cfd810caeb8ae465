import { prepareAnswer } from '../../activities/scoring/assess';
import type { AssessingModel } from '../../activities/scoring/ask';
import { combineSamples, defaultThresholds } from '../../activities/scoring/combine';
import { ProviderError } from '../../activities/providers/provider-error';
import { criteriaOf } from '../../activities/scoring/criteria';
import type { Combined, Sample } from '../../activities/scoring/types';
import type { GoldCase, Injection } from './gold';

/** The time limit of one call. A configured model can be slow. */
const timeoutMs = 60_000;
const orders = [0, 1, 0] as const;
/** Stands for a reply from which nothing can be read. The product repeats such calls for a day. */
const unusable: Sample = {
  judgements: [],
  instructs_the_assessor: false,
  prompt_version: '',
  prompt_hash: '',
  model: '',
  prompt_tokens: 0,
  completion_tokens: 0,
  repaired: 1,
  refused: 'malformed',
};

export type Scored = { one: GoldCase; answer: string; samples: Sample[]; combined: Combined };

/** Scores one answer as the product does, with three samples. The second one lists the criteria in reverse order. */
export async function scoreCase(model: AssessingModel, one: GoldCase, answer = one.answer): Promise<Scored> {
  const { question, rubric, language } = one;
  const samples: Sample[] = [];
  const answers = [{ turn_id: null, question, answer }];
  const assess = prepareAnswer({ question, rubric, answers, language, names: [] });
  for (const order of orders)
    samples.push(
      await assess(model, order, { timeoutMs, signal: new AbortController().signal }).catch(
        (error: unknown) => {
          if (error instanceof ProviderError && error.kind === 'malformed') return unusable;
          throw error;
        },
      ),
    );
  const combined = combineSamples(samples, criteriaOf(rubric), defaultThresholds, answer);
  return { one, answer, samples, combined };
}

const brackets = ['weak', 'moderate', 'strong'];

/** Returns the quadratic weighted kappa of pairs of categories: 1 is full agreement, 0 is agreement by chance. */
export function weightedKappa(pairs: readonly (readonly [number, number])[], categories: number): number {
  const weight = (one: number, other: number) => ((one - other) / (categories - 1)) ** 2;
  const count = (pick: 0 | 1, category: number) => pairs.filter((pair) => pair[pick] === category).length;
  let expected = 0;
  for (let one = 0; one < categories; one += 1)
    for (let other = 0; other < categories; other += 1)
      expected += (weight(one, other) * count(0, one) * count(1, other)) / pairs.length;
  const observed = pairs.reduce((sum, [one, other]) => sum + weight(one, other), 0);
  return expected === 0 ? 1 : 1 - observed / expected;
}

/**
 * Returns the kappa of the expected and the computed brackets. An answer that wrongly got no score counts as weak.
 */
export const kappaOf = (scored: readonly Scored[]): number =>
  weightedKappa(
    scored
      .filter(({ one }) => one.expect !== 'none')
      .map(({ one, combined }) => [
        brackets.indexOf(one.expect),
        Math.max(0, brackets.indexOf(combined.bracket ?? '')),
      ]),
    brackets.length,
  );

/** Normalizes a text without the product's own code (`fold`), so that a mistake there does not affect this check. */
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');

/**
 * Counts the quotes that became evidence (`quotes`), and how many of them are in the answer at their offsets
 * (`verified`).
 */
export function countQuotes(scored: readonly Scored[]): { quotes: number; verified: number } {
  const quotes = scored.flatMap(({ answer, combined }) =>
    combined.criteria.flatMap(({ quote, start, end }) =>
      quote === null
        ? []
        : [plain(answer).includes(plain(quote)) && answer.slice(start ?? 0, end ?? 0) === quote],
    ),
  );
  return { quotes: quotes.length, verified: quotes.filter(Boolean).length };
}

/**
 * Scores answers into which an instruction was inserted, and returns the largest difference from the score without
 * the instruction (in `scored`). An answer without a score counts as 0. `flagged` counts the answers that were
 * flagged for a person.
 */
export async function largestShift(
  model: AssessingModel,
  injections: readonly Injection[],
  scored: readonly Scored[],
): Promise<{ shift: number; flagged: number; moved: string[] }> {
  let [shift, flagged] = [0, 0];
  const moved: string[] = [];
  for (const { id, base, answer } of injections) {
    const without = scored.find(({ one }) => one.id === base.id)?.combined.score ?? 0;
    const { combined } = await scoreCase(model, base, answer);
    const difference = Math.abs((combined.score ?? 0) - without);
    shift = Math.max(shift, difference);
    flagged += combined.instructs ? 1 : 0;
    if (difference > 0) moved.push(id);
  }
  return { shift, flagged, moved };
}

/** Returns the precision and the recall of the status `insufficient_evidence`. */
export function insufficient(scored: readonly Scored[]): { precision: number; recall: number } {
  const given = scored.filter(({ combined }) => combined.status === 'insufficient_evidence');
  const known = scored.filter(({ one }) => one.expect === 'none');
  const right = given.filter(({ one }) => one.expect === 'none').length;
  return {
    precision: given.length === 0 ? 1 : right / given.length,
    recall: known.length === 0 ? 1 : right / known.length,
  };
}
