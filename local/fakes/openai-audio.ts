import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Fault } from './faults';
import { hashText } from './hash-text';
import { parseBody } from './parse-body';
import { composeSpeech, findSpokenText } from './speech-file';

type ShapeError = (status: number, text: string, param?: string | null) => object;

const speechBody = z.object({
  model: z.string().min(1),
  input: z.string().min(1).max(4_096),
  voice: z.string().min(1),
  response_format: z.enum(['mp3'], 'the local fake makes mp3 files only').default('mp3'),
  speed: z.number().min(0.25).max(4).optional(),
  instructions: z.string().optional(),
});

/** Responds to `POST /audio/speech` with a short tone. The ID3 tag of the file contains the text. */
export function speak(req: Request, res: Response, fault: Fault | undefined, shapeError: ShapeError): void {
  const parsed = parseBody(speechBody, req.body);
  if (!parsed.ok) {
    res.status(400).json(shapeError(400, parsed.error, parsed.name));
    return;
  }
  const file = composeSpeech(parsed.value.input);
  res.type('audio/mpeg').send(fault?.malformed ? Buffer.alloc(0) : file);
}

const form = z.object({
  file: z.instanceof(File),
  model: z.string().min(1),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  response_format: z
    .enum(['json', 'verbose_json'], 'the local fake returns json and verbose_json only')
    .default('json'),
  'include[]': z.literal('logprobs').optional(),
});
const endings = /\.(flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)$/;
const maxFileBytes = 25 * 1024 * 1024;

/**
 * Responds to `POST /audio/transcriptions`. The text is the `transcript` of the fault if there is one, or else the
 * text after `fake-transcript:` in the file. Without both, the file's hash chooses sentences.
 */
export async function transcribe(
  req: Request,
  res: Response,
  fault: Fault | undefined,
  shapeError: ShapeError,
): Promise<void> {
  const fields = await readForm(req);
  const parsed = form.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    res.status(400).json(shapeError(400, issue?.message ?? 'invalid form', issue?.path.join('.') ?? null));
    return;
  }
  const { file, model, response_format: format, 'include[]': include } = parsed.data;
  const problem = findOptionProblem(model, format, include);
  if (problem !== undefined) {
    res.status(400).json(shapeError(400, problem, 'include'));
    return;
  }
  if (file.size > maxFileBytes) {
    res.status(413).json(shapeError(413, 'Maximum content size limit (26214400) exceeded.'));
    return;
  }
  if (file.size === 0 || !endings.test(file.name)) {
    res.status(400).json(shapeError(400, 'Invalid file format.', 'file'));
    return;
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const text = fault?.transcript ?? findSpokenText(bytes) ?? composeTranscript(bytes);
  if (fault?.malformed) res.type('json').send('{"text":');
  else
    res.json({ text, ...composeConfidence(text, format, include), usage: { type: 'duration', seconds: 1 } });
}

/** Like the provider: only Whisper has the verbose format, and only the newer models have `logprobs`. */
function findOptionProblem(model: string, format: string, include: string | undefined): string | undefined {
  const isWhisper = model.startsWith('whisper');
  if (format === 'verbose_json' && !isWhisper)
    return `response_format 'verbose_json' is not compatible with ${model}`;
  if (include !== undefined && isWhisper) return `include 'logprobs' is not compatible with ${model}`;
  return undefined;
}

/** A token for each word. The probability is 0.9, or 0.3 if somebody mumbles: `mumbled` is then part of the word. */
function composeConfidence(text: string, format: string, include: string | undefined): object {
  const tokens = text.split(/\s+/).filter(Boolean);
  const logprobs = tokens.map((token) => ({
    token,
    logprob: Math.log(token.includes('mumbled') ? 0.3 : 0.9),
    bytes: [...Buffer.from(token)],
  }));
  if (include !== undefined) return { logprobs };
  if (format !== 'verbose_json') return {};
  const sum = logprobs.reduce((all, { logprob }) => all + logprob, 0);
  return {
    segments: [
      { id: 0, text, avg_logprob: sum / Math.max(1, tokens.length), tokens: tokens.map((_, id) => id) },
    ],
  };
}

async function readForm(req: Request): Promise<Record<string, unknown>> {
  const body: unknown = req.body;
  if (!(body instanceof Uint8Array)) return {};
  const headers = { 'content-type': req.get('content-type') ?? '' };
  return await new globalThis.Response(Buffer.from(body), { headers }).formData().then(
    (read) => Object.fromEntries(read),
    () => ({}),
  );
}

/** Composes a transcript. The same bytes always give the same sentences. */
export function composeTranscript(bytes: Buffer): string {
  const seed = hashText(createHash('sha256').update(bytes).digest('hex'));
  const pick = (list: readonly string[], turn: number) => list[(seed >>> turn) % list.length] ?? '';
  return `${pick(openings, 0)} ${pick(actions, 4)} ${pick(results, 8)}`;
}

const openings = [
  'In my last job I was responsible for the weekly planning of a team of six.',
  'I worked on the support line for three years.',
  'I led the move of our orders to a new system.',
];
const actions = [
  'I talked to everybody involved first and wrote down what had to change.',
  'I split the work into small steps and checked each one with the customer.',
  'I compared two options and chose the one that we could undo.',
];
const results = [
  'After two months we had half as many complaints.',
  'We finished a week early, and the numbers improved by a fifth.',
  'It taught me to ask sooner when something is unclear.',
];
