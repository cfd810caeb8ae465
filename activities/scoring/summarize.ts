import { z } from 'zod';
import { ask } from './ask';
import type { AssessingModel } from './ask';
import { readAnswer } from './evidence';
import type { Finding } from './findings';
import { resultSummary } from './prompts';
import type { CallLimits, Ranking, SessionInput, Summary } from './types';

export type SummaryInput = {
  type: string;
  answers: SessionInput['answers'];
  findings: readonly Finding[];
  /** Names and email addresses of the candidate, which the model does not see. */
  names: string[];
};

const ranking = z.object({ order: z.array(z.int()) });
const withKeyStatement = ranking.extend({ key_statement: z.int().nullable() });
type Reply = z.infer<typeof ranking> & Partial<z.infer<typeof withKeyStatement>>;

/** Only interviews and persona interviews have a key statement. */
const shapeFor = (type: string): z.ZodType<Reply> =>
  type === 'interview' || type === 'persona_interview' ? withKeyStatement : ranking;

/**
 * Asks the model to rank the findings and to choose the key statement. It sees no other part of the answers. Nothing that it
 * writes becomes part of a result: `composeSummary` takes only these numbers, and ignores those of no finding. Without
 * a quote, there is no call. Throws ProviderError if the model is unavailable.
 */
export async function summarize(
  model: AssessingModel,
  { type, answers, findings, names }: SummaryInput,
  limits: CallLimits,
): Promise<Summary> {
  const places = new Map(answers.map(({ turn_id }, index) => [turn_id, index + 1]));
  const listed = findings.map(({ kind, criterion, passage }, index) => ({
    number: index + 1,
    answer: passage && kind !== 'gap' ? (places.get(passage.turn_id) ?? null) : null,
    criterion,
    shows: kind,
    quote:
      passage && kind !== 'gap'
        ? readAnswer({ turn_id: null, question: '', answer: passage.quote }, names).readable
        : null,
  }));
  const isFinding = (number: number): boolean => number >= 1 && number <= findings.length;
  const { value, refused, usage } = await (findings.some(({ kind }) => kind !== 'gap')
    ? ask<z.ZodType<Reply>, Ranking>({
        model,
        name: 'result_summary',
        prompt: resultSummary,
        user: resultSummary.user(listed),
        shape: shapeFor(type),
        limits,
        check: ({ order, key_statement: key = null }) => ({
          value: {
            order: [...new Set(order)].filter(isFinding),
            key_statement: key !== null && isFinding(key) ? key : null,
          },
          problems: [],
        }),
      })
    : nothingToRank(model));
  const { repaired: _repaired, ...facts } = usage;
  return { ...(value ?? unranked), ...facts, refused };
}

const unranked: Ranking = { order: [], key_statement: null };

const nothingToRank = (model: AssessingModel) => ({
  value: unranked,
  refused: null,
  usage: {
    model: model.name,
    prompt_tokens: 0,
    completion_tokens: 0,
    repaired: 0,
    prompt_version: resultSummary.version,
    prompt_hash: resultSummary.hash,
  },
});
