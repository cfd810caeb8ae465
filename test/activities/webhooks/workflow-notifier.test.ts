import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { createWorkflowNotifier } from '../../../activities/webhooks/sender/workflow-notifier';
import { merchants } from '../../../local/seed/accounts';
import { retrySignals, taskQueues, webhookRetriesId } from '../../../workflows/ids';
import { infrastructure } from '../../harness/platform/infrastructure';
import { takePort } from '../../harness/platform/ports';
import { waitFor } from '../../harness/wait-for';

const log = pino({ level: 'silent' });
// No worker polls these queues, so workflows are started but do nothing.
const queues = taskQueues(`signals-${randomBytes(4).toString('hex')}-`);
const scopeOf = (endpoint_id: string) => ({
  endpoint_id,
  merchant_id: merchants.main.id,
  environment: 'production',
});
const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Creates a notifier whose signals are counted in `calls` and reach no server. */
function startCounting() {
  const calls: string[] = [];
  const client = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    interceptors: {
      workflow: [
        {
          signalWithStart: async ({ options }) => {
            calls.push(options.workflowId);
            return randomUUID();
          },
        },
      ],
    },
  });
  const dropped: string[] = [];
  const onSignal = (outcome: string) => {
    if (outcome === 'dropped') dropped.push(outcome);
  };
  return { calls, dropped, ...createWorkflowNotifier({ client, queues, log, onSignal }) };
}

describe('createWorkflowNotifier: frequency', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('signals for a failing endpoint at once, then once a second, and once more for the last failure', async () => {
    const { calls, notify, close } = startCounting();
    const [id = ''] = ids(1);
    for (let n = 0; n < 25; n++) {
      notify(scopeOf(id));
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(calls).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([1, 2, 3, 4].map(() => webhookRetriesId(id)));
    await close();
  });

  it('signals twenty endpoints a second, and each one in the end', async () => {
    const { calls, notify, close } = startCounting();
    const all = ids(50);
    all.forEach((id) => notify(scopeOf(id)));
    await jest.advanceTimersByTimeAsync(999);
    expect(calls).toHaveLength(20);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(calls).toEqual(all.map(webhookRetriesId));
    await close();
  });

  it('leaves to the cleanup job what it cannot signal within a minute', async () => {
    const { calls, dropped, notify, close } = startCounting();
    ids(1_101).forEach((id) => notify(scopeOf(id)));
    expect([calls.length, dropped.length]).toEqual([1, 100]);
    await close();
    await jest.advanceTimersByTimeAsync(1_000);
    notify(scopeOf(randomUUID()));
    expect([calls.length, dropped.length]).toEqual([1, 101]);
  });
});

describe('createWorkflowNotifier', () => {
  it('starts the workflow with its argument, scope and summary, or signals the one that runs', async () => {
    const connection = await Connection.connect({ address: infrastructure().temporalAddress });
    const client = new Client({ connection });
    const outcomes: string[] = [];
    const onSignal = (outcome: string) => void outcomes.push(outcome);
    const { notify, close } = createWorkflowNotifier({ client, queues, log, onSignal });
    const [id = ''] = ids(1);
    /** Sends a signal, and repeats it if a slow Temporal server has not responded within the notifier's timeout. */
    const tell = () =>
      waitFor('a signal that is sent', async () => {
        const before = outcomes.length;
        notify(scopeOf(id));
        await waitFor('its outcome', async () => outcomes.length > before);
        return outcomes.at(-1) === 'sent';
      });
    const handle = client.workflow.getHandle(webhookRetriesId(id));
    try {
      const history = () => handle.fetchHistory().catch(() => undefined);
      const countSignals = async () =>
        ((await history())?.events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signaled }) =>
          signaled ? signaled.signalName === retrySignals.changed : false,
        ).length;
      await tell();
      const told = await countSignals();
      expect(told).toBeGreaterThanOrEqual(1);
      const first = await handle.describe();
      expect(first).toMatchObject({
        type: 'webhookRetries',
        taskQueue: queues.main,
        searchAttributes: { MerchantId: [merchants.main.id], Environment: ['production'], EndpointId: [id] },
      });
      expect(await first.staticSummary()).toMatch(/^Retries/);
      const argument = (await history())?.events?.[0]?.workflowExecutionStartedEventAttributes?.input
        ?.payloads?.[0];
      expect(JSON.parse(Buffer.from(argument?.data ?? []).toString())).toEqual({ endpoint_id: id });
      await tell();
      expect(await countSignals()).toBeGreaterThan(told);
      expect((await handle.describe()).runId).toBe(first.runId);
    } finally {
      await handle.terminate().catch(() => undefined);
      await close();
      await connection.close();
    }
  });

  it('reports once that Temporal is unavailable, and throws nothing', async () => {
    const connection = Connection.lazy({ address: `127.0.0.1:${await takePort()}` });
    const client = new Client({ connection });
    const outcomes: string[] = [];
    const warned: object[] = [];
    const { notify, close } = createWorkflowNotifier({
      client,
      queues,
      log: { warn: (fact: object) => void warned.push(fact) },
      onSignal: (outcome) => void outcomes.push(outcome),
    });
    ids(3).forEach((id) => notify(scopeOf(id)));
    await waitFor('a failure', async () => outcomes.length > 0);
    await close();
    expect(new Set(outcomes)).toEqual(new Set(['failed']));
    expect(warned).toHaveLength(1);
    await connection.close();
  });
});
