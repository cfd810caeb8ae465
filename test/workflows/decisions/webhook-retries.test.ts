import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { PauseShown } from '../../../activities/webhooks/webhook-pauses';
import { webhookRetriesId } from '../../../workflows/ids';
import { factsOf, waitsOf } from '../../harness/platform/workflow-facts';
import { waitFor } from '../../harness/wait-for';
import {
  attempts,
  callsOf,
  closeScriptedRetries,
  countOf,
  temporal,
  inAnHour,
  openScriptedRetries,
  queues,
  quick,
  scripts,
  seenSoon,
  start,
} from '../../harness/webhooks/scripted-retries';

beforeAll(openScriptedRetries);
afterAll(closeScriptedRetries);

describe('webhookRetries', () => {
  it('attempts what is due at its time, on the queue of the senders, until nothing waits', async () => {
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
    expect(await waitsOf(handle)).toEqual([700, 400]);
    expect([...queues]).toEqual([temporal().queues.webhooks]);
    expect(await factsOf(handle)).toEqual([
      'done',
      '**Done**: no delivery waits for a retry.\n\nAttempts so far: 4, of which 2 failed; 1 given up. Last: acknowledged.',
    ]);
  });

  it('shows in Temporal whose workflow it is, how many deliveries wait until when, and the kind of the last failure', async () => {
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
    expect(await description.staticSummary()).toBe('Retries failed deliveries of a webhook endpoint');
  });

  it('looks again after a new failure while it sleeps, and sleeps until the earlier time', async () => {
    const { id, handle } = await start({ runs: [inAnHour, { ...inAnHour, next_due_in_ms: 50 }, {}] });
    await seenSoon(handle, 'waiting');
    await handle.signal('failed');
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(3);
    expect((await waitsOf(handle)).slice(0, 2)).toEqual([3_600_000, 50]);
  });

  it('makes one more run for a failure that is signaled during the last run', async () => {
    const { id, handle } = await start({
      runs: [{ attempted: 1, acknowledged: 1 }],
      during: (_call, n, id) => (n === 1 ? temporal().signalRetries(id, quick) : undefined),
    });
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(2);
  });

  it('loses no failure that is signaled while it ends, any number of times', async () => {
    const id = randomUUID();
    const lying = new Set<number>();
    scripts.set(id, { runs: [{}], during: () => lying.clear() });
    for (let n = 0; n < 40; n++) {
      lying.add(n);
      const handle = await temporal().signalRetries(id, quick);
      // The waits differ, so that the failures are signaled at different moments while the workflow ends.
      if (n % 4 === 0) await handle.result();
      else await wait(n % 17);
    }
    await temporal().client.workflow.getHandle(webhookRetriesId(id)).result();
    expect(lying).toEqual(new Set());
  });

  it('needs few runs for many failures at once', async () => {
    const settle_ms = 600_000;
    const { id, handle } = await start({ runs: [inAnHour, inAnHour, {}] }, { settle_ms });
    for (const run of [1, 2]) {
      const wait = (which: number) =>
        waitFor('its wait', async () => (await waitsOf(handle))[2 * (run - 1) + which]);
      expect(await wait(0)).toBe(3_600_000);
      for (let n = 0; n < 10; n++) await handle.signal('failed');
      // The next attempt begins once no failure has been signaled for `settle_ms`, or as soon as `retryNow` is
      // signaled.
      expect(await wait(1)).toBeLessThanOrEqual(settle_ms);
      expect(countOf(id, 'attempt')).toBe(run);
      await handle.signal('retryNow');
    }
    await handle.result();
    expect(countOf(id, 'attempt')).toBe(3);
  });

  it('runs again at once while much is due, and waits for the maintenance when nothing can be sent', async () => {
    const full = { attempted: 200, failed: 200, waiting: 500, next_due_in_ms: 0 };
    const { id, handle } = await start({ runs: [full, full, { waiting: 500, next_due_in_ms: 0 }, {}] }, {});
    await seenSoon(handle, 'waiting');
    expect(countOf(id, 'attempt')).toBe(3);
    expect(await waitsOf(handle)).toEqual([3_600_000]);
    await handle.signal('failed');
    await handle.result();
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

  it('is mailed to the owners if the platform made it, is shown in Temporal with its reason, and ends with a resume', async () => {
    const { id, handle } = await start({
      runs: [paused, {}],
      pause: { since, is_by_hand: false, is_mailed: false },
    });
    expect(await seenSoon(handle, 'paused')).toEqual([
      'paused',
      '**Paused** since <time>: the endpoint responded with 410 Gone. 4 deliveries wait until it is resumed, together with new events.\n\n' +
        'Attempts so far: 1, of which 1 failed; 0 given up. Last: HTTP 410.',
    ]);
    expect((await handle.query(workflowMetadataQuery)).currentDetails).toContain(since);
    await waitFor('the mail', async () => countOf(id, 'mail') > 0);
    await handle.signal('resume');
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'mail', `resume ${since}`, 'attempt']);
    expect((await factsOf(handle))[0]).toBe('done');
  });

  it.each<[string, PauseShown | null]>([
    ['a pause by hand', { since, is_by_hand: true, is_mailed: false }],
    ['a pause that was mailed', { since, is_by_hand: false, is_mailed: true }],
    ['a pause that ended meanwhile', null],
  ])('is not mailed but checked again after a while, without a signal: %s', async (_what, pause) => {
    const { id, handle } = await start({ runs: [paused, paused, {}], pause }, { ...quick, recheck_ms: 60 });
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', 'attempt', 'attempt']);
  });

  it('can be resumed while the mail provider fails, and sends one mail at a time', async () => {
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

  it('mails the owners before the workflow ends when nothing waits, unless something new comes', async () => {
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

  it('is made and ended in order when both are requested at once, also during a run', async () => {
    const { id, handle } = await start({
      runs: [inAnHour, {}],
      during: async (call, n, id) => {
        if (call !== 'attempt' || n !== 1) return;
        for (const signal of ['pause', 'resume'])
          await temporal().client.workflow.getHandle(webhookRetriesId(id)).signal(signal);
        await waitFor('both', async () => countOf(id, 'resume') > 0);
      },
    });
    await handle.result();
    // If the activity `resume` ends after the running attempt, the workflow makes one more attempt.
    const [, , , ...after] = callsOf(id);
    expect(callsOf(id).slice(0, 3)).toEqual(['attempt', 'pause', 'resume']);
    expect(new Set(after)).toEqual(new Set(['attempt']));
  });
});

describe('a long history', () => {
  it('continues as a new run with its state, and loses no failure', async () => {
    const lying = new Set<number>();
    const { id, handle } = await start(
      { runs: [inAnHour], during: () => lying.clear() },
      { ...quick, limit_events: 40 },
    );
    for (let n = 0; n < 40; n++) {
      lying.add(n);
      await temporal().signalRetries(id, quick);
      await wait(n % 13);
    }
    await waitFor('a run behind the last one', async () => lying.size === 0);
    const latest = temporal().client.workflow.getHandle(webhookRetriesId(id));
    // The workflow's details count all runs, also those before the workflow continued as new.
    await waitFor('the count', async () => {
      const [status, details] = await factsOf(latest);
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
