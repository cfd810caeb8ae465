import { randomUUID } from 'node:crypto';
import { webhookRetriesId } from '../../../workflows/ids';
import { factsOf, failedTasksOf } from '../../harness/platform/workflow-facts';
import { waitFor } from '../../harness/wait-for';
import {
  attempts,
  callsOf,
  closeScriptedRetries,
  countOf,
  temporal,
  inAnHour,
  openScriptedRetries,
  quick,
  scripts,
  seenSoon,
  start,
} from '../../harness/webhooks/scripted-retries';

beforeAll(openScriptedRetries);
afterAll(closeScriptedRetries);

describe('retryNow', () => {
  const one = randomUUID();

  it.each<[string, unknown[], string]>([
    ['one delivery', [{ delivery_id: one }], `hurry ${one}`],
    ['all', [], 'hurry all'],
    ['all, as the page of Temporal sends it', [{}], 'hurry all'],
    ['all, spelt out', [null], 'hurry all'],
  ])('makes %s due and starts a run without waiting', async (_what, args, call) => {
    const { id, handle } = await start({ runs: [inAnHour, {}] }, {});
    await seenSoon(handle, 'waiting');
    await handle.signal('retryNow', ...args);
    await handle.result();
    expect(callsOf(id)).toEqual(['attempt', call, 'attempt']);
  });

  it.each<[string, unknown]>([
    ['words', 'the last one'],
    ['a number', 7],
    ['a list', [one]],
    ['no id', { delivery_id: 'the last one' }],
    ['a number for an id', { delivery_id: 7 }],
    ['another field', { id: one }],
    ['null for an id', { delivery_id: null }],
    ['null for an id and another field', { delivery_id: null, x: 1 }],
    ['an id and another field', { delivery_id: one, x: 1 }],
  ])(
    'is shown as ignored with %s in place of a delivery, and the workflow continues',
    async (_what, asked) => {
      const { id, handle } = await start({ runs: [inAnHour, {}] }, quick);
      await seenSoon(handle, 'waiting');
      await handle.signal('retryNow', asked);
      expect(await factsOf(handle)).toEqual([
        'waiting',
        expect.stringMatching(
          /^\*\*Waiting\*\* .*\n\n<time>: retryNow ignored: it takes {"delivery_id": "<id of a delivery>"}, or nothing for all\.$/s,
        ),
      ]);
      await handle.signal('failed');
      await handle.result();
      expect(callsOf(id)).toEqual(['attempt', 'attempt']);
      // A failed workflow task would mean that the workflow's code has thrown an error.
      expect(await failedTasksOf(handle)).toBe(0);
    },
  );

  it('starts the workflow of an endpoint whose workflow has ended', async () => {
    const { id, handle } = await start({ runs: [{}] }, {}, ['retryNow', { delivery_id: one }]);
    await handle.result();
    expect(callsOf(id).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'attempt',
      'attempt',
      `hurry ${one}`,
    ]);
  });
});

describe('signals without an argument', () => {
  const junk = [null, 'the last one', 7, { delivery_id: 7 }, [null]];

  it.each(['failed', 'pause', 'resume'])('ignore an argument of %s', async (signal) => {
    const { id, handle } = await start({ runs: [inAnHour] }, quick);
    await seenSoon(handle, 'waiting');
    for (const asked of junk) await handle.signal(signal, asked);
    await handle.signal(signal, ...junk);
    if (signal !== 'failed') await waitFor('the acts', async () => countOf(id, signal) === junk.length + 1);
    scripts.set(id, { runs: [{}] });
    await handle.signal('failed');
    await handle.result();
    expect(await failedTasksOf(handle)).toBe(0);
  });

  it.each([
    ['json/plain', '{"delivery_id": '],
    ['json/plain', ''],
    ['json/protobuf', '{}'],
  ])('ignore an argument that cannot be read, declared as %s: %j', async (encoding, data) => {
    const { id, handle } = await start({ runs: [inAnHour] }, quick);
    await seenSoon(handle, 'waiting');
    const payload = { metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) };
    for (const signalName of ['retryNow', 'pause', 'failed'])
      await temporal().client.workflowService.signalWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: handle.workflowId },
        signalName,
        input: { payloads: [payload] },
      });
    await attempts(id, 2);
    expect((await factsOf(handle))[1]).toContain('retryNow ignored');
    expect(await failedTasksOf(handle)).toBe(0);
    scripts.set(id, { runs: [{}] });
    await handle.signal('failed');
    await handle.result();
    expect(callsOf(id).filter((call) => call !== 'attempt')).toEqual(['pause']);
  });

  it('do not stop the workflow when they are unknown, also when it continues as a new run', async () => {
    const { id, handle } = await start({ runs: [inAnHour] }, { ...quick, limit_events: 20 });
    for (let n = 1; n <= 4; n += 1) {
      await attempts(id, n);
      const latest = temporal().client.workflow.getHandle(webhookRetriesId(id));
      await latest.signal('giveUp', ...junk);
      await latest.signal('retryNow', 'the last one');
      await latest.signal('failed');
    }
    scripts.set(id, { runs: [{}] });
    const latest = temporal().client.workflow.getHandle(webhookRetriesId(id));
    await latest.signal('failed');
    await latest.result();
    expect((await latest.describe()).runId).not.toBe(handle.signaledRunId);
    expect(await failedTasksOf(latest)).toBe(0);
  });
});
