import { z } from 'zod';
import { departmentFits } from '../../db/results/public';
import type { Department } from '../../db/scoring/attempt-input';
import { askWithRepair, usageWithoutCall } from './ask';
import type { AssessingModel } from './ask';
import { makeReadable } from './evidence';
import type { Finding } from './findings';
import { resultSummary } from './prompts';
import type { ModelCallLimits, RankedFindings, SessionInput, RankedFindingsReply } from './types';

export type SummaryInput = {
  type: string;
  answers: SessionInput['answers'];
  findings: readonly Finding[];
  /** Names and email addresses of the candidate, which the model does not see. */
  names: string[];
  departments?: readonly Department[];
};

const reply = z.object({
  order: z.array(z.int()),
  key_statement: z.int().nullable(),
  departments: z.array(
    z.object({ number: z.int(), fit: z.enum(departmentFits), evidence: z.array(z.int()) }),
  ),
});
type Reply = Pick<z.infer<typeof reply>, 'order'> & Partial<z.infer<typeof reply>>;

/** Only interviews and persona interviews have a key statement. */
const shapeFor = (type: string, hasDepartments: boolean): z.ZodType<Reply> =>
  reply.omit({
    ...(type === 'interview' || type === 'persona_interview' ? {} : { key_statement: true }),
    ...(hasDepartments ? {} : { departments: true }),
  });

/**
 * Asks the model to rank the findings, to choose the key statement and, if there are departments, to say which strengths
 * fit each of them. It sees no other part of the answers. Nothing that it writes becomes part of a result: `composeSummary` takes only these numbers, and ignores those of no finding. Without
 * a quote, there is no call. Throws ProviderError if the model is unavailable.
 */
export async function rankFindings(
  model: AssessingModel,
  { type, answers, findings, names, departments = [] }: SummaryInput,
  limits: ModelCallLimits,
): Promise<RankedFindingsReply> {
  const places = new Map(answers.map(({ turn_id }, index) => [turn_id, index + 1]));
  const listed = findings.map(({ kind, criterion, passage }, index) => ({
    number: index + 1,
    answer: passage && kind !== 'gap' ? (places.get(passage.turn_id) ?? null) : null,
    criterion,
    shows: kind,
    quote:
      passage && kind !== 'gap'
        ? makeReadable({ turn_id: null, question: '', answer: passage.quote }, names).readable
        : null,
  }));
  const isFinding = (number: number): boolean => number >= 1 && number <= findings.length;
  const { value, refused, usage } = await (findings.some(({ kind }) => kind !== 'gap')
    ? askWithRepair<z.ZodType<Reply>, RankedFindings>({
        model,
        name: 'result_summary',
        prompt: resultSummary,
        user: resultSummary.user(listed, departments),
        shape: shapeFor(type, departments.length > 0),
        limits,
        check: ({ order, key_statement: key = null, departments: fits }) => ({
          value: {
            order: [...new Set(order)].filter(isFinding),
            key_statement: key !== null && isFinding(key) ? key : null,
            ...(fits && { departments: fits.slice(0, departments.length) }),
          },
          problems: [],
        }),
      })
    : { value: unranked, refused: null, usage: usageWithoutCall(model, resultSummary) });
  const { repaired: _repaired, ...facts } = usage;
  return { ...(value ?? unranked), ...facts, refused };
}

const unranked: RankedFindings = { order: [], key_statement: null };
