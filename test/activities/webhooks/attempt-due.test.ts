import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { AttemptedDue } from '../../../activities/webhooks/webhooks';
import type { Query } from '../../../db/platform/statement';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import { until } from '../../harness/wait-for';
import { holdAnswers, never, startReceiver, status } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

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

const attemptDue = (
  endpointId: string,
  environment = new MockActivityEnvironment(),
  { attemptDue: activity } = webhooks.retryActivities(),
) => environment.run(activity, { endpoint_id: endpointId }) as Promise<AttemptedDue>;
const retried = { state: 'retried', attempts: 1 };
const requests = (count: number) =>
  until(
    `${count} requests`,
    () => receiver.received.length,
    (received) => received >= count,
  );
const untouched = async (id: string) =>
  (await webhooks.rowsOf(id)).filter(
    ({ state, attempts, owner }) => state === 'retried' && attempts === 1 && owner === null,
  ).length;

describe('attemptDue', () => {
  it('attempts due deliveries of its endpoint, and neither others nor queued ones', async () => {
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
    // The remaining delivery was inserted with a wait of an hour, a part of which has passed.
    expect(ended.next_due_in_ms).toBeGreaterThan(3_000_000);
    expect(ended.next_due_in_ms).toBeLessThanOrEqual(3_600_000);
    expect(receiver.received.map((one) => one.id).toSorted()).toEqual(due.toSorted());
    expect(new Set(receiver.received.map(({ attempt }) => attempt))).toEqual(new Set([2]));
  });

  it('schedules a retry after a failure, gives up after the tenth, and returns the last failure without its text', async () => {
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
    // The wait before a second retry is 5 min ± 20 %. `wait_s` is the rest of this wait, because some time has
    // passed.
    expect(waits?.wait_s).toBeGreaterThan(120);
    expect(waits?.wait_s).toBeLessThan(361);
  });

  it('pauses the endpoint after 410, and releases unsent deliveries without recording an attempt', async () => {
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

  it('reclaims the deliveries of an earlier run as worker_lost and then attempts them', async () => {
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

  it('records what is in flight when it is cancelled, and releases the rest', async () => {
    receiver.answer = never;
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 10, retried);
    const environment = new MockActivityEnvironment();
    const running = attemptDue(id, environment);
    await requests(4);
    environment.cancel();
    expect(await running).toMatchObject({ attempted: 4, failed: 4, waiting: 10, last: 'worker lost' });
    expect((await webhooks.attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 4 }, () => 'worker_lost'),
    );
    const [endpoint] = await webhooks.database.rows('select retrying_until from webhook_endpoint');
    expect(endpoint).toEqual({ retrying_until: null });
  });

  it('shares the concurrency limit of the endpoint with the sender, which gets one call', async () => {
    let underWay = 0;
    let most = 0;
    const held: ServerResponse[] = [];
    const answer = (response: ServerResponse) => {
      underWay -= 1;
      response.end();
    };
    // The receiver delays its first responses until three requests are in flight, some of which come from the sender.
    receiver.answer = (_, response) => {
      most = Math.max(most, (underWay += 1));
      if (most < 3) held.push(response);
      else setTimeout(() => [response, ...held.splice(0)].forEach(answer), 30);
    };
    const id = await webhooks.endpoint(receiver.url, { in_flight_limit: 3 });
    await webhooks.deliveries(id, 40, retried);
    await webhooks.deliveries(id, 40);
    const ended = attemptDue(id);
    await requests(2);
    webhooks.send();
    expect(await ended).toMatchObject({ attempted: 40 });
    expect(most).toBe(3);
    await webhooks.stopSenders();
  });

  it('waits for calls of the sender that are in flight, so that both keep to the limit', async () => {
    const id = await webhooks.endpoint(receiver.url, { in_flight_limit: 3 });
    await webhooks.deliveries(id, 5);
    webhooks.send();
    // After five acknowledged deliveries, the endpoint may have three requests in flight.
    await until(
      'all to be acknowledged',
      () => webhooks.rowsOf(id),
      (rows) => rows.every(({ state }) => state === 'acknowledged'),
    );
    const answers = holdAnswers(receiver);
    await webhooks.deliveries(id, 20);
    await requests(8);
    await webhooks.deliveries(id, 20, retried);
    const claimOf = claimRetried({ owner: id, endpointId: id, limit: 1 });
    let claims = 0;
    const database: typeof webhooks.worker = {
      ...webhooks.worker,
      queryAsWorker: async <Row>(query: Query<Row>) => {
        const rows = await webhooks.worker.queryAsWorker(query);
        if ('name' in query && query.name === claimOf.name) claims += 1;
        return rows;
      },
    };
    const ended = attemptDue(id, new MockActivityEnvironment(), webhooks.retryActivities({ database }));
    // The activity claims again only after a claim that returned no delivery. Three claims therefore prove that it
    // sends nothing.
    await until(
      'three claims',
      () => claims >= 3 || receiver.received.length > 8,
      (isSo) => isSo,
    );
    expect(receiver.received).toHaveLength(8);
    let underWay = 0;
    let most = 0;
    receiver.answer = (_, response) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 10);
    };
    answers.first(3);
    expect(await ended).toMatchObject({ attempted: 20, waiting: 0 });
    expect(most).toBeLessThanOrEqual(3);
    await webhooks.stopSenders();
  });
});

describe('attemptDue of an endpoint that changes meanwhile', () => {
  it.each([
    ['paused', `paused_reason = 'by_hand', paused_at = now()`],
    ['turned off', 'enabled = false'],
    ['deleted', 'deleted_at = now(), version = version + 1'],
  ])('sends nothing once it is %s, and leaves the rest without an attempt', async (_, change) => {
    const answers = holdAnswers(receiver);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 30, retried);
    const ended = attemptDue(id);
    await requests(4);
    await webhooks.database.rows(`update webhook_endpoint set ${change}`);
    answers.all();
    expect(await ended).toMatchObject({ attempted: 4, waiting: 26, next_due_in_ms: 0 });
    expect([receiver.received.length, await untouched(id)]).toEqual([4, 26]);
  });

  it('sends the rest to the new URL', async () => {
    const answers = holdAnswers(receiver);
    const id = await webhooks.endpoint(`${receiver.url}/old`);
    await webhooks.deliveries(id, 30, retried);
    const ended = attemptDue(id);
    await requests(4);
    await webhooks.database.rows('update webhook_endpoint set url = $1, version = version + 1', [
      `${receiver.url}/new`,
    ]);
    answers.all();
    expect(await ended).toMatchObject({ acknowledged: 30 });
    expect(receiver.received.filter(({ path }) => path === '/old')).toHaveLength(4);
  });
});
