import { z } from 'zod';

/*
 * Reads what the scoring stored about an answer (`result_question.answer_assessment_raw_data`). Other releases and
 * callers may have stored anything there, so whatever does not have the expected form is left out.
 */

export type Bracket = 'strong' | 'moderate' | 'weak';
export const brackets: readonly Bracket[] = ['strong', 'moderate', 'weak'];

/** Without this tolerance, 1.2 of 3 would be less than 4 of 10, because 1.2 / 3 is 0.39999999999999997. */
const rounding = 1e-9;

/**
 * Returns the bracket of a score. `share` is the score divided by the maximum score: less than 0.4 is weak, and 0.7
 * or more is strong (docs/scoring.md#the-formula).
 */
export const bracketOf = (share: number): Bracket =>
  share >= 0.7 - rounding ? 'strong' : share >= 0.4 - rounding ? 'moderate' : 'weak';

/** A quote and its position in an answer, in UTF-16 units. Stored quotes and positions can be wrong. */
const quoted = z.object({
  quote: z.string().nullish().catch(null),
  start: z.int().nonnegative().nullish().catch(null),
  end: z.int().nonnegative().nullish().catch(null),
});
type Quoted = z.output<typeof quoted>;

const criterion = quoted.extend({
  bracket: z.enum(['strong', 'moderate', 'weak']),
  text: z.string(),
  met: z.enum(['yes', 'no', 'unclear']),
  turn_id: z.string().nullish().catch(null),
});
export type Criterion = z.output<typeof criterion>;
/** A criterion and its number, from 1, in the list of criteria of its question. */
export type NumberedCriterion = Criterion & { number: number };

const maxCriteria = 40;
const criteria = z
  .array(z.unknown())
  .catch([])
  .transform((all) => all.slice(0, maxCriteria).flatMap((each) => criterion.safeParse(each).data ?? []));

const maybeNumber = z.number().nullish().catch(null);
const assessment = z.object({
  status: z.string().nullish().catch(null),
  bracket: z.enum(['strong', 'moderate', 'weak']).nullish().catch(null),
  needs_review: z.boolean().nullish().catch(null),
  instructs: z.boolean().nullish().catch(null),
  reason: z.string().nullish().catch(null),
  spread: maybeNumber,
  criteria,
});
export type AnswerAssessment = Omit<z.output<typeof assessment>, 'criteria'> & {
  criteria: NumberedCriterion[];
};

/**
 * Returns the assessment of an answer with its criteria ordered from strong to weak, or undefined if there is none.
 */
export function readAssessment(raw: unknown): AnswerAssessment | undefined {
  const { data } = assessment.safeParse(raw);
  return data && { ...data, criteria: numbered(data.criteria) };
}

/**
 * Returns the criteria of the whole session or of the résumé, ordered from strong to weak. The list is empty for older
 * results, for which only counts of the criteria were stored.
 */
export const readCriteria = (
  analyses: unknown,
  name: 'session_criteria' | 'resume_criteria',
): NumberedCriterion[] => numbered(z.object({ [name]: criteria }).safeParse(analyses).data?.[name] ?? []);

const numbered = (all: readonly Criterion[]): NumberedCriterion[] =>
  all
    .toSorted((one, other) => brackets.indexOf(one.bracket) - brackets.indexOf(other.bracket))
    .map((each, at) => ({ ...each, number: at + 1 }));

const claimQuote = z.union([
  z.string().transform((quote): Quoted & { result_question_id?: unknown } => ({ quote })),
  quoted.extend({ result_question_id: z.string().nullish().catch(null) }),
]);
/** A strength, a concern or the key statement, with its quote. `turn_id` is null if no part of the transcript is named. */
export type Claim = Quoted & { text: string; turn_id: string | null };

const list = z.array(z.unknown()).catch([]);
const claimLists = z
  .object({
    strengths_concerns: z.object({ strengths: list, concerns: list }).optional().catch(undefined),
    evidence: z.object({ strengths: list, concerns: list }).optional().catch(undefined),
    key_statement: z.unknown().optional(),
  })
  .catch({});
const maxClaims = 20;

/**
 * Returns the strengths, the concerns and the key statement of a result. The quote of a claim has the same index in
 * the list of quotes as the claim has in its list.
 */
export function readClaims(analyses: unknown): { strengths: Claim[]; concerns: Claim[]; statement: Claim[] } {
  const { strengths_concerns: texts, evidence, key_statement } = claimLists.parse(analyses ?? {});
  const claims = (own: unknown[] = [], quotes: unknown[] = []): Claim[] =>
    own.slice(0, maxClaims).flatMap((text, at) => {
      if (typeof text !== 'string' || text.trim() === '') return [];
      const { result_question_id: turn, ...quote } = claimQuote.safeParse(quotes[at]).data ?? {};
      return [{ text, ...quote, turn_id: typeof turn === 'string' ? turn : null }];
    });
  const { quote } = claimQuote.safeParse(key_statement).data ?? {};
  return {
    strengths: claims(texts?.strengths, evidence?.strengths),
    concerns: claims(texts?.concerns, evidence?.concerns),
    statement: claims([quote], [key_statement]),
  };
}

/** A passage of an answer to highlight. `mark` identifies the target of the passage's link. */
export type MarkedPassage<Mark> = Quoted & { bracket: Bracket | null; mark: Mark };
/**
 * A piece of an answer. `starts` has the marks of the passages that begin where the piece begins, and `marks` those
 * of the passages that end where it ends. `goesOn` is true if a passage continues from the piece before.
 */
export type MarkedSegment<Mark> = {
  text: string;
  isMarked: boolean;
  goesOn: boolean;
  bracket: Bracket | null;
  starts: Mark[];
  marks: Mark[];
};
/** A piece of an answer. `marks` are the numbers of the criteria whose evidence ends where this piece ends. */
export type Segment = Pick<MarkedSegment<number>, 'text' | 'bracket' | 'marks'>;

/**
 * Splits an answer wherever evidence (a quoted passage) begins or ends. Together, the texts of all segments are the
 * answer.
 */
export const markEvidence = (answer: string, criteria: readonly NumberedCriterion[]): Segment[] =>
  markPassages(
    answer,
    criteria.filter(({ met }) => met === 'yes').map((each) => ({ ...each, mark: each.number })),
  ).map(({ text, bracket, marks }) => ({ text, bracket, marks }));

/** Splits an answer wherever a passage that is found in it begins or ends. Passages may overlap. */
export function markPassages<Mark>(
  answer: string,
  passages: readonly MarkedPassage<Mark>[],
): MarkedSegment<Mark>[] {
  const spans = passages.flatMap((each) => {
    const found = findQuotePosition(answer, each);
    return found ? [{ ...found, bracket: each.bracket, mark: each.mark }] : [];
  });
  const edges = [...new Set([0, answer.length, ...spans.flatMap(({ start, end }) => [start, end])])].toSorted(
    (one, other) => one - other,
  );
  return edges.slice(1).map((end, at) => {
    const start = edges[at] ?? 0;
    const around = spans.filter((span) => span.start <= start && span.end >= end);
    return {
      text: answer.slice(start, end),
      isMarked: around.length > 0,
      goesOn: around.some((span) => span.start < start),
      bracket: brackets.find((each) => around.some(({ bracket }) => bracket === each)) ?? null,
      starts: spans.filter((span) => span.start === start).map(({ mark }) => mark),
      marks: spans.filter((span) => span.end === end).map(({ mark }) => mark),
    };
  });
}

/**
 * Returns the position of the quote in the answer. If the stored offsets do not match, because the answer was edited,
 * searches for the quote.
 */
export function findQuotePosition(
  answer: string,
  { quote, start, end }: Quoted,
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
