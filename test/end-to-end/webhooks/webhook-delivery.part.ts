import { Client, Connection } from '@temporalio/client';
import { signIn } from '../../harness/identity/accounts';
import { infrastructure } from '../../harness/platform/infrastructure';
import { waitFor } from '../../harness/wait-for';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { meetAtRow } from '../../harness/platform/row-lock';
import { refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  deliveriesOf,
  endpointRow,
  putAttempt,
  putDelivery,
  putEndpoint,
  putHand,
  unknownId,
} from '../../harness/webhooks/webhook-rows';

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

describe('webhook-delivery-get', () => {
  it('returns every attempt in order', async () => {
    const id = await put({
      state: 'retried',
      series: 2,
      attempts: 1,
      next_attempt_at: '2100-01-01T00:00:00Z',
    });
    await putAttempt(platform.database, id, {
      series: 2,
      outcome: 'refused',
      status: 500,
      request_headers: '{"x-platform-event":"test","webhook-signature":"v1,a…"}',
      request_body: '{"id":"1"}',
      response_headers: '{"content-type":"text/html"}',
      response_body: '<h1>Oops</h1>',
      is_truncated: true,
      peer_address: '93.184.215.14',
      dns_ms: 1.5,
      total_ms: 20.25,
      triggered_by: unknownId,
    });
    await putAttempt(platform.database, id, { attempt: 10, outcome: 'timeout', error: 'no answer in 60 s' });
    await putAttempt(platform.database, id, { attempt: 2, outcome: 'worker_lost' });
    const { status, body } = await calls.delivery({ delivery_id: id });
    expect([status, body['waiting_for'], body['workflow_id']]).toEqual([
      200,
      'It waits for attempt 2 of 10 at 2100-01-01T00:00:00.000Z.',
      `webhook-retries/${endpoint}`,
    ]);
    const { timeline } = body as { timeline: Record<string, unknown>[] };
    expect(timeline.map(({ series, attempt }) => [series, attempt])).toEqual([
      [1, 2],
      [1, 10],
      [2, 1],
    ]);
    expect(timeline[2]).toEqual({
      series: 2,
      attempt: 1,
      started_at: '2026-01-15T09:30:00.000Z',
      outcome: 'refused',
      status: 500,
      error: null,
      triggered_by: unknownId,
      peer_address: '93.184.215.14',
      dns_ms: 1.5,
      connect_ms: null,
      tls_ms: null,
      first_byte_ms: null,
      total_ms: 20.25,
      request_headers: { 'x-platform-event': 'test', 'webhook-signature': 'v1,a…' },
      request_body: '{"id":"1"}',
      response_headers: { 'content-type': 'text/html' },
      response_body: '<h1>Oops</h1>',
      is_truncated: true,
    });
  });

  it.each([
    [{ state: 'queued' }, {}, 'It is due: attempt 1 of 10 is next in the queue.'],
    [
      { state: 'retried', attempts: 9, next_attempt_at: '2026-01-01' },
      {},
      'It is due: attempt 10 of 10 is next in the queue.',
    ],
    [{ state: 'retried', attempts: 3, owner: unknownId }, {}, 'It is being sent right now: attempt 4 of 10.'],
    [
      { state: 'queued' },
      { enabled: false },
      'Its endpoint is turned off. Turn it on with webhook-endpoint-update (`enabled` true).',
    ],
    [
      { state: 'retried' },
      { paused_reason: 'gone', paused_at: '2026-01-01' },
      'Its endpoint is paused, because it responded with 410 Gone. Resume it with webhook-endpoint-resume.',
    ],
    [
      { state: 'queued' },
      { deleted_at: '2026-01-01' },
      'Its endpoint was deleted, so it will be cancelled shortly.',
    ],
    [
      { state: 'queued' },
      { deleted_at: '2026-01-01' },
      'Its endpoint was deleted, so it will be cancelled shortly.',
    ],
    [{ state: 'acknowledged' }, {}, null],
    [{ state: 'gave_up' }, { enabled: false }, null],
    [{ state: 'cancelled' }, { deleted_at: '2026-01-01' }, null],
  ])('returns for %j of an endpoint %j what it waits for: %s', async (delivery, at, sentence) => {
    const of = await putEndpoint(platform.database, at);
    const id = await putDelivery(platform.database, of, delivery);
    expect((await calls.delivery({ delivery_id: id })).body['waiting_for']).toBe(sentence);
  });

  it('returns a leased delivery as being sent until it is recorded, also after a pause', async () => {
    const attempts = 2;
    const id = await put({ attempts });
    const get = async () => {
      const { body } = await calls.delivery({ delivery_id: id });
      return [body['is_being_sent'], body['waiting_for']];
    };
    await putHand(platform.database, [unknownId, id], attempts - 1);
    expect(await get()).toEqual([false, 'It is due: attempt 3 of 10 is next in the queue.']);
    await putHand(platform.database, [unknownId, id], attempts);
    await platform.database.rows(
      `update webhook_endpoint set paused_reason = 'by_hand', paused_at = now() where id = $1`,
      [endpoint],
    );
    expect(await get()).toEqual([true, 'It is being sent right now: attempt 3 of 10.']);
    expect((await calls.retry({ delivery_id: id })).status).toBe(409);
  });

  it('returns the same 404 for an unknown delivery and one of another merchant or environment', async () => {
    const id = await put();
    const told = [404, 'There is no webhook delivery with this delivery_id.', 'delivery_id'];
    const { access_token } = await signIn(platform, 'merchant_owner', 'uat');
    expect(refusal(await calls.delivery({ delivery_id: unknownId }))).toEqual(told);
    for (const token of [platform.stack.tokens.other_merchant_owner, access_token]) {
      expect(refusal(await webhookCalls(platform, token).delivery({ delivery_id: id }))).toEqual(told);
      expect(refusal(await webhookCalls(platform, token).retry({ delivery_id: id }))).toEqual(told);
    }
  });
});

describe('a delivery whose endpoint cannot receive', () => {
  it.each([
    [
      { paused_reason: 'by_hand', paused_at: '2026-01-01' },
      'Its endpoint is paused. Resume the endpoint first.',
    ],
    [{ enabled: false }, 'Its endpoint is turned off. Turn the endpoint on first.'],
    [{}, 'This delivery is already queued.'],
  ])('has for %j no planned attempt, and a retry says what to do', async (at, sentence) => {
    const of = await putEndpoint(platform.database, at);
    const next_attempt_at = '2100-01-01T00:00:00.000Z';
    const id = await putDelivery(platform.database, of, { state: 'queued', next_attempt_at });
    const planned = Object.keys(at).length > 0 ? null : next_attempt_at;
    expect((await calls.delivery({ delivery_id: id })).body['next_attempt_at']).toBe(planned);
    expect((await calls.deliveries({ endpoint_id: of })).body['data']).toMatchObject([
      { id, next_attempt_at: planned },
    ]);
    const { status, body } = await calls.retry({ delivery_id: id });
    expect([status, body['error']]).toEqual([422, sentence]);
  });
});

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

  it('makes a waiting delivery due at once and signals the workflow of its endpoint', async () => {
    const id = await put({ state: 'retried', attempts: 4, next_attempt_at: '2100-01-01' });
    const reply = await calls.retry({ delivery_id: id });
    expect([reply.status, reply.body]).toEqual([
      200,
      { id, state: 'retried', series: 1, waiting_for: 'It is due: attempt 5 of 10 is next in the queue.' },
    ]);
    const after = await row(id);
    expect(after).toMatchObject({ state: 'retried', series: 1, attempts: 4 });
    expect(Number(after?.next_attempt_at)).toBeLessThan(Date.parse('2099-01-01'));

    const connection = await Connection.connect({ address: infrastructure().temporalAddress });
    const handle = new Client({ connection }).workflow.getHandle(`webhook-retries/${endpoint}`);
    const { type, typedSearchAttributes } = await waitFor('the workflow', () =>
      handle.describe().catch(() => undefined),
    );
    const attributes = Object.fromEntries(
      typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
    expect([type, attributes]).toEqual([
      'webhookRetries',
      {
        MerchantId: platform.stack.merchant_id,
        Environment: 'production',
        EndpointId: endpoint,
      },
    ]);
    const { events = [] } = await handle.fetchHistory();
    const [signal] = (events ?? []).flatMap((event) => event.workflowExecutionSignaledEventAttributes ?? []);
    expect([signal?.signalName, Buffer.from(signal?.input?.payloads?.[0]?.data ?? []).toString()]).toEqual([
      'retryNow',
      JSON.stringify({ delivery_id: id }),
    ]);
    await handle.terminate();
    await connection.close();
  });

  it.each([
    [{ state: 'queued' }, {}, 422, 'This delivery is already queued.', 'delivery_id'],
    [
      { state: 'retried', owner: unknownId },
      {},
      409,
      'This delivery is being sent right now. Check its outcome first.',
      undefined,
    ],
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

  it('returns 403 for merchant_selection', async () => {
    const id = await put({ state: 'gave_up' });
    const selection = webhookCalls(platform, platform.stack.tokens.merchant_selection);
    expect((await selection.retry({ delivery_id: id })).status).toBe(403);
    expect((await selection.delivery({ delivery_id: id })).status).toBe(200);
  });
});
