import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { ShownPause } from '../../../activities/webhooks/webhook-pauses';
import type { ReplayPage } from '../../../activities/webhooks/webhook-replays';
import type { ReleasedRetries } from '../../../activities/webhooks/webhook-retries';
import { webhookRetriesId } from '../../../workflows/ids';
import type { WebhookRetriesInput } from '../../../workflows/webhook-retries';
import { startTestWorker, whileBeating } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';

/**
 * Returns what Temporal's page of a workflow shows: its status, and its details with `<time>` instead of each time. The
 * status is read first, so the details are at least as new.
 */
async function factsOf(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
  const { searchAttributes } = await handle.describe();
  const { currentDetails } = await handle.query(workflowMetadataQuery);
  return [
    searchAttributes['FlowStatus']?.[0],
    currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];
}

const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? [];

/** Returns the durations of all timers of the workflow, in milliseconds. */
const waitsOf = async (handle: WorkflowHandle): Promise<number[]> =>
  (await eventsOf(handle)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds) * 1_000 + Number(timer.startToFireTimeout?.nanos) / 1e6]
      : [],
  );

/**
 * Returns how many workflow tasks have failed because the workflow's code threw an error. After such a failure, a
 * workflow does not continue.
 */
const failedTasksOf = async (handle: WorkflowHandle): Promise<number> =>
  (await eventsOf(handle)).filter((event) => event.workflowTaskFailedEventAttributes).length;

describe('the workflow of an endpoint, with fake activities whose results come from a script', () => {
  /**
   * What the fake activities return for an endpoint. Call n of `releaseRetries` returns entry n of `releases`; the
   * last entry is repeated.
   */
  type Script = {
    releases: Partial<ReleasedRetries>[];
    pause?: ShownPause | null;
    /** Called during the n-th call of the activity `call`, which waits until the returned promise resolves. */
    during?: (call: string, n: number, id: string) => Promise<unknown> | void;
  };
  const scripts = new Map<string, Script>();
  const calls = new Map<string, string[]>();
  const callsOf = (id: string) => calls.get(id) ?? [];
  const countOf = (id: string, call: string) => callsOf(id).filter((made) => made === call).length;

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
    readPause: async ({ endpoint_id }: { endpoint_id: string }): Promise<ShownPause | null> =>
      scripts.get(endpoint_id)?.pause ?? null,
    mailEndpointPaused: ({ endpoint_id }: { endpoint_id: string }) => note('mail', endpoint_id),
  };

  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  const started: WorkflowHandle[] = [];
  beforeAll(async () => {
    worker = await startTestWorker(fakes);
  });
  afterAll(() => Promise.all(started.map((handle) => handle.terminate().catch(() => undefined))));

  const quick = { settle_ms: 0, check_ms: 0 };
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
  const releases = (id: string, count: number) =>
    waitFor(`${count} releases`, async () => countOf(id, 'release') >= count);
  const seenSoon = (handle: WorkflowHandle, status: string) =>
    waitFor(status, async () => {
      const now = await factsOf(handle);
      return now[0] === status && now;
    });
  const inAnHour = { waiting: 1, next_due_in_ms: 3_600_000, last_failure: 'HTTP 500' };

  describe('webhookRetries', () => {
    it('releases retries when they are due, until none waits or is in progress', async () => {
      const { id, handle } = await start({
        releases: [
          { waiting: 3, next_due_in_ms: 70 },
          { released: 3, in_progress: 3 },
          { waiting: 1, next_due_in_ms: 40, last_failure: 'timeout' },
          { released: 1, in_progress: 1 },
          {},
        ],
      });
      await handle.result();
      expect(countOf(id, 'release')).toBe(5);
      expect(await waitsOf(handle)).toEqual([70, 40]);
      expect(await factsOf(handle)).toEqual([
        'done',
        '**Done**: no delivery waits for a retry.\n\nRetries so far: 4.',
      ]);
    });

    it('shows in Temporal whose workflow it is, how many deliveries wait until when, and the kind of the last failure', async () => {
      const { id, handle } = await start({ releases: [{ ...inAnHour, waiting: 12 }] });
      expect(await seenSoon(handle, 'waiting')).toEqual([
        'waiting',
        '**Waiting** until <time>: 12 deliveries wait for the next attempt, after HTTP 500.\n\nRetries so far: 0.',
      ]);
      const description = await handle.describe();
      expect(description.searchAttributes).toMatchObject({
        MerchantId: ['00000000-0000-4000-8000-000000000001'],
        Environment: ['production'],
        EndpointId: [id],
      });
      expect(await description.staticSummary()).toBe('Retries failed deliveries of a webhook endpoint');
    });

    it('shows how many retries are in progress', async () => {
      const { handle } = await start(
        { releases: [{ released: 2, in_progress: 2 }] },
        { check_ms: 3_600_000 },
      );
      await waitFor('the count', async () =>
        (await factsOf(handle))[1]?.startsWith('**Retrying** 2 deliveries.\n'),
      );
    });

    it('checks what is in progress at growing intervals', async () => {
      const inProgress = { in_progress: 2 };
      const { handle } = await start(
        { releases: [{ released: 2, ...inProgress }, inProgress, inProgress, {}] },
        { ...quick, check_ms: 20 },
      );
      await handle.result();
      expect(await waitsOf(handle)).toEqual([20, 40, 80]);
    });

    it('looks again after a new failure while it sleeps, and sleeps until the earlier time', async () => {
      const { id, handle } = await start({ releases: [inAnHour, { ...inAnHour, next_due_in_ms: 50 }, {}] });
      await seenSoon(handle, 'waiting');
      await handle.signal('changed');
      await handle.result();
      expect(countOf(id, 'release')).toBe(3);
      expect((await waitsOf(handle)).slice(0, 2)).toEqual([3_600_000, 50]);
    });

    it('releases once more after a failure that is signaled during the last release', async () => {
      const { id, handle } = await start({
        releases: [{}],
        during: (_call, n, id) => (n === 1 ? worker.signalRetries(id, quick) : undefined),
      });
      await handle.result();
      expect(countOf(id, 'release')).toBe(2);
    });

    it('loses no failure that is signaled while it ends, any number of times', async () => {
      const id = randomUUID();
      const lying = new Set<number>();
      scripts.set(id, { releases: [{}], during: () => lying.clear() });
      for (let n = 0; n < 20; n++) {
        lying.add(n);
        const handle = await worker.signalRetries(id, quick);
        // The waits differ, so that the failures are signaled at different moments while the workflow ends.
        if (n % 4 === 0) await handle.result();
        else await wait(n % 17);
      }
      await worker.client.workflow.getHandle(webhookRetriesId(id)).result();
      expect(lying).toEqual(new Set());
    });

    it('needs few releases for many failures at once', async () => {
      const settle_ms = 600_000;
      const { id, handle } = await start({ releases: [inAnHour, inAnHour, {}] }, { settle_ms });
      for (const run of [1, 2]) {
        const wait = (which: number) =>
          waitFor('its wait', async () => (await waitsOf(handle))[2 * (run - 1) + which]);
        expect(await wait(0)).toBe(3_600_000);
        for (let n = 0; n < 10; n++) await handle.signal('changed');
        // The next release begins once no failure has been signaled for `settle_ms`, or as soon as `retryNow` is
        // signaled.
        expect(await wait(1)).toBeLessThanOrEqual(settle_ms);
        expect(countOf(id, 'release')).toBe(run);
        await handle.signal('retryNow');
      }
      await handle.result();
      expect(countOf(id, 'release')).toBe(3);
    });

    it('waits for a signal while the endpoint is turned off', async () => {
      const { id, handle } = await start(
        { releases: [{ waiting: 500, next_due_in_ms: 0, is_open: false, last_failure: 'timeout' }, {}] },
        quick,
      );
      await seenSoon(handle, 'waiting');
      expect([countOf(id, 'release'), await waitsOf(handle)]).toEqual([1, [3_600_000]]);
      await handle.signal('changed');
      await handle.result();
    });
  });

  describe('a pause', () => {
    const since = '2026-03-01T09:30:00.000Z';
    const paused = {
      waiting: 4,
      next_due_in_ms: 0,
      paused_reason: 'gone',
      is_open: false,
      last_failure: 'HTTP 410',
    };

    it('is mailed to the owners if the platform made it, is shown in Temporal with its reason, and ends with a resume', async () => {
      const { id, handle } = await start({
        releases: [paused, {}],
        pause: { since, is_by_hand: false, is_mailed: false },
      });
      expect(await seenSoon(handle, 'paused')).toEqual([
        'paused',
        '**Paused** since <time>: the endpoint responded with 410 Gone. 4 deliveries wait until it is resumed, together with new events.\n\n' +
          'Retries so far: 0.',
      ]);
      expect((await handle.query(workflowMetadataQuery)).currentDetails).toContain(since);
      await waitFor('the mail', async () => countOf(id, 'mail') > 0);
      await handle.signal('resume');
      await handle.result();
      expect(callsOf(id)).toEqual(['release', 'mail', `resume ${since}`, 'release']);
      expect((await factsOf(handle))[0]).toBe('done');
    });

    it('is not mailed but checked again after a while if it is by hand, was mailed or has ended meanwhile', async () => {
      const pauses = [
        { since, is_by_hand: true, is_mailed: false },
        { since, is_by_hand: false, is_mailed: true },
        null,
      ];
      const made = await Promise.all(
        pauses.map(async (pause) => {
          const script = { releases: [paused, paused, {}], pause };
          const { id, handle } = await start(script, { ...quick, recheck_ms: 60 });
          await handle.result();
          return callsOf(id);
        }),
      );
      expect(made).toEqual(pauses.map(() => ['release', 'release', 'release']));
    });

    it('can be resumed while the mail provider fails, and sends one mail at a time', async () => {
      let end = () => undefined as void;
      const over = new Promise<void>((resolve) => (end = resolve));
      const { id, handle } = await start({
        releases: [paused, paused, { waiting: 1, next_due_in_ms: 30 }, {}],
        pause: { since, is_by_hand: false, is_mailed: false },
        during: (call) => (call === 'mail' ? over : undefined),
      });
      await waitFor('the mail', async () => countOf(id, 'mail') > 0);
      await handle.signal('changed');
      await releases(id, 2);
      await handle.signal('resume');
      await releases(id, 4);
      end();
      await handle.result();
      expect(countOf(id, 'mail')).toBe(1);
    });

    it('mails the owners before the workflow ends when nothing waits, unless something new comes', async () => {
      const last = { ...paused, waiting: 0, next_due_in_ms: null };
      let end = () => undefined as void;
      const over = new Promise<void>((resolve) => (end = resolve));
      const { id, handle } = await start({
        releases: [last, last],
        pause: { since, is_by_hand: false, is_mailed: false },
        during: (call) => (call === 'mail' ? over : undefined),
      });
      await waitFor('the mail', async () => countOf(id, 'mail') > 0);
      await handle.signal('changed');
      await releases(id, 2);
      scripts.set(id, { releases: [{}] });
      end();
      await handle.result();
      expect(countOf(id, 'mail')).toBe(1);
    });

    it('is made and ended in order when both are requested at once, also during a release', async () => {
      const { id, handle } = await start({
        releases: [inAnHour, {}],
        during: async (call, n, id) => {
          if (call !== 'release' || n !== 1) return;
          for (const signal of ['pause', 'resume'])
            await worker.client.workflow.getHandle(webhookRetriesId(id)).signal(signal);
          await waitFor('both', async () => countOf(id, 'resume') > 0);
        },
      });
      await handle.result();
      // If the activity `resume` ends after the running release, the workflow releases once more.
      const [, , , ...after] = callsOf(id);
      expect(callsOf(id).slice(0, 3)).toEqual(['release', 'pause', 'resume']);
      expect(new Set(after)).toEqual(new Set(['release']));
    });
  });

  describe('a long history', () => {
    it('continues as a new run with its state, and loses no failure', async () => {
      const lying = new Set<number>();
      const { id, handle } = await start(
        { releases: [{ ...inAnHour, released: 1 }], during: () => lying.clear() },
        { ...quick, limit_events: 20 },
      );
      for (let n = 0; n < 16; n++) {
        lying.add(n);
        await worker.signalRetries(id, quick);
        await wait(n % 13);
      }
      await waitFor('a run behind the last one', async () => lying.size === 0);
      const latest = worker.client.workflow.getHandle(webhookRetriesId(id));
      // The workflow's details count all retries, also those before the workflow continued as new.
      await waitFor('the count', async () => {
        const [status, details] = await factsOf(latest);
        return status === 'waiting' && details?.includes(`Retries so far: ${countOf(id, 'release')}.`);
      });
      const { runId, searchAttributes } = await latest.describe();
      expect(runId).not.toBe(handle.signaledRunId);
      expect(searchAttributes).toMatchObject({ EndpointId: [id], Environment: ['production'] });
      await latest.terminate();
    });
  });

  describe('retryNow', () => {
    const one = randomUUID();

    it('makes one delivery or all due, and releases without waiting', async () => {
      const given: [unknown[], string][] = [
        [[{ delivery_id: one }], `retry ${one}`],
        [[], 'retry all'],
        // The page of Temporal sends an empty object.
        [[{}], 'retry all'],
        [[null], 'retry all'],
      ];
      const made = await Promise.all(
        given.map(async ([args]) => {
          const { id, handle } = await start({ releases: [inAnHour, {}] }, {});
          await seenSoon(handle, 'waiting');
          await handle.signal('retryNow', ...args);
          await handle.result();
          return callsOf(id);
        }),
      );
      expect(made).toEqual(given.map(([, call]) => ['release', call, 'release']));
    });

    it('is shown as ignored with anything else in place of a delivery, and the workflow continues', async () => {
      const junk = [
        'the last one',
        7,
        [one],
        { delivery_id: 'the last one' },
        { delivery_id: 7 },
        { id: one },
        { delivery_id: null },
        { delivery_id: null, x: 1 },
        { delivery_id: one, x: 1 },
      ];
      const { id, handle } = await start({ releases: [inAnHour, {}] }, quick);
      await seenSoon(handle, 'waiting');
      for (const asked of junk) await handle.signal('retryNow', asked);
      const [status, details = ''] = await factsOf(handle);
      expect(status).toBe('waiting');
      expect(details).toMatch(/^\*\*Waiting\*\* /);
      expect(details).toMatch(
        /\n\n<time>: retryNow ignored: it takes {"delivery_id": "<id of a delivery>"}, or nothing for all\.$/,
      );
      await handle.signal('changed');
      await handle.result();
      expect(callsOf(id)).toEqual(['release', 'release']);
      // A failed workflow task would mean that the workflow's code has thrown an error.
      expect(await failedTasksOf(handle)).toBe(0);
    });

    it('starts the workflow of an endpoint whose workflow has ended', async () => {
      const { id, handle } = await start({ releases: [{}] }, {}, ['retryNow', { delivery_id: one }]);
      await handle.result();
      expect(callsOf(id).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'release',
        'release',
        `retry ${one}`,
      ]);
    });
  });

  describe('signals without an argument', () => {
    const junk = [null, 'the last one', 7, { delivery_id: 7 }, [null]];

    it('ignore their arguments, also those that cannot be read', async () => {
      const { id, handle } = await start({ releases: [inAnHour] }, quick);
      await seenSoon(handle, 'waiting');
      for (const signal of ['changed', 'pause', 'resume']) {
        for (const asked of junk) await handle.signal(signal, asked);
        await handle.signal(signal, ...junk);
      }
      const unreadable = [
        ['json/plain', '{"delivery_id": '],
        ['json/plain', ''],
        ['json/protobuf', '{}'],
      ] as const;
      for (const [encoding, data] of unreadable)
        for (const signalName of ['retryNow', 'pause', 'changed'])
          await worker.client.workflowService.signalWorkflowExecution({
            namespace: 'default',
            workflowExecution: { workflowId: handle.workflowId },
            signalName,
            input: {
              payloads: [{ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) }],
            },
          });
      await waitFor('the pauses', async () => countOf(id, 'pause') === junk.length + 1 + unreadable.length);
      await waitFor('the resumes', async () => countOf(id, 'resume') === junk.length + 1);
      expect((await factsOf(handle))[1]).toContain('retryNow ignored');
      scripts.set(id, { releases: [{}] });
      await handle.signal('changed');
      await handle.result();
      expect(await failedTasksOf(handle)).toBe(0);
    });

    it('do not stop the workflow when they are unknown, also when it continues as a new run', async () => {
      const { id, handle } = await start({ releases: [inAnHour] }, { ...quick, limit_events: 20 });
      for (let n = 1; n <= 4; n += 1) {
        await releases(id, n);
        const latest = worker.client.workflow.getHandle(webhookRetriesId(id));
        await latest.signal('giveUp', ...junk);
        await latest.signal('retryNow', 'the last one');
        await latest.signal('changed');
      }
      scripts.set(id, { releases: [{}] });
      const latest = worker.client.workflow.getHandle(webhookRetriesId(id));
      await latest.signal('changed');
      await latest.result();
      expect((await latest.describe()).runId).not.toBe(handle.signaledRunId);
      expect(await failedTasksOf(latest)).toBe(0);
    });
  });
});

describe('webhookReplay', () => {
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
