import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  deliveriesOf,
  putDeliveries,
  putDelivery,
  putEndpoint,
  putResult,
} from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let calls: ReturnType<typeof webhookCalls>;
let endpoint: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  // The endpoint is paused, so that deliveries stay queued until the test has looked at them.
  endpoint = await putEndpoint(platform.database, { paused_reason: 'by_hand', paused_at: '2026-01-01' });
});
const put = (more: Record<string, unknown> = {}) => putDelivery(platform.database, endpoint, more);

describe('webhook-delivery-replay', () => {
  it('queues what matches in its workflow, and reports its progress', async () => {
    const result_id = await putResult(platform.database);
    const ids: string[] = [];
    for (const state of ['gave_up', 'acknowledged', 'cancelled'])
      ids.push(await put({ state, event: 'interview_result', result_id, attempts: 3 }));
    const other = await put({ state: 'gave_up' });
    const reply = await calls.replay({ endpoint_id: endpoint, result_id, per_second: 1000 });
    expect([reply.status, reply.body]).toEqual([200, { matched: 3, replay_id: expect.any(String) }]);
    const replay_id = String(reply.body['replay_id']);
    const done = await waitFor('the replay', async () => {
      const { body } = await calls.replayState({ replay_id });
      return body['state'] === 'done' && body;
    });
    expect(done).toEqual({
      id: replay_id,
      state: 'done',
      filter: { endpoint_id: endpoint, result_id },
      per_second: 1000,
      matched: 3,
      replayed: 3,
      requested_by: expect.any(String),
      created_at: expect.any(String),
      finished_at: expect.any(String),
      workflow_id: `webhook-replay/${replay_id}`,
    });
    const rows = await deliveriesOf(platform.database, endpoint);
    expect(rows.filter(({ id }) => ids.includes(id))).toEqual(
      ids.map((id) => expect.objectContaining({ id, state: 'queued', series: 2, attempts: 0 })),
    );
    expect(rows.find(({ id }) => id === other)).toMatchObject({ state: 'gave_up', series: 1 });
    const acts = await platform.database.rows('select act, details from audit_entry where subject_id = $1', [
      replay_id,
    ]);
    expect(acts).toEqual([
      {
        act: 'webhook-delivery-replay',
        details: { filter: { endpoint_id: endpoint, result_id }, per_second: 1000, matched: 3 },
      },
    ]);
  });
});

describe('webhook-replay-cancel', () => {
  it('ends a running replay at its next page', async () => {
    // At one delivery per second, the replay would take a quarter of an hour.
    await putDeliveries(platform.database, endpoint, { state: 'gave_up' }, 1_000);
    const { replay_id } = (await calls.replay({ endpoint_id: endpoint, per_second: 1 })).body;
    const asked = { replay_id: String(replay_id) };
    await waitFor('a page', async () => Number((await calls.replayState(asked)).body['replayed']) > 0);
    const reply = await calls.cancelReplay(asked);
    expect([reply.status, reply.body['state'], reply.body['finished_at']]).toEqual([
      200,
      'cancelled',
      expect.any(String),
    ]);
    expect((await calls.cancelReplay(asked)).body).toEqual(reply.body);
    const { replayed } = (await calls.replayState(asked)).body;
    const queued = (await deliveriesOf(platform.database, endpoint)).filter(
      ({ state }) => state === 'queued',
    );
    expect([queued.length, replayed]).toEqual([reply.body['replayed'], reply.body['replayed']]);
    expect(queued.length).toBeLessThan(1_000);
  });
});
