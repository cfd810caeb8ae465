import { ProviderError } from '../../activities/providers/provider-error';
import type { AssessingModel } from '../../activities/scoring/ask';
import { prepareAnswerAssessment, prepareSessionAssessment } from '../../activities/scoring/assess';
import { combineSamples, defaultThresholds } from '../../activities/scoring/combine';
import { composeSummary } from '../../activities/scoring/compose-summary';
import { criteriaOf } from '../../activities/scoring/criteria';
import { findingsOf } from '../../activities/scoring/findings';
import { rankFindings } from '../../activities/scoring/rank-findings';
import type { CombinedScore, Sample } from '../../activities/scoring/types';
import type { GoldCase, Injection } from './gold';
import { inParallel, weightedKappa } from './statistics';

/** The time limit of one call. A configured model can be slow. */
const limits = () => ({ timeoutMs: 60_000, signal: new AbortController().signal });
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

/** A case with its samples and score. `answers` are the answers that were assessed: several in a session. */
export type Scored = {
  one: GoldCase;
  answers: { turn_id: string; question: string; answer: string }[];
  samples: Sample[];
  combined: CombinedScore;
};
type Assess = ReturnType<typeof prepareAnswerAssessment>;

/** Makes three samples as the product does. The second one lists the criteria in reverse order. */
async function sample(assess: Assess, model: AssessingModel): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const order of orders)
    samples.push(
      await assess(model, order, limits()).catch((error: unknown) => {
        if (error instanceof ProviderError && error.kind === 'malformed') return unusable;
        throw error;
      }),
    );
  return samples;
}

/** Reading an answer takes most of the time, and most answers are scored with many models. */
const prepared = new Map<string, Assess>();

/** Scores one answer as the product does. */
export async function scoreCase(model: AssessingModel, one: GoldCase, answer = one.answer): Promise<Scored> {
  const { question, rubric, language } = one;
  const answers = [{ turn_id: 't1', question, answer }];
  const key = `${one.id}\n${answer}`;
  const assess =
    prepared.get(key) ?? prepareAnswerAssessment({ question, rubric, answers, language, names: [] });
  prepared.set(key, assess);
  const samples = await sample(assess, model);
  const combined = combineSamples(samples, criteriaOf(rubric), defaultThresholds, answers);
  return { one, answers, samples, combined };
}

/**
 * Scores an answer as part of a session: by the rubric of the session, with an answer to another question before it.
 * The other answer is about another topic, so the expected bracket is that of the answer.
 */
export async function scoreSession(model: AssessingModel, one: GoldCase, other: GoldCase): Promise<Scored> {
  const { rubric, language } = one;
  const answers = [other, one].map(({ question, answer }, index) => ({
    turn_id: `t${index}`,
    question,
    answer,
  }));
  const assess = prepareSessionAssessment({ rubric, answers, language, names: [], wants_polarity: false });
  const samples = await sample(assess, model);
  const combined = combineSamples(samples, criteriaOf(rubric), defaultThresholds, answers);
  return { one, answers, samples, combined };
}

const brackets = ['weak', 'moderate', 'strong'];
const placeOf = (bracket: string | null): number => Math.max(0, brackets.indexOf(bracket ?? ''));

/**
 * Returns the kappa of the expected and the computed brackets. An answer that wrongly got no score counts as weak.
 */
export const kappaOf = (scored: readonly Scored[]): number =>
  weightedKappa(
    scored
      .filter(({ one }) => one.expect !== 'none')
      .map(({ one, combined }) => [placeOf(one.expect), placeOf(combined.bracket)]),
    brackets.length,
  );

/** Returns the share of answers that got exactly the expected bracket, or no score where none is expected. */
export const agreementOf = (scored: readonly Scored[]): number =>
  scored.filter(({ one, combined }) => (combined.bracket ?? 'none') === one.expect).length / scored.length;

/** Normalizes a text without the product's own code (`fold`), so that a mistake there does not affect this check. */
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');

/** Counts quotes (`quotes`), and how many of them are in the answer at their offsets (`verified`). */
export type Quotes = { quotes: number; verified: number };

/** Counts the quotes that became evidence for the score of an answer. */
export function countQuotes(scored: readonly Scored[]): Quotes {
  const quotes = scored.flatMap(({ answers, combined }) =>
    combined.criteria.flatMap(({ quote, start, end, turn_id }) => {
      if (quote === null) return [];
      const answer = answers.find((said) => said.turn_id === turn_id)?.answer ?? '';
      return [plain(answer).includes(plain(quote)) && answer.slice(start ?? 0, end ?? 0) === quote];
    }),
  );
  return { quotes: quotes.length, verified: quotes.filter(Boolean).length };
}

/**
 * Scores answers into which an instruction was inserted, and returns the largest difference from the score that the
 * same model gives without the instruction. An answer without a score counts as 0. `flagged` counts the answers that
 * were flagged for a person.
 */
export async function largestShift(
  model: AssessingModel,
  injections: readonly Injection[],
  concurrency: number,
): Promise<{ shift: number; flagged: number }> {
  const bases = [...new Set(injections.map(({ base }) => base))];
  const scores = await inParallel(concurrency, bases, (base) => scoreCase(model, base));
  const without = new Map(scores.map(({ one, combined }) => [one.id, combined.score ?? 0]));
  const moved = await inParallel(concurrency, injections, async ({ base, answer }) => {
    const { combined } = await scoreCase(model, base, answer);
    return { ...combined, shift: Math.abs((combined.score ?? 0) - (without.get(base.id) ?? 0)) };
  });
  return {
    shift: Math.max(...moved.map(({ shift }) => shift)),
    flagged: moved.filter(({ instructs }) => instructs).length,
  };
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

/** Has the model rank the findings of a scored answer, and composes the summary. */
export async function writeSummary(model: AssessingModel, { one, answers, combined }: Scored) {
  const { language } = one;
  const findings = findingsOf([{ turn_id: 't1', criteria: combined.criteria }], language);
  const ranking = await rankFindings(model, { type: 'interview', answers, findings, names: [] }, limits());
  const summary = composeSummary(findings, ranking, { type: 'interview', language, previous_steps: [] });
  return { summary, isRanked: ranking.refused === null };
}

/** Counts the quotes of the claims of a summary. `isRanked` is false if the model gave no usable ranking. */
export async function summarizeCase(
  model: AssessingModel,
  scored: Scored,
): Promise<Quotes & { isRanked: boolean }> {
  const { summary, isRanked } = await writeSummary(model, scored);
  const { answer } = scored.one;
  const claims = [...(summary?.strengths ?? []), ...(summary?.concerns ?? [])].flatMap((claim) =>
    claim.quote === null ? [] : [claim],
  );
  const verified = claims.filter(
    ({ quote, start, end }) => plain(answer).includes(plain(quote)) && answer.slice(start, end) === quote,
  );
  return { quotes: claims.length, verified: verified.length, isRanked };
}
