import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { ReplayPage } from '../../activities/webhook-replays';
import { quietRuntime, startFlowWorker } from '../harness/flow-worker';
import { waitFor } from '../harness/interview-rows';

/** Pages that the fake answers for a replay, one after the other, the last one ever after. */
const scripts = new Map<string, Partial<ReplayPage>[]>();
const calls = new Map<string, string[]>();
const callsOf = (id: string) => calls.get(id) ?? [];
const answer: ReplayPage = { state: 'running', requeued: 0, replayed: 0, matched: 9, per_second: 1_000 };
const play = (call: string, id: string): ReplayPage => {
  const played = callsOf(id).length;
  calls.set(id, [...callsOf(id), call]);
  const pages = scripts.get(id) ?? [];
  return { ...answer, ...pages[Math.min(played, pages.length - 1)] };
};

let worker: Awaited<ReturnType<typeof startFlowWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startFlowWorker({
    replayPage: async ({ replay_id }) => play('page', replay_id),
    endReplay: async ({ replay_id }) => {
      calls.set(replay_id, [...callsOf(replay_id), 'end']);
      return { ...answer, state: 'cancelled', replayed: 5 };
    },
  });
});
afterAll(() => worker.stop());

const start = async (pages: Partial<ReplayPage>[], limitEvents?: number) => {
  const id = randomUUID();
  scripts.set(id, pages);
  const more = limitEvents === undefined ? {} : { limit_events: limitEvents };
  return { id, handle: await worker.startReplay(id, more) };
};
type Handle = Awaited<ReturnType<typeof start>>['handle'];
const seen = async (handle: Handle) => [
  (await handle.describe()).searchAttributes['FlowStatus']?.[0],
  (await handle.query(workflowMetadataQuery)).currentDetails,
];
/** How long each page took with the wait behind it, and whether there was one, by the workflow's clock. */
async function pace(handle: Handle): Promise<{ took: number; waited: boolean }[]> {
  const { events } = await handle.fetchHistory();
  const pages: { beganAt: number; endedAt?: number }[] = [];
  let now = 0;
  for (const event of events ?? []) {
    if (event.workflowTaskStartedEventAttributes) now = toMs(event.eventTime);
    if (event.activityTaskScheduledEventAttributes) pages.push({ beganAt: now });
    const page = pages.at(-1);
    if (event.timerStartedEventAttributes && page)
      page.endedAt = now + toMs(event.timerStartedEventAttributes.startToFireTimeout);
  }
  return pages.map(({ beganAt, endedAt }, index) => ({
    took: (endedAt ?? pages[index + 1]?.beganAt ?? now) - beganAt,
    waited: endedAt !== undefined,
  }));
}
type Duration = { seconds?: unknown; nanos?: number | null } | null | undefined;
const toMs = (time: Duration) => Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1e6);

describe('webhookReplay', () => {
  it('page after page until the last one', async () => {
    const { id, handle } = await start([
      { requeued: 5, replayed: 5 },
      { requeued: 4, replayed: 9 },
      { state: 'done', replayed: 9 },
    ]);
    await handle.result();
    expect(callsOf(id)).toEqual(['page', 'page', 'page']);
    expect(await seen(handle)).toEqual([
      'done',
      '**Done**: 9 of 9 that matched when it was asked for; at most 1000 a second.',
    ]);
    expect(await (await handle.describe()).staticSummary()).toBe(
      'Sends many deliveries anew, as somebody asked',
    );
  });

  it('keeps to the speed that was asked for, and does not wait behind a page without any', async () => {
    const { handle } = await start([
      { requeued: 2, per_second: 2 },
      { requeued: 0, per_second: 2 },
      { requeued: 1, per_second: 2 },
      { state: 'done' },
    ]);
    await handle.result();
    const [first, empty, second] = await pace(handle);
    expect(empty?.waited).toBe(false);
    // What a page took is taken off; one that took longer needs no wait.
    for (const [page, planned] of [
      [first, 1_000],
      [second, 500],
    ] as const) {
      expect(page?.took).toBeGreaterThanOrEqual(planned - 2);
      if (page?.waited) expect(page.took).toBeLessThanOrEqual(planned + 2);
    }
  });

  it('its row is cancelled: ends behind the page', async () => {
    const { id, handle } = await start([
      { requeued: 5, replayed: 5 },
      { state: 'cancelled', replayed: 5 },
    ]);
    await handle.result();
    expect(callsOf(id)).toEqual(['page', 'page']);
    expect(await seen(handle)).toEqual([
      'done',
      '**Cancelled**: 5 of 9 that matched when it was asked for; at most 1000 a second.',
    ]);
  });

  it('the flow is cancelled: the row ends too', async () => {
    const { id, handle } = await start([{ requeued: 60, per_second: 1 }]);
    await waitFor('the pause behind the page', async () => (await pace(handle)).some(({ waited }) => waited));
    await handle.cancel();
    const error: unknown = await handle.result().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(callsOf(id)).toEqual(['page', 'end']);
    expect((await seen(handle))[1]).toMatch(/^\*\*Cancelled\*\*: 5 of 9/);
  });

  it('a history that gets long: goes on in a new one, at the page where it was', async () => {
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
