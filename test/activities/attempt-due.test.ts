import { MockActivityEnvironment } from '@temporalio/testing';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createEndpointMemory } from '../../activities/sender/endpoint-memory';
import { createSenderMetrics } from '../../activities/sender/metrics';
import { createWebhookActivities } from '../../activities/webhooks';
import type { AttemptedDue } from '../../activities/webhooks';
import { never, startReceiver, status } from '../harness/hook-sink';
import type { Receiver } from '../harness/hook-sink';
import { openWebhooks, until } from '../harness/webhooks';
import type { Webhooks } from '../harness/webhooks';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await webhooks.database.rows('truncate webhook_delivery, webhook_attempt, webhook_endpoint cascade');
});

const attemptDue = (endpointId: string, environment = new MockActivityEnvironment()) => {
  const { attemptDue: activity } = createWebhookActivities({
    database: webhooks.worker,
    endpoints: createEndpointMemory(webhooks.worker, webhooks.seal),
    post: webhooks.post,
    metrics: createSenderMetrics(new Registry()),
  });
  return environment.run(activity, { endpoint_id: endpointId }) as Promise<AttemptedDue>;
};
const retried = { state: 'retried', attempts: 1 };

describe('attemptDue', () => {
  it('what is due: attempted, what is not waits; nothing of another endpoint, nothing queued', async () => {
    const id = await webhooks.endpoint(receiver.url);
    const other = await webhooks.endpoint(receiver.url);
    const due = await webhooks.deliveries(id, 30, retried);
    await webhooks.deliveries(id, 1, { state: 'queued' });
    await webhooks.deliveries(other, 1, retried);
    await webhooks.deliveries(id, 1, retried);
    await webhooks.database.rows(
      `update webhook_delivery set next_attempt_at = now() + interval '1 hour' where id = (select id from webhook_delivery order by id desc limit 1)`,
    );
    const ended = await attemptDue(id);
    expect(ended).toEqual({
      attempted: 30,
      acknowledged: 30,
      failed: 0,
      gave_up: 0,
      waiting: 1,
      next_due_in_ms: expect.any(Number),
      paused_reason: null,
      last: null,
    });
    expect(Math.round((ended.next_due_in_ms ?? 0) / 60_000)).toBe(60);
    expect(receiver.received.map((one) => one.id).toSorted()).toEqual(due.toSorted());
    expect(new Set(receiver.received.map(({ attempt }) => attempt))).toEqual(new Set([2]));
  });

  it('failures: wait by the plan; the tenth gives up; the last is told without its words', async () => {
    receiver.answer = status(503);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 1, retried);
    await webhooks.deliveries(id, 1, { state: 'retried', attempts: 9 });
    expect(await attemptDue(id)).toMatchObject({
      attempted: 2,
      failed: 2,
      gave_up: 1,
      waiting: 1,
      last: 'HTTP 503',
    });
    const [waits] = await webhooks.rowsOf(id);
    // 5 min ± 20 %, less what went by since.
    expect(waits?.wait_s).toBeGreaterThan(180);
    expect(waits?.wait_s).toBeLessThan(361);
  });

  it('410 in a chunk: the endpoint is paused; what was not sent is given back without an attempt', async () => {
    receiver.answer = status(410);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 20, retried);
    const ended = await attemptDue(id);
    expect(ended).toMatchObject({ paused_reason: 'gone', waiting: 20, last: 'HTTP 410' });
    expect(ended.attempted).toBeLessThan(10);
    const rows = await webhooks.rowsOf(id);
    expect(rows.filter(({ attempts }) => attempts === 1)).toHaveLength(20 - ended.attempted);
    expect(rows.filter(({ owner }) => owner !== null)).toEqual([]);
    expect(await attemptDue(id)).toMatchObject({ attempted: 0, waiting: 20 });
  });

  it('an earlier run died: its rows are taken back as worker_lost, then attempted', async () => {
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 2, { ...retried, owner: randomUUID() });
    expect(await attemptDue(id)).toMatchObject({
      attempted: 2,
      acknowledged: 2,
      waiting: 0,
      next_due_in_ms: null,
    });
    expect((await webhooks.attemptsOf(id)).map((row) => [row.attempt, row.outcome])).toEqual([
      [2, 'worker_lost'],
      [3, 'acknowledged'],
      [2, 'worker_lost'],
      [3, 'acknowledged'],
    ]);
  });

  it('cancelled in a call: what is under way is on record, the rest is given back', async () => {
    receiver.answer = never;
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 10, retried);
    const environment = new MockActivityEnvironment();
    const running = attemptDue(id, environment);
    await until(
      () => receiver.received.length,
      (count) => count === 4,
    );
    environment.cancel();
    expect(await running).toMatchObject({ attempted: 4, failed: 4, waiting: 10, last: 'worker lost' });
    expect((await webhooks.attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 4 }, () => 'worker_lost'),
    );
    const [endpoint] = await webhooks.database.rows('select retrying_until from webhook_endpoint');
    expect(endpoint).toEqual({ retrying_until: null });
  });

  it('at work: the loop has one slot of the endpoint, and both together keep to its limit', async () => {
    let underWay = 0;
    let most = 0;
    receiver.answer = (_, response) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 30);
    };
    const id = await webhooks.endpoint(receiver.url, { in_flight_limit: 3 });
    await webhooks.deliveries(id, 40, retried);
    await webhooks.deliveries(id, 40);
    const ended = attemptDue(id);
    await until(
      () => receiver.received.length,
      (count) => count > 0,
    );
    webhooks.send();
    expect(await ended).toMatchObject({ attempted: 40 });
    expect(most).toBe(3);
    await webhooks.stopSenders();
  });
});
