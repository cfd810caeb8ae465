import { MockActivityEnvironment } from '@temporalio/testing';
import { Registry } from 'prom-client';
import { createEndpointMemory } from '../../../activities/webhooks/sender/endpoint-memory';
import { createSenderMetrics } from '../../../activities/webhooks/sender/metrics';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks';
import type { Query } from '../../../db/platform/statement';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await openWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await webhooks.close();
});

/** Runs the activity. It gets these errors, in order, when it records outcomes. */
async function attemptDue(endpointId: string, codes: string[] = []): Promise<unknown> {
  const database: typeof webhooks.worker = {
    ...webhooks.worker,
    queryAsWorker: <Row>(query: Query<Row>) => {
      const code = 'name' in query && query.name === 'record_outcomes' ? codes.shift() : undefined;
      if (code === undefined) return webhooks.worker.queryAsWorker(query);
      return Promise.reject(Object.assign(new Error('a test of errors'), { code }));
    },
  };
  const activities = createWebhookActivities({
    database,
    endpoints: createEndpointMemory(webhooks.worker, webhooks.seal),
    post: webhooks.post,
    metrics: createSenderMetrics(new Registry()),
    stop: new AbortController().signal,
  });
  return new MockActivityEnvironment().run(activities.attemptDue, { endpoint_id: endpointId });
}

/** Creates an endpoint with one delivery that waits for its second attempt. */
const makeEndpoint = async () => {
  const id = await webhooks.endpoint(receiver.url);
  const [deliveryId] = await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1 });
  return { id, requests: () => receiver.received.filter((one) => one.id === deliveryId).length };
};
const outcomesOf = async (endpointId: string) =>
  (await webhooks.attemptsOf(endpointId)).map(({ outcome }) => outcome);

describe('attemptDue', () => {
  it('records an outcome after temporary errors, and sends nothing twice', async () => {
    const { id, requests } = await makeEndpoint();
    const codes = ['40P01', '57P01', '40P01', '53300', '40001', 'ECONNREFUSED', '40P01'];
    expect(await attemptDue(id, codes)).toMatchObject({ attempted: 1, acknowledged: 1, waiting: 0 });
    expect([codes, await outcomesOf(id), requests()]).toEqual([[], ['acknowledged'], 1]);
  });

  it('records an outcome without its response when the response cannot be stored', async () => {
    const { id, requests } = await makeEndpoint();
    expect(await attemptDue(id, ['22021'])).toMatchObject({ acknowledged: 1 });
    const attempts = await webhooks.attemptsOf(id);
    expect(attempts).toMatchObject([{ outcome: 'acknowledged', response_body: null }]);
    expect(requests()).toBe(1);
  });

  it('fails when an outcome cannot be recorded at all, and the next run sends the delivery again', async () => {
    const { id, requests } = await makeEndpoint();
    await expect(attemptDue(id, ['22021', '22021'])).rejects.toMatchObject({ code: '22021' });
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'retried', attempts: 1 }]);
    expect(await attemptDue(id)).toMatchObject({ acknowledged: 1 });
    expect([await outcomesOf(id), requests()]).toEqual([['worker_lost', 'acknowledged'], 2]);
  });
});
