import type { Request, Response } from 'express';
import { z } from 'zod';
import { assessmentFormats, composeAssessment } from './assessment';
import { applyFault, type Fault, type Faults, type ModelCallKind } from './faults';
import { generateValue } from './generate-value';
import { findBrief } from './interview-brief';
import { composeReply, readInstruction } from './interview-draft';
import { composeDecision, decisionFormats } from './next-turn';
import { speak, transcribe } from './openai-audio';
import { parseBody, parseJson } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';
import { findStrictError } from './strict-schema';
import { nextToolCall } from './tool-calls';

/** The name of the response format with which the product requests interview drafts. */
const draftFormat = 'interview_draft';
const plainAnswer = 'This answer was composed by the local fake and not written by a model.';
const refusal = "I'm sorry, but I can't help with that request.";
const models = ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-4o-mini', 'gpt-5', 'gpt-5-mini'];

const textPart = z.object({ type: z.string(), text: z.string().default('') });
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(textPart), z.null()]).default(null),
});
const schemaFormat = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  strict: z.boolean().nullish(),
  schema: z.record(z.string(), z.unknown()),
});
const completionBody = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(z.object({ type: z.literal('function') })).optional(),
  stream: z.literal(false, 'the local fake does not stream').nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({ type: z.literal('json_schema'), json_schema: schemaFormat }),
    ])
    .optional(),
});
type CompletionBody = z.infer<typeof completionBody>;

/** A recorded call. `messages` are stored as they were sent. */
type ModelCall = { at: string; model: string; messages: unknown[]; response_format: string | null };
const listedCall = z.object({ model: z.string(), messages: z.array(z.unknown()) });

type ModelProvider = {
  calls: RecentRecords<ModelCall>;
  /** Handles everything under `/openai/v1`. */
  answer: (req: Request, res: Response) => Promise<void>;
};

/** Creates a fake of the part of OpenAI's HTTP API that the `openai` package uses for structured output. */
export function createModelProvider(faults: Faults, pauses: Delays): ModelProvider {
  const calls = createRecentRecords<ModelCall>();
  let completions = 0;
  return {
    calls,
    async answer(req, res) {
      const asked = `${req.method} ${req.path}`;
      const isCompletion = asked === 'POST /chat/completions';
      const format = isCompletion ? recordCall(calls, req.body) : null;
      const fault = faults.take('openai', { call: kindOf(asked, format) });
      res.set('x-fake', 'composed by the local fake, not written by a model');
      const shapeFault = (status: number, text: string) => shapeError(status, text, null, fault?.code);
      if (await applyFault(fault, res, pauses, shapeFault)) return;
      if (!/^Bearer \S/i.test(req.get('authorization') ?? '')) {
        res.status(401).json(shapeError(401, "You didn't provide an API key."));
        return;
      }
      if (asked === 'GET /models') {
        res.json({ object: 'list', data: models.map(describeModel) });
        return;
      }
      if (asked === 'POST /audio/speech') {
        speak(req, res, fault, shapeError);
        return;
      }
      if (asked === 'POST /audio/transcriptions') {
        await transcribe(req, res, fault, shapeError);
        return;
      }
      if (!isCompletion) {
        res.status(404).json(shapeError(404, `Unknown request URL: ${req.method} ${req.originalUrl}.`));
        return;
      }
      const parsed = parseBody(completionBody, req.body);
      if (!parsed.ok) {
        res.status(400).json(shapeError(400, parsed.error, parsed.name));
        return;
      }
      if (parsed.value.tools) {
        completions += 1;
        const texts = parsed.value.messages.map(({ role, content }) => ({
          role,
          content: readText(content),
        }));
        const call = nextToolCall(texts);
        const completion = buildCompletion(parsed.value, plainAnswer, fault, call);
        res.json({ id: `chatcmpl-fake-${completions}`, ...completion });
        return;
      }
      const written = writeContent(parsed.value, fault);
      if (!written.ok) {
        res.status(400).json(shapeError(400, written.error, written.name));
        return;
      }
      completions += 1;
      const id = `chatcmpl-fake-${completions}`;
      res.json({ id, ...buildCompletion(parsed.value, written.value, fault) });
    },
  };
}

type Written = { ok: true; value: string } | { ok: false; error: string; name: string };

function writeContent(
  { response_format: format, messages }: CompletionBody,
  fault: Fault | undefined,
): Written {
  if (!format || format.type === 'text') return { ok: true, value: plainAnswer };
  if (format.type === 'json_object') return { ok: true, value: JSON.stringify({ answer: plainAnswer }) };
  const { name, schema, strict } = format.json_schema;
  const strictError = strict ? findStrictError(schema) : undefined;
  if (strictError) {
    return {
      ok: false,
      error: `Invalid schema for response_format '${name}': ${strictError}`,
      name: 'response_format',
    };
  }
  if (name === draftFormat) {
    const textsOf = (wanted: string) =>
      messages.filter(({ role }) => role === wanted).map(({ content }) => readText(content));
    const found = findBrief(textsOf('user'));
    const instruction = readInstruction(textsOf('system').join('\n'), textsOf('user').join('\n'));
    if (found?.ok === false)
      return { ok: false, error: `Fake: the brief is wrong: ${found.error}`, name: 'messages' };
    if (found)
      return {
        ok: true,
        value: JSON.stringify(composeReply(found.value, instruction, fault?.question_count)),
      };
  }
  const prompt = messages.map(({ content }) => readText(content)).join('\n');
  const assessed = assessmentFormats.has(name)
    ? composeAssessment(prompt, schema, fault?.assessment)
    : undefined;
  if (assessed !== undefined) return { ok: true, value: assessed };
  const decided = decisionFormats.has(name) ? composeDecision(prompt, fault?.decision) : undefined;
  return { ok: true, value: JSON.stringify(decided ?? generateValue(schema)) };
}

function kindOf(asked: string, format: string | null): ModelCallKind {
  if (asked === 'POST /audio/speech') return 'speech';
  if (asked === 'POST /audio/transcriptions') return 'transcription';
  if (format === draftFormat) return 'draft';
  if (format === null) return 'other';
  if (assessmentFormats.has(format)) return 'assessment';
  return decisionFormats.has(format) ? 'decision' : 'other';
}

function buildCompletion(
  { model, messages }: CompletionBody,
  written: string,
  fault: Fault | undefined,
  call?: { name: string; arguments: string },
): object {
  const refused = fault?.refuse === true && !fault.malformed;
  const cut = fault?.malformed || fault?.assessment === 'cut_off';
  // The JSON text is cut in the middle, and its outermost bracket is never closed, so no JSON parser accepts the
  // text.
  const content = cut ? `{${written.slice(1, Math.ceil(written.length / 2))}` : written;
  const promptTokens = countTokens(messages.map((entry) => readText(entry.content)).join(''));
  const completionTokens = countTokens(refused ? refusal : content);
  return {
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: 'fp_local_fakes',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refused || call ? null : content,
          refusal: refused ? refusal : null,
          ...(call ? { tool_calls: [{ id: 'call_fake', type: 'function', function: call }] } : {}),
        },
        finish_reason: call ? 'tool_calls' : fault?.assessment === 'cut_off' ? 'length' : 'stop',
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

/** Returns OpenAI's error body for a status. */
function shapeError(status: number, text: string, param: string | null = null, givenCode?: string): object {
  const [type, code] =
    status === 401
      ? ['invalid_request_error', 'invalid_api_key']
      : status === 404
        ? ['invalid_request_error', 'unknown_url']
        : status === 429
          ? ['requests', 'rate_limit_exceeded']
          : status >= 500
            ? ['server_error', null]
            : ['invalid_request_error', null];
  return { error: { message: text, type, param, code: givenCode ?? code } };
}

/** Records the call and returns the name of its response format. */
function recordCall(calls: RecentRecords<ModelCall>, body: unknown): string | null {
  const json = parseJson(body);
  const listed = listedCall.safeParse(json);
  if (!listed.success) return null;
  const format = z
    .object({ response_format: z.object({ json_schema: z.object({ name: z.string() }) }) })
    .safeParse(json);
  const name = format.success ? format.data.response_format.json_schema.name : null;
  calls.add({ at: new Date().toISOString(), ...listed.data, response_format: name });
  return name;
}

function readText(content: z.infer<typeof message>['content']): string {
  if (content === null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function describeModel(id: string): object {
  return { id, object: 'model', created: 1_700_000_000, owned_by: 'local-fake' };
}
