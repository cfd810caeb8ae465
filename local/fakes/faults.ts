import type { Response } from 'express';
import { z } from 'zod';
import { assessmentFaults } from './assessment-faults';
import { decisionFaults } from './next-turn';
import { responseHeaders } from './parse-body';
import type { Delays } from './pauses';
import { hookFaults, videoFaults } from './video-file';

const providers = ['openai', 'sendgrid', 'twilio', 'heygen', 'support', 'board'] as const;
type Provider = (typeof providers)[number];
/** The purposes for which the product calls the model. `decision` includes replies to questions of candidates. */
const modelCalls = [
  'draft',
  'decision',
  'assessment',
  'speech',
  'transcription',
  // A session that listens to a live conversation, and each piece of speech in it.
  'listening_session',
  'listening',
  'other',
] as const;
const separateCalls: ReadonlySet<string | undefined> = new Set(['speech', 'listening_session', 'listening']);
export type ModelCallKind = (typeof modelCalls)[number];

/** The body of `POST /faults`, which makes a fake provider fail. */
export const faultSchema = z
  .strictObject({
    provider: z.enum(providers),
    status: z.int().min(200).max(599).optional(),
    /** The `code` in the body of an error, for the model. */
    code: z.string().max(100).optional(),
    delay_ms: z.int().min(0).max(600_000).optional(),
    malformed: z.boolean().optional(),
    refuse: z.boolean().optional(),
    reset: z.boolean().optional(),
    /** True if the provider accepts the mail, or creates the ticket or post, before it fails. */
    accept: z.boolean().optional(),
    times: z.int().min(1).max(1_000_000).default(1),
    headers: responseHeaders.optional(),
    /** Limits the fault to mails of this category. */
    category: z.string().max(100).optional(),
    question_count: z.int().min(0).max(200).optional(),
    /**
     * Limits the fault to calls of this kind to the model. Without `call`, the fault applies to all kinds except
     * `speech`, `listening_session` and `listening`.
     */
    call: z.enum(modelCalls).optional(),
    /** What happens to a session when a piece of speech begins (`call` is `listening`). */
    listening: z.enum(['drop', 'stall', 'rate_limit', 'garbage', 'fail', 'speaks']).optional(),
    /** The text that the model hears in a recording. An empty text means silence. */
    transcript: z.string().max(20_000).optional(),
    /**
     * What the model decides about the next turn. Some values are decisions that the product must not show
     * (next-turn.ts).
     */
    decision: z.enum(decisionFaults).optional(),
    /**
     * What the model replies when it assesses answers or summarizes a result: false statements or unusable replies.
     */
    assessment: z.enum(assessmentFaults).optional(),
    /** How a video that the provider accepts ends. */
    video: z.enum(videoFaults).optional(),
    /** What is wrong with the report of a finished video. */
    hook: z.enum(hookFaults).optional(),
  })
  .superRefine(({ provider, ...asked }, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (provider !== 'sendgrid' && asked.category !== undefined)
      refuse('category', 'only mails (sendgrid) have categories');
    if (provider !== 'openai' && asked.refuse) refuse('refuse', 'only the model (openai) refuses');
    if (provider !== 'openai' && asked.question_count !== undefined)
      refuse('question_count', 'only the model (openai) writes questions');
    for (const name of ['code', 'call', 'listening', 'transcript', 'decision', 'assessment'] as const)
      if (provider !== 'openai' && asked[name] !== undefined)
        refuse(name, `only the model (openai) has a ${name}`);
    for (const name of ['video', 'hook'] as const)
      if (provider !== 'heygen' && asked[name] !== undefined)
        refuse(name, `only the provider of videos (heygen) has a ${name}`);
    if (provider === 'openai' && asked.accept)
      refuse(
        'accept',
        'the model (openai) accepts nothing: sendgrid, twilio, heygen, support and board do, before they fail',
      );
    const {
      times: _times,
      headers: _headers,
      code: _code,
      accept: _accept,
      category: _category,
      call: _call,
      ...kinds
    } = asked;
    if (!Object.values(kinds).some((kind) => kind !== undefined && kind !== false))
      refuse(
        'status',
        'say how to fail: status, delay_ms, malformed, refuse, reset, question_count, listening, transcript, decision, assessment, video or hook',
      );
  });
export type Fault = z.infer<typeof faultSchema>;

export type Faults = {
  add: (fault: Fault) => void;
  /**
   * Returns the fault that applies to this request and reduces its count. A fault with `accept`, `video` or `hook` applies
   * only to requests that create something.
   */
  take: (
    provider: Provider,
    request?: { creates?: boolean; categories?: string[]; call?: ModelCallKind },
  ) => Fault | undefined;
  /** Returns the pending faults in the order of their requests. `times` is the number of requests left. */
  list: () => Fault[];
  clear: () => void;
};

/** Keeps the pending faults. Several faults of one provider apply one after another. */
export function createFaults(): Faults {
  let pending: Fault[] = [];
  return {
    add: (added) => void pending.push({ ...added }),
    take(provider, { creates = true, categories = [], call } = {}) {
      const next = pending.find(
        (candidate) =>
          candidate.provider === provider &&
          (creates || !(candidate.accept || candidate.video || candidate.hook)) &&
          (candidate.category === undefined || categories.includes(candidate.category)) &&
          (candidate.call === undefined ? !separateCalls.has(call) : candidate.call === call),
      );
      if (!next) return undefined;
      next.times -= 1;
      if (next.times === 0) pending = pending.filter((candidate) => candidate !== next);
      return next;
    },
    list: () => pending.map((entry) => ({ ...entry })),
    clear() {
      pending = [];
    },
  };
}

/**
 * Applies the part of a fault that is the same for all providers: the delay, the closed connection, the error status.
 * Returns true when the request is over and the provider must not respond, for example because the caller hung up
 * during the delay. If the fault has `accept`, the provider still does the work.
 */
export async function applyFault(
  suffered: Fault | undefined,
  res: Response,
  pauses: Delays,
  shapeError: (status: number, message: string) => object,
): Promise<boolean> {
  if (!suffered) return false;
  if (suffered.delay_ms && (!(await pauses.wait(suffered.delay_ms)) || res.destroyed)) return true;
  if (suffered.reset) {
    res.socket?.resetAndDestroy();
    return true;
  }
  if (suffered.headers) res.set(suffered.headers);
  if (suffered.status === undefined || suffered.malformed || suffered.refuse) return false;
  res.status(suffered.status).json(shapeError(suffered.status, 'The fake was asked to fail so.'));
  return true;
}
