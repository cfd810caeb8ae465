import { z } from 'zod';

/*
 * Reads what the scoring stored about an answer (`result_question.answer_assessment_raw_data`). Other releases and
 * callers may have stored anything there, so whatever does not have the expected form is left out.
 */

export type Bracket = 'strong' | 'moderate' | 'weak';
export const brackets: readonly Bracket[] = ['strong', 'moderate', 'weak'];

const criterion = z.object({
  bracket: z.enum(['strong', 'moderate', 'weak']),
  text: z.string(),
  met: z.enum(['yes', 'no', 'unclear']),
  quote: z.string().nullish().catch(null),
  start: z.int().nonnegative().nullish().catch(null),
  end: z.int().nonnegative().nullish().catch(null),
  turn_id: z.string().nullish().catch(null),
});
export type Criterion = z.output<typeof criterion>;
/** A criterion and its number, from 1, in the list of criteria of its question. */
export type NumberedCriterion = Criterion & { number: number };

const assessment = z.object({
  status: z.string().nullish().catch(null),
  bracket: z.enum(['strong', 'moderate', 'weak']).nullish().catch(null),
  needs_review: z.boolean().nullish().catch(null),
  criteria: z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.slice(0, maxCriteria).flatMap((each) => criterion.safeParse(each).data ?? [])),
});
export type AnswerAssessment = Omit<z.output<typeof assessment>, 'criteria'> & {
  criteria: NumberedCriterion[];
};
const maxCriteria = 40;

/** Returns the assessment of an answer with its criteria ordered from strong to weak, or undefined without one. */
export function readAssessment(raw: unknown): AnswerAssessment | undefined {
  const { data } = assessment.safeParse(raw);
  if (!data) return undefined;
  const criteria = data.criteria
    .toSorted((one, other) => brackets.indexOf(one.bracket) - brackets.indexOf(other.bracket))
    .map((each, at) => ({ ...each, number: at + 1 }));
  return { ...data, criteria };
}

/** A piece of an answer. `marks` are the numbers of the criteria whose evidence ends where this piece ends. */
export type Segment = { text: string; bracket: Bracket | null; marks: number[] };

/**
 * Splits an answer wherever evidence (a quoted passage) begins or ends. Together, the texts of all segments are the
 * answer.
 */
export function markEvidence(answer: string, criteria: readonly NumberedCriterion[]): Segment[] {
  const spans = criteria.flatMap((each) => {
    const found = each.met === 'yes' ? findSpan(answer, each) : undefined;
    return found ? [{ ...found, bracket: each.bracket, number: each.number }] : [];
  });
  const edges = [...new Set([0, answer.length, ...spans.flatMap(({ start, end }) => [start, end])])].toSorted(
    (one, other) => one - other,
  );
  return edges.slice(1).map((end, at) => {
    const start = edges[at] ?? 0;
    const around = spans.filter((span) => span.start <= start && span.end >= end);
    return {
      text: answer.slice(start, end),
      bracket: brackets.find((each) => around.some(({ bracket }) => bracket === each)) ?? null,
      marks: spans.filter((span) => span.end === end).map(({ number }) => number),
    };
  });
}

/**
 * Returns the position of the quote in the answer. If the stored offsets do not match, because the answer was edited,
 * searches for the quote.
 */
function findSpan(
  answer: string,
  { quote, start, end }: Criterion,
): { start: number; end: number } | undefined {
  if (typeof start === 'number' && typeof end === 'number' && start < end && end <= answer.length)
    if (!quote || answer.slice(start, end) === quote)
      return { start: wholeAt(answer, start, -1), end: wholeAt(answer, end, 1) };
  const at = quote ? answer.indexOf(quote) : -1;
  return quote && at >= 0
    ? { start: wholeAt(answer, at, -1), end: wholeAt(answer, at + quote.length, 1) }
    : undefined;
}

/**
 * If a position is in the middle of a surrogate pair, moves it by `step`, to the beginning or the end of the pair.
 */
const wholeAt = (text: string, at: number, step: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + step : at;
