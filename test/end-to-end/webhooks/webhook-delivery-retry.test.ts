import type { Platform } from '../../harness/platform/platform';
import { meetAtRow } from '../../harness/platform/row-lock';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import { deliveriesOf, endpointRow, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let calls: ReturnType<typeof webhookCalls>;
let endpoint: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  endpoint = await putEndpoint(platform.database);
});
const put = (more: Record<string, unknown> = {}) => putDelivery(platform.database, endpoint, more);

describe('webhook-delivery-retry', () => {
  const row = async (id: string) =>
    (await deliveriesOf(platform.database, endpoint)).find((delivery) => delivery.id === id);

  it.each(['acknowledged', 'gave_up', 'cancelled'])('starts a new series for %s', async (state) => {
    const id = await put({
      state,
      series: 2,
      attempts: 10,
      next_attempt_at: null,
      finished_at: '2026-01-01',
    });
    const reply = await calls.retry({ delivery_id: id });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        id,
        state: 'queued',
        series: 3,
        waiting_for: 'It is due: attempt 1 of 10 is next in the queue.',
      },
    ]);
    expect(await row(id)).toMatchObject({
      state: 'queued',
      series: 3,
      attempts: 0,
      next_attempt_at: expect.any(Date),
      finished_at: null,
      triggered_by: expect.any(String),
    });
    const acts = await platform.database.rows(
      'select act, details, actor_id from audit_entry where subject_id = $1',
      [id],
    );
    expect(acts).toEqual([
      {
        act: 'webhook-delivery-retry',
        details: { series: 3 },
        actor_id: (await row(id))?.triggered_by,
      },
    ]);
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

  it.each([
    [{ state: 'queued' }, {}, 422, 'This delivery is already queued.', 'delivery_id'],
    [
      { state: 'cancelled' },
      { deleted_at: '2026-01-01' },
      422,
      'The endpoint of this delivery was deleted.',
      'delivery_id',
    ],
  ])(
    'returns for %j of an endpoint %j a %i and changes nothing',
    async (delivery, at, status, sentence, name) => {
      endpoint = await putEndpoint(platform.database, at);
      const id = await put(delivery);
      const before = await row(id);
      expect(refusal(await calls.retry({ delivery_id: id }))).toEqual([status, sentence, name]);
      expect(await row(id)).toEqual(before);
    },
  );

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

  it('ends in a cancelled delivery when its endpoint is deleted at the same time', async () => {
    const ids: string[] = [];
    for (let each = 0; each < 4; each += 1) ids.push(await put({ state: 'gave_up' }));
    const asked = ids.map((delivery_id) => () => calls.retry({ delivery_id }));
    const remove = () => calls.remove({ endpoint_id: endpoint });
    const replies = await meetAtRow(platform.database, 'webhook_endpoint', { key: 'id', id: endpoint }, [
      ...asked.slice(0, 2),
      remove,
      ...asked.slice(2),
    ]);
    expect(replies[2]?.status).toBe(200);
    expect((await endpointRow(platform.database, endpoint)).deleted_at).not.toBeNull();
    const retried = replies.filter((_, index) => index !== 2);
    for (const { status } of retried) expect([200, 422]).toContain(status);
    const rows = await deliveriesOf(platform.database, endpoint);
    expect(rows.map(({ state }) => state)).toEqual(
      retried.map(({ status }) => (status === 200 ? 'cancelled' : 'gave_up')),
    );
  });
});
