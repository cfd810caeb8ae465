import { idFloor } from '../../../db/webhooks/delivery-history';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import { putDelivery, putEndpoint, putResult, unknownId } from '../../harness/webhooks/webhook-rows';

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
/**
 * Returns this creation time together with an id that contains the same time, as the ids of deliveries do (UUIDv7).
 */
const bornAt = (created_at: string) => ({ id: idFloor(Date.parse(created_at)), created_at });
type Listed = { data: Record<string, unknown>[]; pagination: Record<string, unknown> };
const list = async (query: Record<string, string>) => (await calls.deliveries(query)).body as Listed;

describe('webhook-delivery-list', () => {
  it('returns a delivery with all its fields', async () => {
    const result_id = await putResult(platform.database);
    const id = await put({
      event: 'interview_result',
      result_id,
      reason: 'status, score',
      state: 'retried',
      series: 2,
      attempts: 3,
      next_attempt_at: '2100-01-15T09:30:00.5Z',
      last_outcome: 'refused',
      last_status: 500,
      triggered_by: unknownId,
      created_at: '2026-01-15T09:30:00Z',
    });
    expect(await list({ endpoint_id: endpoint })).toEqual({
      data: [
        {
          id,
          endpoint_id: endpoint,
          event: 'interview_result',
          result_id,
          reason: 'status, score',
          state: 'retried',
          series: 2,
          attempts: 3,
          next_attempt_at: '2100-01-15T09:30:00.500Z',
          is_being_sent: false,
          last_outcome: 'refused',
          last_status: 500,
          triggered_by: unknownId,
          created_at: '2026-01-15T09:30:00.000Z',
          finished_at: null,
        },
      ],
      pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
    });
  });

  it('returns pages, newest first, with and without filters', async () => {
    const there = (await list({ limit: '1' })).pagination['total'];
    const ids: string[] = [];
    for (const state of ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled', 'queued'])
      ids.unshift(await put({ state }));
    const page = async (query: Record<string, string>) => {
      const { data, pagination } = await list(query);
      return [data.map(({ id }) => id), pagination];
    };
    expect(await page({ endpoint_id: endpoint, limit: '4' })).toEqual([
      ids.slice(0, 4),
      { total: 6, limit: 4, offset: 0, has_more: true, next_cursor: expect.any(String) },
    ]);
    expect(await page({ endpoint_id: endpoint, limit: '4', offset: '4' })).toEqual([
      ids.slice(4),
      { total: 6, limit: 4, offset: 4, has_more: false, next_cursor: null },
    ]);
    expect(await page({ endpoint_id: endpoint, offset: '6' })).toEqual([
      [],
      { total: 6, limit: 50, offset: 6, has_more: false, next_cursor: null },
    ]);
    expect(await page({ limit: '6' })).toEqual([
      ids,
      {
        total: Number(there) + 6,
        limit: 6,
        offset: 0,
        has_more: Number(there) > 0,
        next_cursor: Number(there) > 0 ? expect.any(String) : null,
      },
    ]);
  });

  it('applies each filter, and all of them together', async () => {
    const result_id = await putResult(platform.database);
    const other = await putEndpoint(platform.database);
    const ids = {
      queued: await put(bornAt('2026-03-01T00:00:00Z')),
      handled: await put(),
      acknowledged: await put({ state: 'acknowledged', last_outcome: 'acknowledged', last_status: 204 }),
      refused: await put({ state: 'retried', last_outcome: 'refused', last_status: 503 }),
      lost: await put({ last_outcome: 'worker_lost' }),
      gave_up: await put({ state: 'gave_up', last_outcome: 'timeout', ...bornAt('2026-02-01T00:00:00Z') }),
      collected: await put({ event: 'interview_collected', result_id, state: 'acknowledged' }),
      cancelled: await putDelivery(platform.database, other, { state: 'cancelled' }),
    };
    const found = async (query: Record<string, string>) => {
      const { data } = await list({ limit: '1000', ...query });
      const names = Object.entries(ids).flatMap(([name, id]) =>
        data.some((delivery) => delivery['id'] === id) ? [name] : [],
      );
      return names.join();
    };
    expect(await found({})).toBe(Object.keys(ids).join());
    expect(await found({ state: 'queued' })).toBe('queued,handled,lost');
    expect(await found({ state: 'retried' })).toBe('refused');
    expect(await found({ state: 'acknowledged' })).toBe('acknowledged,collected');
    expect(await found({ state: 'gave_up' })).toBe('gave_up');
    expect(await found({ state: 'cancelled' })).toBe('cancelled');
    expect(await found({ endpoint_id: other })).toBe('cancelled');
    expect(await found({ event: 'interview_collected' })).toBe('collected');
    expect(await found({ result_id })).toBe('collected');
    expect(await found({ outcome: 'timeout' })).toBe('gave_up');
    expect(await found({ outcome: 'worker_lost' })).toBe('lost');
    expect(await found({ outcome: 'acknowledged' })).toBe('acknowledged');
    expect(await found({ status: '503' })).toBe('refused');
    expect(await found({ status: '204' })).toBe('acknowledged');
    expect(await found({ until: '2026-03-01T01:00:00+01:00' })).toBe('gave_up');
    expect(await found({ since: '2026-02-01T00:00:00Z', until: '2026-04-01T00:00:00Z' })).toBe(
      'queued,gave_up',
    );
    expect(await found({ since: '2026-04-01T00:00:00Z' })).toBe(
      'handled,acknowledged,refused,lost,collected,cancelled',
    );
    expect(await found({ state: 'queued', outcome: 'worker_lost', endpoint_id: endpoint })).toBe('lost');
    expect(await found({ state: 'acknowledged', status: '503' })).toBe('');
  });

  it('returns a total of more than 10,000 as a minimum, and further pages', async () => {
    await platform.database.rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, next_attempt_at, finished_at)
       select $2, 'production', $1, 'test', 'test', 'acknowledged', null, now() from generate_series(1, 10005)`,
      [endpoint, platform.stack.merchant_id],
    );
    expect((await list({ endpoint_id: endpoint })).pagination).toMatchObject({
      total: 10_000,
      has_more: true,
    });
    const last = await list({ endpoint_id: endpoint, offset: '10000' });
    expect([last.data.length, last.pagination]).toEqual([
      5,
      { total: 10_000, limit: 50, offset: 10_000, has_more: false, next_cursor: null },
    ]);
    expect((await list({ limit: '1' })).pagination['total']).toBe(10_000);
    await platform.database.rows('delete from webhook_delivery where endpoint_id = $1', [endpoint]);
  });
});
