import { eachRow } from '../../harness/each-row';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  deliveriesOf,
  putDeliveries,
  putDelivery,
  putEndpoint,
  putReplay,
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
  // The endpoint is paused, so that deliveries stay queued until the test has looked at them.
  endpoint = await putEndpoint(platform.database, { paused_reason: 'by_hand', paused_at: '2026-01-01' });
});
const put = (more: Record<string, unknown> = {}) => putDelivery(platform.database, endpoint, more);
const starts = async () =>
  (await platform.database.rows<{ n: number }>('select count(*)::int as n from webhook_replay'))[0]?.n;

describe('webhook-delivery-replay', () => {
  it('counts and does nothing in a dry run', async () => {
    for (const state of ['gave_up', 'gave_up', 'acknowledged', 'queued']) await put({ state });
    const before = await starts();
    const ask = async (more: Record<string, unknown>) => {
      const { status, body } = await calls.replay({ endpoint_id: endpoint, dry_run: true, ...more });
      return [status, body];
    };
    expect(await ask({})).toEqual([200, { matched: 3, replay_id: null }]);
    expect(await ask({ state: 'gave_up' })).toEqual([200, { matched: 2, replay_id: null }]);
    expect(await ask({ state: 'gave_up', since: '2100-01-01T00:00:00Z' })).toEqual([
      200,
      { matched: 0, replay_id: null },
    ]);
    expect(await starts()).toBe(before);
    expect((await deliveriesOf(platform.database, endpoint)).map(({ state }) => state)).toEqual([
      'gave_up',
      'gave_up',
      'acknowledged',
      'queued',
    ]);
  });

  it('accepts each field alone as the filter', () =>
    eachRow([{ event: 'test' }, { outcome: 'timeout' }, { status: 504 }], async (filter) => {
      const replay = async () => Number((await calls.replay({ ...filter, dry_run: true })).body['matched']);
      const before = await replay();
      await putDelivery(platform.database, endpoint, {
        state: 'gave_up',
        last_outcome: 'timeout',
        last_status: 504,
      });
      expect(await replay()).toBe(before + 1);
    }));

  const needsFilter =
    'Send at least one filter: endpoint_id, since, result_id, state, event, outcome, status.';
  it('returns 422 for a wrong filter or speed and stores nothing', () =>
    eachRow(
      [
        [{}, needsFilter, undefined],
        [{ until: '2026-01-01T00:00:00Z' }, needsFilter, undefined],
        [{ state: 'queued' }, 'state must be one of: retried, acknowledged, gave_up, cancelled.', 'state'],
        [
          { endpoint_id: unknownId },
          'endpoint_id does not name a webhook endpoint of this environment.',
          'endpoint_id',
        ],
        [
          { result_id: unknownId },
          'result_id does not name an interview result of this environment.',
          'result_id',
        ],
        [{ state: 'gave_up', per_second: 0 }, 'per_second must be at least 1.', 'per_second'],
        [{ state: 'gave_up', per_second: 1001 }, 'per_second must be at most 1000.', 'per_second'],
        [{ state: 'gave_up', dry_run: 'yes' }, 'dry_run must be true or false.', 'dry_run'],
        [
          { since: '2026-13-01T00:00:00Z' },
          'since must be a date and time, such as 2026-01-15T09:30:00Z.',
          'since',
        ],
      ],
      async (body, sentence, name) => {
        const before = await starts();
        expect(refusal(await calls.replay(body))).toEqual([422, sentence, name]);
        expect(await starts()).toBe(before);
      },
    ));

  it('treats a deleted endpoint like an unknown one', async () => {
    const deleted = await putEndpoint(platform.database, { deleted_at: '2026-01-01' });
    expect((await calls.replay({ endpoint_id: deleted })).body).toEqual({
      ...(await calls.replay({ endpoint_id: unknownId })).body,
      request_id: expect.any(String),
    });
  });

  it('starts one of two simultaneous replays when four are running, and still counts in a dry run', async () => {
    const { database } = platform;
    await database.rows(`update webhook_replay set state = 'cancelled' where state = 'running'`);
    const { merchant_id } = platform.stack;
    const running = [];
    for (let each = 0; each < 4; each += 1) running.push(await putReplay(database));
    await putReplay(database, {}, { merchant_id, environment: 'uat' });
    await putReplay(database, { state: 'done' });
    // At one delivery per second, a replay of 1,000 deliveries is still running when the test cancels it.
    await putDeliveries(database, endpoint, { state: 'gave_up' }, 1_000);
    const ask = () => calls.replay({ endpoint_id: endpoint, per_second: 1 });
    const replies = await Promise.all([ask(), ask()]);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(refusal(await ask())).toEqual([
      409,
      '5 replays are already running. Wait until one is done, or cancel one with webhook-replay-cancel.',
      undefined,
    ]);
    expect((await calls.replay({ endpoint_id: endpoint, dry_run: true })).status).toBe(200);
    expect((await calls.cancelReplay({ replay_id: running[0] ?? '' })).status).toBe(200);
    expect((await ask()).status).toBe(200);
    await database.rows(`update webhook_replay set state = 'cancelled' where state = 'running'`);
  });
});

describe('webhook-replay-cancel', () => {
  it('returns 409 for a replay that has ended', async () => {
    const replay_id = await putReplay(platform.database, { state: 'done' });
    expect(refusal(await calls.cancelReplay({ replay_id }))).toEqual([
      409,
      'This replay is already done.',
      undefined,
    ]);
  });
});
