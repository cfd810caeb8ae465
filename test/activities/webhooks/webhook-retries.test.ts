import { merchants } from '../../../local/seed/accounts';
import { startReceiver, status } from '../../harness/webhooks/hook-sink';
import { deliveriesOf, putDeliveries, putEndpoint } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
let retries: Webhooks['retryActivities'];
beforeAll(async () => {
  webhooks = await openWebhooks();
  retries = webhooks.retryActivities;
});
afterAll(() => webhooks.close());
afterEach(async () => {
  await webhooks.stopSenders();
  await webhooks.forget();
});

const retried = { state: 'retried', attempts: 1, last_outcome: 'refused', last_status: 503 };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const releasedOf = async (id: string) =>
  (await deliveriesOf(webhooks.database, id)).map(({ is_released }) => is_released);

describe('releaseRetries', () => {
  it('releases the due retries of its endpoint, and returns what waits and why', async () => {
    const [id, other] = [await putEndpoint(webhooks.database), await putEndpoint(webhooks.database)];
    await putDeliveries(webhooks.database, id, retried, 2);
    await putDeliveries(webhooks.database, id, { ...retried, next_attempt_at: inMinutes(60) });
    await putDeliveries(webhooks.database, id);
    await putDeliveries(webhooks.database, id, { state: 'gave_up' });
    await putDeliveries(webhooks.database, other, retried);
    const found = await retries.releaseRetries({ endpoint_id: id });
    expect(found).toEqual({
      released: 2,
      waiting: 1,
      in_progress: 2,
      next_due_in_ms: expect.any(Number),
      last_failure: 'HTTP 503',
      paused_reason: null,
      is_open: true,
    });
    expect(Math.round((found.next_due_in_ms ?? 0) / 60_000)).toBe(60);
    expect([await releasedOf(id), await releasedOf(other)]).toEqual([
      [true, true, false, false, false],
      [false],
    ]);
    expect(await retries.releaseRetries({ endpoint_id: id })).toMatchObject({ released: 0, in_progress: 2 });
  });

  it('releases more than one statement does', async () => {
    const id = await putEndpoint(webhooks.database);
    await putDeliveries(webhooks.database, id, { ...retried, last_outcome: 'worker_lost' }, 2_100);
    expect(await retries.releaseRetries({ endpoint_id: id })).toMatchObject({
      released: 2_100,
      waiting: 0,
      next_due_in_ms: null,
      last_failure: null,
    });
  });

  it.each([
    [{ paused_reason: 'gone', paused_at: '2026-01-01' }, { paused_reason: 'gone' }],
    [{ enabled: false }, { paused_reason: null }],
    [{ deleted_at: '2026-01-01' }, { paused_reason: null }],
  ])('releases nothing of an endpoint that is closed: %j', async (endpoint, expected) => {
    const id = await putEndpoint(webhooks.database, endpoint);
    await putDeliveries(webhooks.database, id, { ...retried, last_outcome: 'timeout' });
    expect(await retries.releaseRetries({ endpoint_id: id })).toEqual({
      released: 0,
      waiting: 1,
      in_progress: 0,
      next_due_in_ms: 0,
      last_failure: 'timeout',
      is_open: false,
      ...expected,
    });
  });

  it('makes the sender attempt the delivery, which waits for the next release after a failure', async () => {
    const receiver = await startReceiver();
    receiver.answer = status(500);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 1, retried);
    webhooks.send();
    for (const attempts of [2, 3]) {
      await retries.releaseRetries({ endpoint_id: id });
      const [row] = await webhooks.settled(id, 1);
      expect(row).toMatchObject({ state: 'retried', attempts, is_released: false });
      await webhooks.database.rows('update webhook_delivery set next_attempt_at = now()');
    }
    expect(receiver.received.map(({ attempt }) => attempt)).toEqual([2, 3]);
    await receiver.close();
  });
});

describe('retryNow', () => {
  const inAnHour = () => ({
    state: 'retried',
    next_attempt_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const due = async (id: string) => (await deliveriesOf(webhooks.database, id)).map((row) => row.is_due);
  const retryNow = (
    endpoint_id: string,
    delivery_id: string | null = null,
    asked_at = new Date().toISOString(),
  ) => retries.retryNow({ endpoint_id, delivery_id, asked_at });

  it('makes one delivery due, or all of them, also when they are too many for one statement', async () => {
    const id = await putEndpoint(webhooks.database);
    const [first = ''] = await putDeliveries(webhooks.database, id, inAnHour(), 2);
    await retryNow(id, first);
    expect(await due(id)).toEqual([true, false]);
    await putDeliveries(webhooks.database, id, inAnHour(), 2_100);
    await retryNow(id);
    expect(new Set(await due(id))).toEqual(new Set([true]));
  });

  it('leaves finished and released deliveries and those of another endpoint unchanged', async () => {
    const [id, other] = [await putEndpoint(webhooks.database), await putEndpoint(webhooks.database)];
    const [theirs = ''] = await putDeliveries(webhooks.database, other, inAnHour());
    await putDeliveries(webhooks.database, id, { ...inAnHour(), state: 'gave_up' });
    await putDeliveries(webhooks.database, id, { ...inAnHour(), is_released: true });
    await retryNow(id, theirs);
    await retryNow(id);
    expect([await due(id), await due(other)]).toEqual([[null, false], [false]]);
  });

  it('does not repeat an attempt that was made after the request', async () => {
    const id = await putEndpoint(webhooks.database);
    const [delivery = ''] = await putDeliveries(webhooks.database, id, { ...inAnHour(), attempts: 2 });
    const attempt = (startedAt: Date, number: number) =>
      webhooks.database.rows(
        `insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome)
         values ($1, 'production', $2, 1, $3, $4, 'refused')`,
        [merchants.main.id, delivery, number, startedAt],
      );
    const askedAt = Date.now();
    await attempt(new Date(askedAt - 60_000), 1);
    await attempt(new Date(askedAt + 500), 2);
    await retryNow(id, delivery, new Date(askedAt).toISOString());
    expect(await due(id)).toEqual([false]);
    await retryNow(id, delivery, new Date(askedAt + 10_000).toISOString());
    expect(await due(id)).toEqual([true]);
  });
});
