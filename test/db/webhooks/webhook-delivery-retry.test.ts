import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { meetAtRow } from '../../harness/platform/row-lock';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import { deliveriesOf, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Operations;
let calls: ReturnType<typeof webhookCalls>;
let endpoint: string;
beforeAll(async () => {
  platform = await openOperations();
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  endpoint = await putEndpoint(platform.database);
});
const put = (more: Record<string, unknown> = {}) => putDelivery(platform.database, endpoint, more);

describe('webhook-delivery-retry', () => {
  const row = async (id: string) =>
    (await deliveriesOf(platform.database, endpoint)).find((delivery) => delivery.id === id);

  it('starts a new series for a delivery that has ended', async () => {
    const ended = { series: 2, attempts: 10, next_attempt_at: null, finished_at: '2026-01-01' };
    const id = await put({ state: 'gave_up', ...ended });
    const reply = await calls.retry({ delivery_id: id });
    const waiting_for = 'It is due: attempt 1 of 10 is next in the queue.';
    expect([reply.status, reply.body]).toEqual([200, { id, state: 'queued', series: 3, waiting_for }]);
    const retried = await row(id);
    expect(retried).toMatchObject({
      state: 'queued',
      series: 3,
      attempts: 0,
      next_attempt_at: expect.any(Date),
      finished_at: null,
      triggered_by: expect.any(String),
    });
    expect(
      await platform.database.rows('select act, details, actor_id from audit_entry where subject_id = $1', [
        id,
      ]),
    ).toEqual([{ act: 'webhook-delivery-retry', details: { series: 3 }, actor_id: retried?.triggered_by }]);
  });

  it('releases a waiting delivery, which continues its series', async () => {
    const id = await put({ state: 'retried', attempts: 4, next_attempt_at: '2100-01-01' });
    const reply = await calls.retry({ delivery_id: id });
    expect([reply.status, reply.body]).toEqual([
      200,
      { id, state: 'retried', series: 1, waiting_for: 'It is due: attempt 5 of 10 is next in the queue.' },
    ]);
    const after = await row(id);
    expect(after).toMatchObject({ state: 'retried', is_released: true, series: 1, attempts: 4 });
    expect(Number(after?.next_attempt_at)).toBeLessThan(Date.parse('2099-01-01'));
  });

  it('queues the delivery of a paused endpoint, where it waits, and says so', async () => {
    endpoint = await putEndpoint(platform.database, { paused_reason: 'failing', paused_at: '2026-01-01' });
    const reply = await calls.retry({ delivery_id: await put({ state: 'gave_up' }) });
    expect(reply.body).toMatchObject({
      state: 'queued',
      waiting_for:
        'Its endpoint is paused, because every attempt failed for five days. Resume it with webhook-endpoint-resume.',
    });
  });

  it('starts one new series for simultaneous calls', async () => {
    const id = await put({ state: 'gave_up' });
    const replies = await meetAtRow(
      platform.database,
      'webhook_delivery',
      { key: 'id', id },
      Array.from({ length: 4 }, () => () => calls.retry({ delivery_id: id })),
    );
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422, 422]);
    expect((await row(id))?.series).toBe(2);
  });
});
