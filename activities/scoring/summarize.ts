import { z } from 'zod';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { ask, describeLanguage } from './ask';
import type { AssessingModel, Checked } from './ask';
import { createEvidenceCheck, readAnswer } from './evidence';
import { foldText } from './fold';
import { numbersIn } from './numbers';
import { resultSummary } from './prompts';
import { isInScriptOf } from './script';
import type { CallLimits, Claim, Summary, SummaryInput } from './types';

const proof = z.object({ answer: z.int(), quote: z.string() });
const claim = z.object({ text: z.string(), ...proof.shape });
const nextStep = z.object({
  text: z.string(),
  priority: z.enum(['impact', 'quick', 'longterm']),
  guidance: z.object({
    kind: z.enum(['say', 'structure', 'length', 'exercise', 'perspective']),
    text: z.string(),
  }),
  proof: proof.nullable(),
});
const shape = z.object({
  strengths: z.array(claim),
  concerns: z.array(claim),
  candidate_analysis: z.string(),
  recruiter_analysis: z.string(),
});
const takeaways = z.object({
  what_went_well: z.array(claim),
  next_steps: z.array(nextStep),
  fixed: z.array(z.object({ step: z.int(), ...proof.shape })),
});
const withKeyStatement = shape.extend({ key_statement: proof.nullable() });
const withTakeaways = shape.extend({ takeaways });

const maxClaims = 4;
const maxClaimCharacters = 400;
const maxAnalysisCharacters = 1_500;
type Written = z.infer<typeof shape> &
  Partial<z.infer<typeof withKeyStatement> & z.infer<typeof withTakeaways>>;
type Texts = Pick<
  Summary,
  | 'strengths'
  | 'concerns'
  | 'key_statement'
  | 'takeaways'
  | 'candidate_analysis'
  | 'recruiter_analysis'
  | 'dropped'
>;

/**
 * Returns the shape of a reply. Interviews and persona interviews have a key statement; coaching and persona sessions
 * have takeaways.
 */
function shapeFor(type: string): z.ZodType<Written> {
  const hasStatement = type === 'interview' || type === 'persona_interview';
  if (hasStatement) return withKeyStatement;
  return type === 'coaching' || type === 'persona' ? withTakeaways : shape;
}

/**
 * Asks the model to write about a result, and asks for one repair if its reply is malformed or not in the script of
 * the language. The model sees only verified evidence. Claims whose quotes are not in the answers are dropped, and so
 * are texts with numbers that the candidate did not say. Without evidence, nothing is written. Throws ProviderError
 * if the model is unavailable.
 */
export async function summarize(
  model: AssessingModel,
  { type, language, answers, evidence, names, previous_steps }: SummaryInput,
  limits: CallLimits,
): Promise<Summary> {
  const said = answers.map((turn) => readAnswer(turn, names));
  const places = new Map(answers.map(({ turn_id }, index) => [turn_id, index + 1]));
  const checks = createChecks(said, language, previous_steps);
  const task = { language: describeLanguage(language), type, previous_steps };
  const user = resultSummary.user(
    task,
    evidence.map(({ turn_id, text, met, quote }) => ({
      answer: turn_id === null ? null : (places.get(turn_id) ?? null),
      criterion: text,
      met,
      quote: quote === null ? null : readAnswer({ turn_id, question: '', answer: quote }, names).readable,
    })),
  );
  const check = (written: Written): Checked<Texts> =>
    isInScriptOf(language, textsOf(written).join('\n'))
      ? { value: keepProven(written, checks), problems: [] }
      : { value: undefined, problems: [`the texts must be in ${task.language.name}.`] };
  const { value, refused, usage } = await (evidence.some(({ quote }) => quote !== null)
    ? ask({
        model,
        name: 'result_summary',
        prompt: resultSummary,
        user,
        shape: shapeFor(type),
        limits,
        check,
      })
    : nothingToSay(model));
  const { repaired: _repaired, ...facts } = usage;
  return { ...(value ?? nothing), ...facts, refused };
}

const nothing: Texts = {
  strengths: [],
  concerns: [],
  key_statement: null,
  takeaways: null,
  candidate_analysis: null,
  recruiter_analysis: null,
  dropped: 0,
};

const nothingToSay = (model: AssessingModel) => ({
  value: nothing,
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

const textsOf = ({
  strengths,
  concerns,
  candidate_analysis,
  recruiter_analysis,
  takeaways: taken,
}: Written) => [
  ...[...strengths, ...concerns, ...(taken?.what_went_well ?? [])].map(({ text }) => text),
  ...(taken?.next_steps ?? []).flatMap(({ text, guidance }) => [text, guidance.text]),
  candidate_analysis,
  recruiter_analysis,
];

function createChecks(
  said: ReturnType<typeof readAnswer>[],
  language: LanguageCode,
  previousSteps: readonly string[],
) {
  const checkQuotes = said.map((one) => createEvidenceCheck([one], []));
  const spoken = foldText(said.map(({ answer }) => answer).join('\n'));
  const numbers = new Set(numbersIn(spoken, language));
  const prove = ({ answer, quote }: z.infer<typeof proof>): Omit<Claim, 'text'> | null => {
    const found = checkQuotes[answer - 1]?.(quote).evidence;
    if (!found) return null;
    return { ...found, turn_id: found.turn_id ?? '' };
  };
  return {
    previousSteps,
    prove,
    /** Returns true for a text of a usable length that Postgres can store and whose numbers the candidate said. */
    isFit: (written: string, max: number): boolean =>
      !written.includes('\0') &&
      written.isWellFormed() &&
      /\p{L}/u.test(written) &&
      written.length <= max &&
      numbersIn(foldText(written), language).every((number) => numbers.has(number)),
  };
}

/** Keeps the claims and texts that pass the checks, and counts the dropped ones. */
function keepProven(
  { strengths, concerns, key_statement, takeaways: taken, candidate_analysis, recruiter_analysis }: Written,
  { prove, isFit, previousSteps }: ReturnType<typeof createChecks>,
): Texts {
  let dropped = 0;
  const keep = <Value>(value: Value | null): Value[] => {
    if (value === null) dropped += 1;
    return value === null ? [] : [value];
  };
  const asClaim = ({ text: written, ...rest }: z.infer<typeof claim>): Claim | null => {
    const proven = prove(rest);
    return proven && isFit(written, maxClaimCharacters) ? { text: written.trim(), ...proven } : null;
  };
  const claims = (written: z.infer<typeof claim>[]): Claim[] =>
    written.flatMap((one) => keep(asClaim(one))).slice(0, maxClaims);
  const analysis = (written: string): string | null =>
    keep(isFit(written, maxAnalysisCharacters) ? written.trim() : null)[0] ?? null;
  const asStep = ({ text: written, guidance, priority, proof: given }: z.infer<typeof nextStep>) => {
    if (!isFit(written, maxClaimCharacters) || !isFit(guidance.text, maxClaimCharacters)) return null;
    const proven = given && prove(given);
    if (given && !proven) return null;
    const proofs = proven ? [{ kind: 'quote' as const, text: proven.quote, turn_id: proven.turn_id }] : [];
    return { text: written.trim(), priority, guidance, proof: proofs };
  };
  const fixed = ({ step, ...rest }: { step: number; answer: number; quote: string }): string | null =>
    prove(rest) ? (previousSteps[step - 1] ?? null) : null;

  const texts = {
    strengths: claims(strengths),
    concerns: claims(concerns),
    key_statement: (key_statement && keep(prove(key_statement))[0]) ?? null,
    takeaways: taken
      ? {
          what_went_well: claims(taken.what_went_well).map((one) => one.text),
          next_steps: taken.next_steps.flatMap((step) => keep(asStep(step))).slice(0, maxClaims),
          fixed: taken.fixed.flatMap((one) => keep(fixed(one))),
        }
      : null,
    candidate_analysis: analysis(candidate_analysis),
    recruiter_analysis: analysis(recruiter_analysis),
  };
  return { ...texts, dropped };
}
