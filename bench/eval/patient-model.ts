import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelAnswer } from '../../activities/providers/completion';
import { ProviderError } from '../../activities/providers/provider-error';
import type { AssessingModel } from '../../activities/scoring/ask';

/** How often a call is made before the evaluation stops, and the longest pause between two calls. */
const maxTries = 8;
const maxPauseMs = 120_000;
const firstPauseMs = 1_000;

export type Spent = { calls: number; kept: number; promptTokens: number; completionTokens: number };
export type PatientModel = AssessingModel & { spent: Spent };

/**
 * Returns a model that waits and repeats a call after a 429, a time-out or another error that can pass, for as long as
 * the provider asks. It keeps each reply in `file`, so that an evaluation that was stopped goes on where it was.
 */
export function createPatientModel(
  model: AssessingModel,
  {
    file,
    isFresh,
    pause = (ms) => wait(ms),
  }: { file: string; isFresh: boolean; pause?: (ms: number) => Promise<unknown> },
): PatientModel {
  if (isFresh) rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  const kept = readReplies(file);
  const times = new Map<string, number>();
  const spent: Spent = { calls: 0, kept: 0, promptTokens: 0, completionTokens: 0 };

  const callPatiently = async (request: Parameters<AssessingModel['complete']>[0]): Promise<ModelAnswer> => {
    for (let tried = 1; ; tried += 1)
      try {
        return await model.complete(request);
      } catch (error) {
        if (!(error instanceof ProviderError) || !error.retryable || tried >= maxTries) throw error;
        const pauseMs = Math.max(error.retryAfterMs ?? 0, firstPauseMs * 2 ** (tried - 1));
        await pause(Math.min(pauseMs, maxPauseMs));
      }
  };
  return {
    name: model.name,
    spent,
    complete: async (request) => {
      const key = keyOf(model.name, request, times);
      let answer = kept.get(key);
      if (answer) spent.kept += 1;
      else {
        answer = await callPatiently(request);
        appendFileSync(file, `${JSON.stringify({ key, answer })}\n`);
      }
      spent.calls += 1;
      spent.promptTokens += answer.promptTokens ?? 0;
      spent.completionTokens += answer.completionTokens ?? 0;
      return answer;
    },
  };
}

/**
 * Returns a key that is the same in each run: the fence of a prompt is random, so it is left out. Two samples can have
 * the same prompt, so the key also has the number of the call with this prompt.
 */
function keyOf(
  model: string,
  { name, messages, schema }: Parameters<AssessingModel['complete']>[0],
  times: Map<string, number>,
): string {
  const prompt = JSON.stringify([model, name, schema, messages]).replaceAll(/[0-9a-f]{24}/g, '');
  const hash = createHash('sha256').update(prompt).digest('hex').slice(0, 32);
  const time = (times.get(hash) ?? 0) + 1;
  times.set(hash, time);
  return `${hash}-${time}`;
}

/** Reads the kept replies. If the evaluation was killed, the last line is incomplete and is removed. */
function readReplies(file: string): Map<string, ModelAnswer> {
  if (!existsSync(file)) return new Map();
  const text = readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete !== text) writeFileSync(file, complete);
  const lines = complete.split('\n').slice(0, -1);
  return new Map(
    lines.map((line) => {
      const { key, answer } = JSON.parse(line) as { key: string; answer: ModelAnswer };
      return [key, answer];
    }),
  );
}
