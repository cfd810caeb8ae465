import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { ReplayPage } from '../../../activities/webhooks/webhook-replays';
import { quietRuntime, startTestWorker } from '../../harness/platform/test-worker';
import { factsOf, waitsOf } from '../../harness/platform/workflow-facts';
import { waitFor } from '../../harness/wait-for';

type Page = Partial<ReplayPage> & { tookMs?: number };
/** The pages that the fake activity returns for a replay, in order. The last one is repeated. */
const scripts = new Map<string, Page[]>();
/**
 * For each replay id, the argument `seconds` of each call for a page. A page has as many deliveries as the rate
 * allows in this time.
 */
const secondsOf = new Map<string, number[]>();
const calls = new Map<string, string[]>();
const callsOf = (id: string) => calls.get(id) ?? [];
const answer: ReplayPage = { state: 'running', requeued: 0, replayed: 0, matched: 9, per_second: 1_000 };
const play = async (call: string, id: string): Promise<ReplayPage> => {
  const played = callsOf(id).length;
  calls.set(id, [...callsOf(id), call]);
  const pages = scripts.get(id) ?? [];
  const { tookMs = 0, ...page } = pages[Math.min(played, pages.length - 1)] ?? {};
  await wait(tookMs);
  return { ...answer, ...page };
};

let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startTestWorker({
    replayPage: async ({ replay_id, seconds = 0 }) => {
      secondsOf.set(replay_id, [...(secondsOf.get(replay_id) ?? []), seconds]);
      return play('page', replay_id);
    },
    endReplay: async ({ replay_id }) => {
      calls.set(replay_id, [...callsOf(replay_id), 'end']);
      return { ...answer, state: 'cancelled', replayed: 5 };
    },
  });
});
afterAll(() => worker.stop());

const start = async (pages: Page[], limitEvents?: number) => {
  const id = randomUUID();
  scripts.set(id, pages);
  const more = limitEvents === undefined ? {} : { limit_events: limitEvents };
  return { id, handle: await worker.startReplay(id, more) };
};
/** Returns when the workflow began and when each of its activities was scheduled, in milliseconds. */
const beginsOf = async (handle: Awaited<ReturnType<typeof start>>['handle']): Promise<number[]> => {
  const events = (await handle.fetchHistory()).events ?? [];
  const timeOf = ({ eventTime }: (typeof events)[number] = {}) =>
    Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;
  const began = events.find((event) => event.workflowTaskStartedEventAttributes);
  const activities = events.filter((event) => event.activityTaskScheduledEventAttributes);
  return [began, ...activities].map(timeOf);
};

/** After this page, the workflow waits for ten minutes, which is longer than any delay of the machine. */
const tenMinutes: Page = { requeued: 600, per_second: 1 };

describe('webhookReplay', () => {
  it('replays page after page until the last one', async () => {
    const { id, handle } = await start([
      { requeued: 5, replayed: 5 },
      { requeued: 4, replayed: 9 },
      { state: 'done', replayed: 9 },
    ]);
    await handle.result();
    expect(callsOf(id)).toEqual(['page', 'page', 'page']);
    expect(await factsOf(handle)).toEqual([
      'done',
      '**Done**: 9 of 9 that matched when it was asked for; at most 1000 a second.',
    ]);
    expect(await (await handle.describe()).staticSummary()).toBe('Replays many deliveries of a merchant');
  });

  it('keeps the requested speed', async () => {
    const { handle } = await start([
      { requeued: 2, per_second: 2 },
      { requeued: 0, per_second: 2 },
      { requeued: 1, per_second: 2 },
      { state: 'done' },
    ]);
    await handle.result();
    const begins = await beginsOf(handle);
    expect(begins).toHaveLength(5);
    expect((begins[4] ?? 0) - (begins[0] ?? 0)).toBeGreaterThanOrEqual(1_490);
  });

  it('does not wait after an empty page', async () => {
    const { id, handle } = await start([{ requeued: 0, per_second: 1 }, tenMinutes]);
    await waitFor('the pause behind a page', async () => (await waitsOf(handle)).length > 0);
    expect([callsOf(id), await waitsOf(handle)]).toEqual([['page', 'page'], [expect.any(Number)]]);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  });

  it('makes the next page larger after a page that took too long, and waits no longer', async () => {
    const { id, handle } = await start([{ requeued: 1, per_second: 1_000, tookMs: 300 }, tenMinutes]);
    await waitFor('the pause behind a page', async () => (await waitsOf(handle)).length > 0);
    const [only = 0] = await waitsOf(handle);
    // At their rates, the two pages should take ten minutes and one millisecond together. The workflow waits less
    // than that, because the first page took at least 300 ms instead of one.
    expect(only).toBeLessThanOrEqual(599_900);
    expect(only).toBeGreaterThan(300_000);
    expect(callsOf(id)).toEqual(['page', 'page']);
    const [first, second] = secondsOf.get(id) ?? [];
    expect(first).toBe(1);
    expect(second).toBeGreaterThanOrEqual(1.2);
    expect(second).toBeLessThanOrEqual(2);
    const { events } = await handle.fetchHistory();
    const [page] = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    expect(Number(page?.heartbeatTimeout?.seconds)).toBe(5);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  });

  it('ends after the current page when its row is canceled', async () => {
    const { id, handle } = await start([
      { requeued: 5, replayed: 5 },
      { state: 'cancelled', replayed: 5 },
    ]);
    await handle.result();
    expect(callsOf(id)).toEqual(['page', 'page']);
    expect(await factsOf(handle)).toEqual([
      'done',
      '**Cancelled**: 5 of 9 that matched when it was asked for; at most 1000 a second.',
    ]);
  });

  it('ends its row when the workflow is canceled', async () => {
    const { id, handle } = await start([tenMinutes]);
    await waitFor('the pause behind the page', async () => (await waitsOf(handle)).length > 0);
    await handle.cancel();
    const error: unknown = await handle.result().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(callsOf(id)).toEqual(['page', 'end']);
    expect((await factsOf(handle))[1]).toMatch(/^\*\*Cancelled\*\*: 5 of 9/);
  });

  it('continues as a new run at the same page when its history gets long', async () => {
    const pages = Array.from({ length: 12 }, () => ({ requeued: 1 }));
    const { id, handle } = await start([...pages, { state: 'done', replayed: 12 }], 20);
    const first = (await handle.describe()).runId;
    await handle.result();
    expect(callsOf(id)).toHaveLength(13);
    const last = worker.client.workflow.getHandle(handle.workflowId);
    const { runId, searchAttributes } = await last.describe();
    expect(runId).not.toBe(first);
    expect(searchAttributes).toMatchObject({ FlowStatus: ['done'], Environment: ['production'] });
  });
});
