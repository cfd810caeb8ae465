import { MockActivityEnvironment } from '@temporalio/testing';
import type { AttemptedDue } from '../../../activities/webhooks/webhooks';
import type { Query } from '../../../db/platform/statement';
import { until } from '../../harness/wait-for';
import { holdAnswers, never, startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Tests calls of `attemptDue` that end early because of silent endpoints, stopped workers, lost leases or errors of
 * the database.
 */

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
const isHeld = 'select retrying_until is not null as is_held from webhook_endpoint';
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

describe('attemptDue of a silent endpoint', () => {
  const silence = { attempted: 4, failed: 4, last: 'timeout', waiting: 10, next_due_in_ms: 0 };
  const silentEndpoint = async () => {
    const id = await webhooks.endpoint(receiver.url, { timeout_seconds: 1 });
    await webhooks.deliveries(id, 10, retried);
    return id;
  };

  it('ends with what is in flight, and leaves the rest unchanged', async () => {
    receiver.answer = never;
    const id = await silentEndpoint();
    expect(await attemptDue(id)).toMatchObject(silence);
    expect(await untouched(id)).toBe(6);
    // Of the four attempts, a slow machine may not open all connections within the timeout of one second, so fewer
    // requests may arrive.
    expect(receiver.received.length).toBeLessThanOrEqual(4);
  });

  it('returns without an attempt when the endpoint is known as silent and no slow call is free', async () => {
    receiver.answer = never;
    const activities = webhooks.retryActivities({ silentRuns: 1 });
    const run = (id: string) => attemptDue(id, new MockActivityEnvironment(), activities);
    const ids = [await silentEndpoint(), await silentEndpoint()];
    expect(await Promise.all(ids.map(run))).toMatchObject([silence, silence]);
    const [first = '', other = ''] = ids;
    await webhooks.database.rows('update webhook_endpoint set timeout_seconds = 60, version = 2');
    const answers = holdAnswers(receiver);
    const before = receiver.received.length;
    const running = run(first);
    await requests(before + 4);
    expect(await run(other)).toMatchObject({ attempted: 0, waiting: 10, next_due_in_ms: 60_000, last: null });
    answers.all();
    expect(await running).toMatchObject({ attempted: 6, waiting: 4 });
    expect(await run(other)).toMatchObject({ attempted: 6 });
  });
});

describe('attemptDue of a worker that is stopped', () => {
  it('claims no more, and finishes what is in flight', async () => {
    const stop = new AbortController();
    const answers = holdAnswers(receiver);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 30, retried);
    const ended = attemptDue(
      id,
      new MockActivityEnvironment(),
      webhooks.retryActivities({ stop: stop.signal }),
    );
    await requests(4);
    stop.abort();
    answers.all();
    expect(await ended).toMatchObject({ attempted: 4, acknowledged: 4, waiting: 26, next_due_in_ms: 0 });
    expect([receiver.received.length, await untouched(id)]).toEqual([4, 26]);
  });

  it('attempts nothing when it starts after the stop, and makes the workflow run it again at once', async () => {
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 2, retried);
    const activities = webhooks.retryActivities({ stop: AbortSignal.abort() });
    expect(await attemptDue(id, new MockActivityEnvironment(), activities)).toMatchObject({
      attempted: 0,
      waiting: 2,
      next_due_in_ms: 1,
    });
  });
});

describe('attemptDue that has lost its lease', () => {
  it('claims no more, records nothing, and leaves the deliveries to its successor', async () => {
    const answers = holdAnswers(receiver);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 10, retried);
    const zombie = attemptDue(id);
    await requests(4);
    const successor = attemptDue(id);
    await requests(8);
    answers.first(4);
    expect(await zombie).toMatchObject({ attempted: 0 });
    expect(receiver.received).toHaveLength(8);
    expect(await webhooks.database.rows(isHeld)).toEqual([{ is_held: true }]);
    answers.all();
    expect(await successor).toMatchObject({ attempted: 10, acknowledged: 10, waiting: 0 });
    expect(await webhooks.database.rows(isHeld)).toEqual([{ is_held: false }]);
    const outcomes = (await webhooks.attemptsOf(id)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'worker_lost')).toHaveLength(4);
  });
});

/**
 * Runs the activity. Recording the outcomes fails once with each of these error codes, in order, and then succeeds.
 */
async function attemptDueWith(endpointId: string, codes: string[] = []): Promise<unknown> {
  const database: typeof webhooks.worker = {
    ...webhooks.worker,
    queryAsWorker: <Row>(query: Query<Row>) => {
      const code = 'name' in query && query.name === 'record_outcomes' ? codes.shift() : undefined;
      if (code === undefined) return webhooks.worker.queryAsWorker(query);
      return Promise.reject(Object.assign(new Error('a test of errors'), { code }));
    },
  };
  return attemptDue(endpointId, new MockActivityEnvironment(), webhooks.retryActivities({ database }));
}

/** Creates an endpoint with one delivery that waits for its second attempt. */
const makeEndpoint = async () => {
  const id = await webhooks.endpoint(receiver.url);
  const [deliveryId] = await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1 });
  return { id, requests: () => receiver.received.filter((one) => one.id === deliveryId).length };
};
const outcomesOf = async (endpointId: string) =>
  (await webhooks.attemptsOf(endpointId)).map(({ outcome }) => outcome);

describe('attemptDue whose records fail', () => {
  it('records an outcome after temporary errors, and sends nothing twice', async () => {
    const { id, requests } = await makeEndpoint();
    const codes = ['40P01', '57P01', '40P01', '53300', '40001', 'ECONNREFUSED', '40P01'];
    expect(await attemptDueWith(id, codes)).toMatchObject({ attempted: 1, acknowledged: 1, waiting: 0 });
    expect([codes, await outcomesOf(id), requests()]).toEqual([[], ['acknowledged'], 1]);
  });

  it('records an outcome without its response when the response cannot be stored', async () => {
    const { id, requests } = await makeEndpoint();
    expect(await attemptDueWith(id, ['22021'])).toMatchObject({ acknowledged: 1 });
    const attempts = await webhooks.attemptsOf(id);
    expect(attempts).toMatchObject([{ outcome: 'acknowledged', response_body: null }]);
    expect(requests()).toBe(1);
  });

  it('fails when an outcome cannot be recorded at all, and the next run sends the delivery again', async () => {
    const { id, requests } = await makeEndpoint();
    await expect(attemptDueWith(id, ['22021', '22021'])).rejects.toMatchObject({ code: '22021' });
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'retried', attempts: 1 }]);
    expect(await attemptDueWith(id)).toMatchObject({ acknowledged: 1 });
    expect([await outcomesOf(id), requests()]).toEqual([['worker_lost', 'acknowledged'], 2]);
  });
});
