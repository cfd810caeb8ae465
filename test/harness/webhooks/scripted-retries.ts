import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { PauseShown } from '../../../activities/webhooks/webhook-pauses';
import type { ReleasedRetries } from '../../../activities/webhooks/webhook-retries';
import type { WebhookRetriesInput } from '../../../workflows/webhook-retries';
import { quietRuntime, startTestWorker, whileBeating } from '../platform/test-worker';
import { factsOf } from '../platform/workflow-facts';
import { waitFor } from '../wait-for';

/*
 * Runs `webhookRetries` with fake activities whose results come from a script.
 */

/**
 * What the fake activities return for an endpoint. Call n of `releaseRetries` returns entry n of `releases`; the
 * last entry is repeated.
 */
type Script = {
  releases: Partial<ReleasedRetries>[];
  pause?: PauseShown | null;
  /** Called during the n-th call of the activity `call`, which waits until the returned promise resolves. */
  during?: (call: string, n: number, id: string) => Promise<unknown> | void;
};
export const scripts = new Map<string, Script>();
const calls = new Map<string, string[]>();
export const callsOf = (id: string) => calls.get(id) ?? [];
export const countOf = (id: string, call: string) => callsOf(id).filter((made) => made === call).length;

async function note(call: string, id: string): Promise<void> {
  calls.set(id, [...callsOf(id), call]);
  await whileBeating(() => scripts.get(id)?.during?.(call, countOf(id, call), id));
}
const nothing: ReleasedRetries = {
  released: 0,
  waiting: 0,
  in_progress: 0,
  next_due_in_ms: null,
  paused_reason: null,
  is_open: true,
  last_failure: null,
};
const fakes = {
  releaseRetries: async ({ endpoint_id: id }: { endpoint_id: string }): Promise<ReleasedRetries> => {
    const releases = scripts.get(id)?.releases ?? [];
    const release = { ...nothing, ...releases[Math.min(countOf(id, 'release'), releases.length - 1)] };
    await note('release', id);
    return release;
  },
  pauseEndpoint: ({ endpoint_id }: { endpoint_id: string }) => note('pause', endpoint_id),
  resumeEndpoint: ({ endpoint_id, pause_since }: { endpoint_id: string; pause_since: string | null }) =>
    note(pause_since === null ? 'resume' : `resume ${pause_since}`, endpoint_id),
  retryNow: ({ endpoint_id, delivery_id }: { endpoint_id: string; delivery_id: string | null }) =>
    note(`retry ${delivery_id ?? 'all'}`, endpoint_id),
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
  worker = await startTestWorker(fakes);
}
export async function closeScriptedRetries(): Promise<void> {
  await Promise.all(started.map((handle) => handle.terminate().catch(() => undefined)));
  await worker?.stop();
}

export const quick = { settle_ms: 0, check_ms: 0 };
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
export const releases = (id: string, count: number) =>
  waitFor(`${count} releases`, async () => countOf(id, 'release') >= count);
export const seenSoon = (handle: WorkflowHandle, status: string) =>
  waitFor(status, async () => {
    const now = await factsOf(handle);
    return now[0] === status && now;
  });
export const inAnHour = { waiting: 1, next_due_in_ms: 3_600_000, last_failure: 'HTTP 500' };
