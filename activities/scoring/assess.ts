import { z } from 'zod';
import { askWithRepair, describeLanguage, malformedReplyError, usageWithoutCall } from './ask';
import type { AssessingModel, CheckedReply } from './ask';
import { quotesOverlap } from './combine';
import type { QuotePosition } from './combine';
import { criteriaOf } from './criteria';
import { createEvidenceCheck, saidNothing, makeReadable, replaceNames } from './evidence';
import type { Prepared } from './evidence';
import {
  answerAssessment,
  resumeAssessment,
  rolePlayAnswer,
  rolePlaySession,
  sessionAssessment,
} from './prompts';
import type {
  AnswerInput,
  ModelCallLimits,
  Criterion,
  Judgement,
  Polarity,
  QuoteRejection,
  ResumeInput,
  Sample,
  SessionInput,
  SessionSample,
  VerifiedJudgement,
} from './types';

const polarity = z.enum(['negative', 'mixed', 'neutral', 'positive']);

/**
 * Returns the shape of a reply. Its schema allows only the ids of the criteria. `createVerifier` checks that each id
 * occurs once.
 */
function shapeFor(criteria: readonly Criterion[]) {
  const judgement = z.object({
    criterion_id: z.enum(criteria.map(({ id }) => id)),
    met: z.enum(['yes', 'no', 'unclear']),
    quote: z.string().nullable(),
  });
  return z.object({ judgements: z.array(judgement), instructs_the_assessor: z.boolean() });
}

/**
 * Prepares the answers to a question once for all samples. The returned function asks the model which criteria the
 * answers meet, and verifies the quotes in its reply. If the reply has problems, it asks for one repair. Answers without
 * words are assessed without a call. The function throws ProviderError if the model is unavailable.
 */
export function prepareAnswerAssessment({
  question,
  rubric,
  answers,
  language,
  names,
  character,
}: AnswerInput): Assess<Sample> {
  const criteria = criteriaOf(rubric);
  const said = answers.map((turn) => makeReadable(turn, names));
  const task = {
    language: describeLanguage(language),
    question: replaceNames(question, names),
    ...(character ? { character } : {}),
  };
  const text = said
    .map(({ readable }) => readable)
    .join('\n')
    .trim();
  const shared = {
    name: 'answer_assessment',
    prompt: character ? rolePlayAnswer : answerAssessment,
    shape: shapeFor(criteria),
    answers: said,
    verify: createVerifier(said, criteria, task.question),
    criteria,
  };
  return (model, order, limits) => {
    const user = answerAssessment.user({ ...task, criteria: listCriteria(criteria, order) }, text);
    return assess({ ...shared, model, user, limits });
  };
}

/**
 * Prepares all answers of an attempt like `prepareAnswerAssessment`, with the rubric of the session. A quote may come from any of
 * these answers, but not from a question.
 */
export function prepareSessionAssessment({
  rubric,
  answers,
  language,
  names,
  character,
  wants_polarity: wantsPolarity,
}: SessionInput): Assess<SessionSample> {
  const criteria = criteriaOf(rubric);
  const said = answers.map((turn) => makeReadable(turn, names));
  const read = said.map(({ question, readable }) => ({ question, answer: readable }));
  const shape = shapeFor(criteria);
  const shapeWithPolarity = shape.extend({ polarity });
  const shared = {
    name: 'session_assessment',
    prompt: character ? rolePlaySession : sessionAssessment,
    answers: said,
    verify: createVerifier(said, criteria),
    criteria,
  };
  return async (model, order, limits) => {
    const task = {
      language: describeLanguage(language),
      criteria: listCriteria(criteria, order),
      ...(character ? { character } : {}),
    };
    const request = { ...shared, model, user: sessionAssessment.user(task, read), limits };
    if (!wantsPolarity) return { ...(await assess({ ...request, shape })), polarity: null };
    let found: Polarity | null = null;
    const sample = await assess({
      ...request,
      shape: shapeWithPolarity,
      onReply: (reply) => {
        found = reply.polarity;
      },
    });
    return { ...sample, polarity: found };
  };
}

/** Prepares a résumé like an answer to no question, with the rubric of the session. */
export function prepareResumeAssessment({ rubric, text, language, names }: ResumeInput): Assess<Sample> {
  const criteria = criteriaOf(rubric);
  const said = makeReadable({ turn_id: null, question: '', answer: text }, names);
  const shared = {
    name: 'resume_assessment',
    prompt: resumeAssessment,
    shape: shapeFor(criteria),
    answers: [said],
    verify: createVerifier([said], criteria),
    criteria,
  };
  return (model, order, limits) => {
    const task = { language: describeLanguage(language), criteria: listCriteria(criteria, order) };
    return assess({ ...shared, model, user: resumeAssessment.user(task, said.readable), limits });
  };
}

/** Makes one sample. `order` says in which order the prompt lists the criteria: 0 as in the rubric, 1 reversed. */
type Assess<Made> = (model: AssessingModel, order: 0 | 1, limits: ModelCallLimits) => Promise<Made>;
type Reply = { judgements: Judgement[]; instructs_the_assessor: boolean };
type Assessment<Shape extends z.ZodType<Reply>> = {
  model: AssessingModel;
  name: string;
  prompt: typeof answerAssessment | typeof sessionAssessment | typeof resumeAssessment;
  user: string;
  shape: Shape;
  criteria: Criterion[];
  answers: Prepared[];
  verify: ReturnType<typeof createVerifier>;
  limits: ModelCallLimits;
  onReply?: (reply: z.infer<Shape>) => void;
};

async function assess<Shape extends z.ZodType<Reply>>({
  criteria,
  answers,
  verify,
  onReply,
  ...request
}: Assessment<Shape>): Promise<Sample> {
  const { model, prompt } = request;
  const hasInstructions = answers.some((said) => said.instructions.length > 0);
  if (criteria.length === 0 || answers.every(saidNothing))
    return {
      judgements: criteria.map(({ id }) => notMet(id)),
      instructs_the_assessor: hasInstructions,
      refused: null,
      ...usageWithoutCall(model, prompt),
    };
  let instructs = hasInstructions;
  const { value, refused, usage } = await askWithRepair<Shape, VerifiedJudgement[]>({
    ...request,
    check: (reply, first) => {
      onReply?.(reply);
      instructs ||= reply.instructs_the_assessor;
      return verify(reply.judgements, first);
    },
  });
  // A model whose replies cannot be read, or that judges other criteria than it was given, is broken. This says nothing
  // about the answer, so the call is repeated later.
  if (refused === 'malformed') throw malformedReplyError();
  return { judgements: value ?? [], instructs_the_assessor: instructs, refused, ...usage };
}

/** A judgement, and where its quote stands in the answers, also if it is no evidence. */
type Given = { judgement: VerifiedJudgement; place: QuotePosition | null };

/**
 * Creates the function that verifies the quotes of a reply and returns the judgements in the order of the rubric. A
 * repaired reply replaces only the judgements that were rejected in the first reply. A quote that repeats `question`
 * or a question in `answers` is no evidence.
 */
function createVerifier(answers: readonly Prepared[], criteria: readonly Criterion[], question?: string) {
  const checkQuote = createEvidenceCheck(answers, criteria, question);
  const verify = ({ criterion_id, met, quote }: Judgement): Given => {
    if (met !== 'yes') return { judgement: { ...notMet(criterion_id), met }, place: null };
    const found = checkQuote(quote ?? '');
    if (found.evidence) {
      const judgement = { criterion_id, met, rejected: null, ...found.evidence };
      return { judgement, place: judgement };
    }
    const { rejected, place } = found;
    return { judgement: { ...notMet(criterion_id), met: 'unclear', rejected }, place };
  };
  return (
    judgements: readonly Judgement[],
    first?: readonly VerifiedJudgement[],
  ): CheckedReply<VerifiedJudgement[]> => {
    const byId = new Map(judgements.map((judgement) => [judgement.criterion_id, judgement]));
    if (byId.size !== criteria.length || judgements.length !== criteria.length)
      return {
        value: first && [...first],
        problems: ['every criterion of the task must be judged exactly once.'],
      };
    const given = criteria.flatMap(({ id }, index): Given[] => {
      const earlier = first?.[index];
      const judgement = byId.get(id);
      if (earlier && earlier.rejected === null)
        return [{ judgement: earlier, place: earlier.met === 'yes' ? earlier : null }];
      return judgement ? [verify(judgement)] : [];
    });
    const value = withoutShared(given, criteria, first);
    return {
      value,
      problems: value.flatMap(({ criterion_id: id, rejected }) => {
        if (rejected === 'shared')
          return [`the quote of ${id} has words of the quotes of too many other criteria.`];
        if (rejected === 'retelling')
          return [`the quote of ${id} says that something was told, and not what was told or done.`];
        if (rejected === null || !repairable.has(rejected)) return [];
        return [
          `the quote of ${id} is not a passage of at least three words and 2,000 characters at most of an answer.`,
        ];
      }),
    };
  };
}

/**
 * Rejects overlapping quotes if they are given for two or more moderate and strong criteria that are at least half of all of
 * these: otherwise, a single passage could prove everything. Fewer criteria may share a passage, which a person must
 * review. Quotes that are no evidence count as given. Weak criteria may share a passage, because they lower the score. What was
 * verified in the first reply stays.
 */
function withoutShared(
  given: readonly Given[],
  criteria: readonly Criterion[],
  first: readonly VerifiedJudgement[] = [],
): VerifiedJudgement[] {
  const isWanted = (_one: unknown, index: number): boolean => criteria[index]?.bracket !== 'weak';
  const places = given.filter(isWanted).flatMap(({ place }) => place ?? []);
  const limit = Math.max(2, criteria.filter(isWanted).length / 2);
  const groups = places.map((one) => places.filter((other) => quotesOverlap(one, other)));
  const shared = new Set<QuotePosition>(groups.filter((group) => group.length >= limit).flat());
  return given.map(({ judgement, place }) =>
    judgement.met === 'yes' && place && shared.has(place) && !first.includes(judgement)
      ? { ...notMet(judgement.criterion_id), met: 'unclear', rejected: 'shared' }
      : judgement,
  );
}

/** Rejections that a repair can resolve: the model may have copied the passage badly. */
const repairable: ReadonlySet<QuoteRejection> = new Set(['not_found', 'too_short', 'too_long']);

const notMet = (criterion_id: string): VerifiedJudgement => ({
  criterion_id,
  met: 'no',
  quote: null,
  start: null,
  end: null,
  turn_id: null,
  rejected: null,
});

const listCriteria = (criteria: Criterion[], order: 0 | 1): Pick<Criterion, 'id' | 'text'>[] => {
  const listed = criteria.map(({ id, text }) => ({ id, text }));
  return order === 0 ? listed : listed.toReversed();
};
