import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Persona } from '../../db/interviews/public';
import { languages } from '../../db/platform/vocabulary';
import type { CandidateSources, TurnForDecision } from '../../db/taking/attempt-flow';
import { describeTone } from '../interviews/public';
import { choosePassages, passagesLimit } from '../platform/passages';
import type { Model } from '../providers/openai';
import { ProviderError } from '../providers/provider-error';
import { isBackedBySources } from './check-founded';
import { findTextProblem } from './check-text';
import type { TextProblem } from './check-text';
import type { CallRecorder } from './model-calls';
import * as prompts from './prompts';

const nextTurnShape = z.object({ is_conditional_covered: z.boolean(), follow_up: z.string().nullable() });
const focusShape = z.object({ focus: z.int().nullable() });
const avatarShape = z.object({ has_question: z.boolean(), quote: z.string(), reply: z.string() });
const replyShape = z.object({ has_question: z.boolean(), is_known: z.boolean(), reply: z.string() });

/** The shape as a strict JSON schema. */
const strict = (shape: z.ZodType) => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape);
  return schema as Record<string, unknown>;
};
const formats = {
  next_turn: { shape: nextTurnShape, schema: strict(nextTurnShape), prompt: prompts.nextTurnPrompt },
  follow_up_focus: { shape: focusShape, schema: strict(focusShape), prompt: prompts.followUpFocusPrompt },
  avatar_reply: { shape: avatarShape, schema: strict(avatarShape), prompt: prompts.avatarReplyPrompt },
  candidate_reply: { shape: replyShape, schema: strict(replyShape), prompt: prompts.employerReplyPrompt },
};

type Limits = { timeoutMs: number; signal: AbortSignal };

/** The most time for the choice of a sentence. What is left of the decision's time writes the follow-up. */
const focusMs = 4_000;
export type DecisionModel = ReturnType<typeof createDecisionModel>;

/**
 * Creates the functions that ask the model about turns and check the texts that it writes. They throw ProviderError,
 * and return undefined if the model's answer does not have the requested form.
 */
export function createDecisionModel({
  model,
  beginCall,
  onDropped,
}: {
  model: Pick<Model, 'complete' | 'name'>;
  beginCall: CallRecorder;
  /** Called for each text of the model that is not shown, with the reason. */
  onDropped: (problem: TextProblem) => void;
}) {
  const ask = async <Name extends keyof typeof formats>(
    name: Name,
    user: string,
    turn: TurnForDecision,
    { timeoutMs, signal }: Limits,
    prompt: { version: string; system: string } = formats[name].prompt,
  ) => {
    const { schema, shape } = formats[name];
    const record = beginCall({
      merchant_id: turn.merchant_id,
      interview_id: turn.interview_id,
      result_id: turn.result_id,
      attempt: turn.attempt,
      purpose: name,
      prompt_version: prompt.version,
      model: model.name,
    });
    const messages = [
      { role: 'system' as const, content: prompt.system },
      { role: 'user' as const, content: user },
    ];
    const answer = await model
      .complete({ name, schema, messages, timeoutMs, signal })
      .catch(async (error: unknown) => {
        await record('failed');
        throw error;
      });
    const parsed = shape.safeParse(parseJson(answer.content)).data as
      | z.infer<(typeof formats)[Name]['shape']>
      | undefined;
    await record(answer.content === null ? 'refused' : parsed ? 'accepted' : 'rejected', answer);
    return parsed;
  };
  const checked = (text: string, turn: TurnForDecision, questions: 0 | 1 | 'any'): string | null => {
    const { platform_language_code: language, rubric, expectations, answer, persona } = turn;
    const problem = findTextProblem(text.trim(), {
      language,
      questions,
      rubric,
      // The sources of a reply are public, and may say the same as the expectations.
      expectations: questions === 0 ? null : expectations,
      answer: answer ?? '',
      role: persona
        ? { own: [...Object.values(persona), turn.question], prompt: prompts.reactionPrompt.system }
        : undefined,
    });
    if (problem === null) return text.trim();
    onDropped(problem);
    return null;
  };

  /**
   * Chooses the sentence of the answer that a follow-up should ask about, by what a knowledge base says. The model that
   * reads the knowledge base returns a number only. So no word of it can get into the follow-up, which another call writes
   * (docs/taking.md#decisions).
   */
  const chooseFocus = async (
    turn: TurnForDecision,
    knowledge: string,
    limits: Limits,
  ): Promise<string | undefined> => {
    const answer = turn.answer ?? '';
    const sentences = sentencesOf(answer);
    const passages = choosePassages(knowledge, `${turn.question}\n${answer}`, passagesLimit.question);
    if (sentences.length === 0 || passages.length === 0) return undefined;
    const user = prompts.followUpFocusPrompt.user({ question: turn.question }, sentences, passages);
    const chosen = await ask('follow_up_focus', user, turn, limits).catch((error: unknown) => {
      if (error instanceof ProviderError) return undefined;
      throw error;
    });
    return sentences[(chosen?.focus ?? 0) - 1];
  };

  return {
    /**
     * Decides whether the next conditional question is already covered, and which follow-up to ask, or how the person whom
     * the AI plays reacts. `followUp` is null if none is asked. `knowledge` is the text of the knowledge base of the question or interview, if it has one.
     */
    decide: async (turn: TurnForDecision, knowledge: string | null, { timeoutMs, signal }: Limits) => {
      const until = performance.now() + timeoutMs;
      const focusLimits = { timeoutMs: Math.min(focusMs, Math.floor(timeoutMs / 2)), signal };
      const askAbout =
        turn.may_follow_up && knowledge !== null
          ? await chooseFocus(turn, knowledge, focusLimits)
          : undefined;
      const limits = { timeoutMs: Math.max(1, Math.floor(until - performance.now())), signal };
      const { persona, conditional_question, may_follow_up } = turn;
      const [user, prompt] = persona
        ? [askForReaction(turn, persona, askAbout), prompts.reactionPrompt]
        : [askForFollowUp(turn, askAbout), prompts.nextTurnPrompt];
      const decided = await ask('next_turn', user, turn, limits, prompt);
      if (!decided) return undefined;
      const text = may_follow_up ? decided.follow_up : null;
      return {
        isConditionalCovered: conditional_question !== null && decided.is_conditional_covered,
        followUp: text === null ? null : checked(text, turn, persona ? 'any' : 1),
      };
    },

    /**
     * Writes the reply to a candidate's question. `reply` is null if the sources do not contain the answer or if the
     * model's text must not be shown.
     */
    reply: async (turn: TurnForDecision, sources: CandidateSources, limits: Limits) => {
      const brief = { language: languageOf(turn), interview: sources.name, sources: listSources(sources) };
      const question = turn.last_answer ?? '';
      const passages = await findPassages(sources, question);
      const user = prompts.employerReplyPrompt.user(brief, question, passages);
      const decided = await ask('candidate_reply', user, turn, limits);
      if (!decided) return undefined;
      const { has_question: hasQuestion, is_known: isKnown, reply } = decided;
      return { hasQuestion, reply: isKnown ? checked(reply, turn, 0) : null };
    },

    /**
     * Writes the reply of a public avatar from its description and knowledge base. `reply` is null if they do not contain
     * the answer or if the model's text must not be shown.
     */
    replyToVisitor: async (turn: TurnForDecision, sources: CandidateSources, limits: Limits) => {
      const language = languageOf(turn);
      const [description = ''] = listSources(sources).map(({ text }) => text);
      const question = turn.last_answer ?? '';
      const earlier = (turn.answer ?? '').slice(0, -question.length - 1).slice(-maxEarlierCharacters);
      const passages = await findPassages(sources, `${question}\n${earlier}`);
      const user = prompts.avatarReplyPrompt.user(
        { language, avatar: sources.name, sources: [{ kind: 'description', text: description }] },
        { answer: question, earlier },
        passages,
      );
      const decided = await ask('avatar_reply', user, turn, limits);
      if (!decided) return undefined;
      const reply = decided.reply.trim();
      if (!decided.has_question || reply === '') return { hasQuestion: decided.has_question, reply: null };
      const problem =
        findTextProblem(reply, {
          language: language.code,
          questions: 0,
          rubric: turn.rubric,
          // A visitor must not read the prompt either.
          expectations: prompts.avatarReplyPrompt.system,
          answer: question,
          maxCharacters: maxAvatarCharacters,
        }) ??
        (isBackedBySources(decided, [description, ...passages], `${earlier}\n${question}`, language.code)
          ? null
          : 'unfounded');
      if (problem !== null) onDropped(problem);
      return { hasQuestion: true, reply: problem === null ? reply : null };
    },
  };
}

const sharedBrief = (turn: TurnForDecision) => ({
  language: languageOf(turn),
  conditional_question: turn.conditional_question,
  may_follow_up: turn.may_follow_up,
  earlier_follow_ups: turn.earlier_follow_ups,
});

const askForFollowUp = (turn: TurnForDecision, askAbout: string | undefined): string => {
  const { question, rubric, expectations, tone } = turn;
  const brief = { ...sharedBrief(turn), question, rubric, expectations, tone: describeTone(tone) };
  return prompts.nextTurnPrompt.user(brief, turn.answer ?? '', askAbout);
};

/** A person in a role-play does not know the rubric, so the model does not get it. */
const askForReaction = (turn: TurnForDecision, persona: Persona, askAbout: string | undefined): string => {
  const { opening_line: _opening, ...person } = persona;
  const { conversation, answer } = turn;
  const brief = { ...sharedBrief(turn), person, said: turn.question };
  return prompts.reactionPrompt.user(brief, { conversation, answer: answer ?? '' }, askAbout);
};

/** The most characters of a reply of a public avatar, and of what the visitor asked before that the model gets. */
const maxAvatarCharacters = 600;
const maxEarlierCharacters = 2_000;

/** Chooses the passages of the knowledge bases that relate to a question. */
async function findPassages({ knowledge }: CandidateSources, question: string): Promise<string[]> {
  const passages: string[] = [];
  for (const text of knowledge) {
    passages.push(...choosePassages(text, question, passagesLimit.question));
    // Two long texts in a row would block the process for too long.
    await setImmediate();
  }
  return passages;
}

/** The most sentences of an answer to choose from, and their greatest length. */
const maxSentences = 60;
const maxSentenceCharacters = 500;

/** Cuts an answer into sentences, without those that have no word. */
const sentencesOf = (answer: string): string[] =>
  answer
    .split(/(?<=[.!?؟।])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim().slice(0, maxSentenceCharacters))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(0, maxSentences);

const languageOf = ({ platform_language_code: code }: TurnForDecision) => ({
  code,
  name: languages[code].name,
});

const company = z
  .object({ name: z.string().optional(), undisclosed: z.boolean().nullish() })
  .catchall(z.unknown());
const maxSourceCharacters = 20_000;

/**
 * Lists the texts that a reply may use. The name of an undisclosed hiring company is left out, as in drafts of
 * interviews.
 */
function listSources(sources: CandidateSources): prompts.ReplyBrief['sources'] {
  const client = company.safeParse(sources.company).data;
  const isUnnamed = client?.undisclosed === true || client?.name?.trim().toLowerCase() === 'undisclosed';
  const { name, ...facts } = client ?? {};
  const employer = {
    ...facts,
    name: isUnnamed ? 'an unnamed client' : (name ?? sources.merchant_name),
    location: sources.location,
    department: sources.department,
    salary: sources.salary,
  };
  const lines = Object.entries(employer)
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([key, value]) => `${key}: ${String(value)}`);
  return [
    {
      kind: 'description' as const,
      text: [sources.description, sources.description_long].filter(Boolean).join('\n'),
    },
    { kind: 'company' as const, text: lines.join('\n') },
  ].map(({ kind, text }) => ({ kind, text: text.slice(0, maxSourceCharacters) }));
}

function parseJson(text: string | null): unknown {
  try {
    // Some OpenAI-compatible servers wrap the JSON in a Markdown fence despite the schema.
    return text === null ? undefined : JSON.parse(text.replaceAll(/^\s*```(?:json)?|```\s*$/g, ''));
  } catch {
    return undefined;
  }
}
