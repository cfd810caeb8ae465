import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  putAttempt,
  putDelivery,
  putEndpoint,
  putLease,
  unknownId,
} from '../../harness/webhooks/webhook-rows';

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

  it('returns a leased delivery as being sent until it is recorded, also after a pause', async () => {
    const attempts = 2;
    const id = await put({ state: 'retried', is_released: true, attempts });
    const get = async () => {
      const { body } = await calls.delivery({ delivery_id: id });
      return [body['is_being_sent'], body['waiting_for']];
    };
    await putLease(platform.database, [unknownId, id], attempts - 1);
    expect(await get()).toEqual([false, 'It is due: attempt 3 of 10 is next in the queue.']);
    await putLease(platform.database, [unknownId, id], attempts);
    await platform.database.rows(
      `update webhook_endpoint set paused_reason = 'by_hand', paused_at = now() where id = $1`,
      [endpoint],
    );
    expect(await get()).toEqual([true, 'It is being sent right now: attempt 3 of 10.']);
    expect((await calls.retry({ delivery_id: id })).status).toBe(409);
  });
});

describe('a delivery whose endpoint cannot receive', () => {
  it('has no planned attempt, and a retry says what to do', async () => {
    const next_attempt_at = '2100-01-01T00:00:00.000Z';
    for (const [at, planned, sentence] of [
      [
        { paused_reason: 'by_hand', paused_at: '2026-01-01' },
        null,
        'Its endpoint is paused. Resume the endpoint first.',
      ],
      [{ enabled: false }, null, 'Its endpoint is turned off. Turn the endpoint on first.'],
      [{}, next_attempt_at, 'This delivery is already queued.'],
    ] as const) {
      const of = await putEndpoint(platform.database, at);
      const id = await putDelivery(platform.database, of, { state: 'queued', next_attempt_at });
      expect((await calls.deliveries({ endpoint_id: of })).body['data']).toMatchObject([
        { id, next_attempt_at: planned },
      ]);
      const { status, body } = await calls.retry({ delivery_id: id });
      expect([status, body['error']]).toEqual([422, sentence]);
    }
  });
});
