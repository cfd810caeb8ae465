import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { PauseShown } from '../../activities/webhook-pauses';
import type { AttemptedDue } from '../../activities/webhooks';
import { webhookRetriesId } from '../../workflows/ids';
import type { WebhookRetriesInput } from '../../workflows/webhook-retries';
import { quietRuntime, startFlowWorker } from '../harness/flow-worker';
import { waitFor } from '../harness/interview-rows';

type Handle = Awaited<ReturnType<typeof worker.signalRetries>>;
/** What the fakes answer for an endpoint: runs one after the other, the last one ever after. */
type Script = {
  runs: Partial<AttemptedDue>[];
  pause?: PauseShown | null;
  /** Runs beside the n-th call of a name. */
  during?: (call: string, n: number, id: string) => Promise<unknown> | void;
};
const scripts = new Map<string, Script>();
const calls = new Map<string, string[]>();
const queues = new Set<string>();
const callsOf = (id: string) => calls.get(id) ?? [];
const countOf = (id: string, call: string) => callsOf(id).filter((made) => made === call).length;

async function note(call: string, id: string): Promise<void> {
  calls.set(id, [...callsOf(id), call]);
  await scripts.get(id)?.during?.(call, countOf(id, call), id);
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
  resumeEndpoint: ({ endpoint_id }: { endpoint_id: string }) => note('resume', endpoint_id),
  hurryRetries: ({ endpoint_id, delivery_id }: { endpoint_id: string; delivery_id: string | null }) =>
    note(`hurry ${delivery_id ?? 'all'}`, endpoint_id),
  readPause: async ({ endpoint_id }: { endpoint_id: string }): Promise<PauseShown | null> =>
    scripts.get(endpoint_id)?.pause ?? null,
  mailEndpointPaused: ({ endpoint_id }: { endpoint_id: string }) => note('mail', endpoint_id),
};

let worker: Awaited<ReturnType<typeof startFlowWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startFlowWorker(fakes);
});
const started: Handle[] = [];
afterAll(async () => {
  await Promise.all(started.map((handle) => handle.terminate().catch(() => undefined)));
  await worker.stop();
});

const quick = { settle_ms: 0 };
async function start(
  script: Script,
  more: Partial<WebhookRetriesInput> = quick,
  signal?: [string, ...unknown[]],
) {
  const id = randomUUID();
  scripts.set(id, script);
  const handle = await worker.signalRetries(id, more, signal);
  started.push(handle);
  return { id, handle };
}
const attempts = (id: string, count: number) =>
  waitFor(`${count} runs`, async () => countOf(id, 'attempt') >= count);
/** What an operator reads, with the times left out. */
async function seen(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
  const { currentDetails } = await handle.query(workflowMetadataQuery);
  const { searchAttributes } = await handle.describe();
  return [
    searchAttributes['FlowStatus']?.[0],
    currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];
}
const seenSoon = (handle: WorkflowHandle, status: string) =>
  waitFor(status, async () => {
    const now = await seen(handle);
    return now[0] === status && now;
  });
/** The flow's waits in milliseconds. */
async function waits(handle: Handle): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds) * 1_000 + Number(timer.startToFireTimeout?.nanos) / 1e6]
      : [],
  );
}

const inAnHour = { attempted: 1, failed: 1, waiting: 1, next_due_in_ms: 3_600_000, last: 'HTTP 500' };

describe('webhookRetries', () => {
  it('attempts what is due when it is due, on the senders’ queue, until nothing waits', async () => {
    const { id, handle } = await start({
      runs: [
        { waiting: 3, next_due_in_ms: 700 },
        {
          attempted: 3,
          acknowledged: 1,
          failed: 2,
          gave_up: 1,
          waiting: 1,
          next_due_in_ms: 400,
          last: 'timeout',
        },
        { attempted: 1, acknowledged: 1 },
      ],
    });
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'attempt', 'attempt']);
    expect(await waits(handle)).toEqual([700, 400]);
    expect([...queues]).toEqual([worker.queues.webhooks]);
    expect(await seen(handle)).toEqual([
      'done',
      '**Done**: nothing waits any more.\n\nAttempts so far: 4, of which 2 failed; 1 given up. Last: acknowledged.',
    ]);
  });

  it('an operator sees whose it is, how many wait until when, and the kind of the last failure', async () => {
    const { id, handle } = await start({ runs: [{ ...inAnHour, waiting: 12 }] });
    expect(await seenSoon(handle, 'waiting')).toEqual([
      'waiting',
      '**Waiting** until <time>: 12 deliveries wait for the next attempt.\n\nAttempts so far: 1, of which 1 failed; 0 given up. Last: HTTP 500.',
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes).toMatchObject({
      MerchantId: ['00000000-0000-4000-8000-000000000001'],
      Environment: ['production'],
      EndpointId: [id],
    });
    expect(await description.staticSummary()).toBe(
      'Repeats the deliveries that failed of one webhook endpoint',
    );
  });

  it('a new failure while it sleeps: looks again, and sleeps until the earlier time', async () => {
    const { id, handle } = await start({ runs: [inAnHour, { ...inAnHour, next_due_in_ms: 50 }, {}] });
    await seenSoon(handle, 'waiting');
    await handle.signal('failed');
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(3);
    expect((await waits(handle)).slice(0, 2)).toEqual([3_600_000, 50]);
  });

  it('a failure that is told during the run that leaves nothing: one more run', async () => {
    const { id, handle } = await start({
      runs: [{ attempted: 1, acknowledged: 1 }],
      during: (_call, n, id) => (n === 1 ? worker.signalRetries(id, quick) : undefined),
    });
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(2);
  });

  it('failures told while it ends, over and over: none is left lying', async () => {
    const id = randomUUID();
    const lying = new Set<number>();
    scripts.set(id, { runs: [{}], during: () => lying.clear() });
    for (let n = 0; n < 80; n++) {
      lying.add(n);
      const handle = await worker.signalRetries(id, quick);
      // Told at another moment of the last run each time.
      if (n % 4 === 0) await handle.result();
      else await wait(n % 17);
    }
    await worker.client.workflow.getHandle(webhookRetriesId(id)).result();
    expect(lying).toEqual(new Set());
  });

  it('many failures at once: few runs', async () => {
    const { id, handle } = await start({ runs: [inAnHour, inAnHour, {}] }, { settle_ms: 1_500 });
    await attempts(id, 1);
    for (let n = 0; n < 10; n++) await handle.signal('failed');
    await attempts(id, 2);
    for (let n = 0; n < 10; n++) await handle.signal('failed');
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(3);
  });

  it('a run that leaves much behind that is due: the next one at once; one that can send nothing: not before the sweep', async () => {
    const full = { attempted: 200, failed: 200, waiting: 500, next_due_in_ms: 0 };
    const { id, handle } = await start({ runs: [full, full, { waiting: 500, next_due_in_ms: 0 }, {}] }, {});
    await seenSoon(handle, 'waiting');
    expect(countOf(id, 'attempt')).toBe(3);
    expect(await waits(handle)).toEqual([3_600_000]);
    await handle.signal('failed');
    await handle.result();
  });
});

describe('retryNow', () => {
  const one = randomUUID();

  it.each<[string, unknown[], string]>([
    ['one delivery', [{ delivery_id: one }], `hurry ${one}`],
    ['all', [], 'hurry all'],
    ['all, as the page of the engine sends it', [{}], 'hurry all'],
    ['all, spelt out', [null], 'hurry all'],
  ])('%s: made due, and a run without waiting', async (_what, args, call) => {
    const { id, handle } = await start({ runs: [inAnHour, {}] }, {});
    await seenSoon(handle, 'waiting');
    await handle.signal('retryNow', ...args);
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', call, 'attempt']);
  });

  it.each<[string, unknown]>([
    ['words', 'the last one'],
    ['no id', { delivery_id: 'the last one' }],
    ['a number', { delivery_id: 7 }],
  ])('%s in place of a delivery: the flow goes on as if nothing had been', async (_what, asked) => {
    const { id, handle } = await start({ runs: [inAnHour, {}] }, quick);
    await seenSoon(handle, 'waiting');
    await handle.signal('retryNow', asked);
    await handle.signal('failed');
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'attempt']);
  });

  it('of an endpoint whose flow has ended: begins one', async () => {
    const { id, handle } = await start({ runs: [{}] }, {}, ['retryNow', { delivery_id: one }]);
    await handle.result();
    expect(callsOf(id).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'attempt',
      'attempt',
      `hurry ${one}`,
    ]);
  });
});

describe('a pause', () => {
  const since = '2026-03-01T09:30:00.000Z';
  const paused = {
    waiting: 4,
    next_due_in_ms: 0,
    paused_reason: 'gone',
    last: 'HTTP 410',
    attempted: 1,
    failed: 1,
  };

  it('by the platform: its owners are mailed, operators read why and since when; resumed, it goes on', async () => {
    const { id, handle } = await start({
      runs: [paused, {}],
      pause: { since, is_by_hand: false, is_mailed: false },
    });
    expect(await seenSoon(handle, 'paused')).toEqual([
      'paused',
      '**Paused** since <time>: the endpoint answered 410 Gone. 4 deliveries wait until it is resumed, and so does what comes.\n\n' +
        'Attempts so far: 1, of which 1 failed; 0 given up. Last: HTTP 410.',
    ]);
    expect((await handle.query(workflowMetadataQuery)).currentDetails).toContain(since);
    await waitFor('the mail', async () => countOf(id, 'mail') > 0);
    await handle.signal('resume');
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'mail', 'resume', 'attempt']);
    expect((await seen(handle))[0]).toBe('done');
  });

  it.each<[string, PauseShown | null]>([
    ['by hand', { since, is_by_hand: true, is_mailed: false }],
    ['that its owners know of', { since, is_by_hand: false, is_mailed: true }],
    ['that is over meanwhile', null],
  ])('%s: no mail; looked at again after a time without any signal', async (_what, pause) => {
    const { id, handle } = await start({ runs: [paused, paused, {}], pause }, { ...quick, recheck_ms: 60 });
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'attempt', 'attempt']);
  });

  it('the mail provider is in trouble: resumed all the same, and one mail at a time', async () => {
    let end = () => undefined as void;
    const over = new Promise<void>((resolve) => (end = resolve));
    const { id, handle } = await start({
      runs: [paused, paused, { waiting: 1, next_due_in_ms: 30 }, {}],
      pause: { since, is_by_hand: false, is_mailed: false },
      during: (call) => (call === 'mail' ? over : undefined),
    });
    await waitFor('the mail', async () => countOf(id, 'mail') > 0);
    await handle.signal('failed');
    await attempts(id, 2);
    await handle.signal('resume');
    await attempts(id, 4);
    end();
    await handle.result();
    expect(countOf(id, 'mail')).toBe(1);
  });

  it('behind which nothing waits any more: the owners are mailed before the flow ends, unless something new comes', async () => {
    const last = { ...paused, waiting: 0, next_due_in_ms: null };
    let end = () => undefined as void;
    const over = new Promise<void>((resolve) => (end = resolve));
    const { id, handle } = await start({
      runs: [last, last],
      pause: { since, is_by_hand: false, is_mailed: false },
      during: (call) => (call === 'mail' ? over : undefined),
    });
    await waitFor('the mail', async () => countOf(id, 'mail') > 0);
    await handle.signal('failed');
    await attempts(id, 2);
    scripts.set(id, { runs: [{}] });
    end();
    await handle.result();
    expect(countOf(id, 'mail')).toBe(1);
  });

  it('asked for and taken back in one breath: done in this order, also while a run is under way', async () => {
    const { id, handle } = await start({
      runs: [inAnHour, {}],
      during: async (call, n, id) => {
        if (call !== 'attempt' || n !== 1) return;
        for (const signal of ['pause', 'resume'])
          await worker.client.workflow.getHandle(webhookRetriesId(id)).signal(signal);
        await waitFor('both', async () => countOf(id, 'resume') > 0);
      },
    });
    await handle.result();
    // Where the end of `resume` comes behind that of the run, one more run follows it.
    const [, , , ...after] = callsOf(id);
    expect(callsOf(id).slice(0, 3)).toEqual(['attempt', 'pause', 'resume']);
    expect(new Set(after)).toEqual(new Set(['attempt']));
  });
});

describe('a long history', () => {
  it('goes on in a new one with what it knows, and loses no failure that it is told of', async () => {
    const lying = new Set<number>();
    const { id, handle } = await start(
      { runs: [inAnHour], during: () => lying.clear() },
      { ...quick, limit_events: 40 },
    );
    for (let n = 0; n < 40; n++) {
      lying.add(n);
      await worker.signalRetries(id, quick);
      await wait(n % 13);
    }
    await waitFor('a run behind the last one', async () => lying.size === 0);
    const latest = worker.client.workflow.getHandle(webhookRetriesId(id));
    // All runs of all histories are counted.
    await waitFor('the count', async () => {
      const [status, details] = await seen(latest);
      return (
        status === 'waiting' && details?.includes(`Attempts so far: ${countOf(id, 'attempt')}, of which`)
      );
    });
    const { runId, searchAttributes } = await latest.describe();
    expect(runId).not.toBe(handle.signaledRunId);
    expect(searchAttributes).toMatchObject({ EndpointId: [id], Environment: ['production'] });
    await latest.terminate();
  });
});
