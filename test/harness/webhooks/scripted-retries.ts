import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { PauseShown } from '../../../activities/webhooks/webhook-pauses';
import type { AttemptedDue } from '../../../activities/webhooks/webhooks';
import type { WebhookRetriesInput } from '../../../workflows/webhook-retries';
import { quietRuntime, startTestWorker, whileBeating } from '../platform/test-worker';
import { factsOf } from '../platform/workflow-facts';
import { waitFor } from '../wait-for';

/*
 * Runs `webhookRetries` with fake activities whose results come from a script.
 */

/**
 * What the fake activities return for an endpoint. Call n of `attemptDue` returns entry n of `runs`; the last entry
 * is repeated.
 */
type Script = {
  runs: Partial<AttemptedDue>[];
  pause?: PauseShown | null;
  /** Called during the n-th call of the activity `call`, which waits until the returned promise resolves. */
  during?: (call: string, n: number, id: string) => Promise<unknown> | void;
};
export const scripts = new Map<string, Script>();
const calls = new Map<string, string[]>();
export const queues = new Set<string>();
export const callsOf = (id: string) => calls.get(id) ?? [];
export const countOf = (id: string, call: string) => callsOf(id).filter((made) => made === call).length;

async function note(call: string, id: string): Promise<void> {
  calls.set(id, [...callsOf(id), call]);
  await whileBeating(() => scripts.get(id)?.during?.(call, countOf(id, call), id));
}
const nothing: AttemptedDue = {
  attempted: 0,
  acknowledged: 0,
  failed: 0,
  gave_up: 0,
  waiting: 0,
  next_due_in_ms: null,
  paused_reason: null,
  last: null,
};
const fakes = {
  attemptDue: async ({ endpoint_id: id }: { endpoint_id: string }): Promise<AttemptedDue> => {
    queues.add(Context.current().info.taskQueue);
    const runs = scripts.get(id)?.runs ?? [];
    const run = { ...nothing, ...runs[Math.min(countOf(id, 'attempt'), runs.length - 1)] };
    await note('attempt', id);
    return run;
  },
  pauseEndpoint: ({ endpoint_id }: { endpoint_id: string }) => note('pause', endpoint_id),
  resumeEndpoint: ({ endpoint_id, pause_since }: { endpoint_id: string; pause_since: string | null }) =>
    note(pause_since === null ? 'resume' : `resume ${pause_since}`, endpoint_id),
  hurryRetries: ({ endpoint_id, delivery_id }: { endpoint_id: string; delivery_id: string | null }) =>
    note(`hurry ${delivery_id ?? 'all'}`, endpoint_id),
  readPause: async ({ endpoint_id }: { endpoint_id: string }): Promise<PauseShown | null> =>
    scripts.get(endpoint_id)?.pause ?? null,
  mailEndpointPaused: ({ endpoint_id }: { endpoint_id: string }) => note('mail', endpoint_id),
};

let worker: Awaited<ReturnType<typeof startTestWorker>> | undefined;
const started: WorkflowHandle[] = [];

/** Returns the worker that runs the workflows. Throws if `openScriptedRetries` has not started it. */
export const temporal = () => {
  if (!worker) throw new Error('openScriptedRetries comes first');
  return worker;
};
export async function openScriptedRetries(): Promise<void> {
  quietRuntime();
  queues.clear();
  worker = await startTestWorker(fakes);
}
export async function closeScriptedRetries(): Promise<void> {
  await Promise.all(started.map((handle) => handle.terminate().catch(() => undefined)));
  await worker?.stop();
}

export const quick = { settle_ms: 0 };
export async function start(
  script: Script,
  more: Partial<WebhookRetriesInput> = quick,
  signal?: [string, ...unknown[]],
) {
  const id = randomUUID();
  scripts.set(id, script);
  const handle = await temporal().signalRetries(id, more, signal);
  started.push(handle);
  return { id, handle };
}
export const attempts = (id: string, count: number) =>
  waitFor(`${count} runs`, async () => countOf(id, 'attempt') >= count);
export const seenSoon = (handle: WorkflowHandle, status: string) =>
  waitFor(status, async () => {
    const now = await factsOf(handle);
    return now[0] === status && now;
  });
export const inAnHour = { attempted: 1, failed: 1, waiting: 1, next_due_in_ms: 3_600_000, last: 'HTTP 500' };
