import { merchants } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import type { Operations } from '../../harness/platform/operations';
import { openOperations } from '../../harness/platform/operations';
import { waitFor } from '../../harness/wait-for';
import { putEndpoint, putResult } from '../../harness/webhooks/webhook-rows';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

type Event = { id: string; body: Record<string, unknown> };
type Query = Record<string, string>;

/** Reads on from the cursor until events of all these results have come. Returns them, and the new cursor. */
async function follow(results: string[], query: Query): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = [];
  let cursor = query['cursor'];
  await waitFor(`events of ${results.join(', ')}`, async () => {
    const asked: Query = { ...query, ...(cursor === undefined ? {} : { cursor }) };
    const { status, body, text } = await platform.call('event-list', { query: asked });
    if (status !== 200) throw new Error(text);
    events.push(...(body['data'] as Event[]));
    cursor = String(body['cursor']);
    return results.every((id) => events.some(({ body: shown }) => shown['id'] === id));
  });
  return { events, cursor: cursor ?? '' };
}

/** Makes a scored result, which is an event. */
async function announce(): Promise<string> {
  const id = await putResult(platform.database, { status: 'draft' });
  await platform.database.rows(
    `update interview_result set status = 'active', processing_status = 'completed', interview_status = 'completed' where id = $1`,
    [id],
  );
  return id;
}

describe('GET /event-list', () => {
  it('returns events in their order, also those that no endpoint gets, with the body of a delivery', async () => {
    const first = await announce();
    const { events, cursor } = await follow([first], { limit: '500' });
    expect(events.at(-1)?.body).toMatchObject({
      type: 'interview_result',
      id: first,
      reason: expect.any(String),
    });
    const later = [await announce(), await announce()];
    const { events: next } = await follow(later, { cursor });
    expect(next.map(({ body }) => body['id'])).toEqual(later);
  });

  it('returns with undelivered only what an endpoint has not acknowledged, or none is subscribed to', async () => {
    const { cursor } = await follow([], { undelivered: 'true' });
    const alone = await announce();
    await putEndpoint(platform.database);
    const [acknowledged, waiting] = [await announce(), await announce()];
    await platform.database.rows(
      `update webhook_delivery set state = 'acknowledged', next_attempt_at = null, finished_at = now() where result_id = $1`,
      [acknowledged],
    );
    const { events } = await follow([alone, waiting], { undelivered: 'true', cursor });
    const ours = events
      .map(({ body }) => body['id'])
      .filter((id) => [alone, acknowledged, waiting].includes(String(id)));
    expect(ours).toEqual([alone, waiting]);
  });

  it('rejects cursors of sync, of another filter, environment or merchant', async () => {
    const answer = async (query: Query, token?: string) =>
      (await platform.call('event-list', { query, ...(token === undefined ? {} : { token }) })).body[
        'code'
      ] ?? 200;
    const { body } = await platform.call('event-list', { query: {} });
    const cursor = String(body['cursor']);
    expect(await answer({ cursor })).toBe(200);
    // The ids of directories are no UUIDs.
    for (const objects of ['interview', 'directory']) {
      const { body: synced } = await platform.call('sync', { query: { objects } });
      expect([objects, await answer({ cursor: String(synced['cursor']) })]).toEqual([
        objects,
        'sync_cursor_expired',
      ]);
    }
    expect(await answer({ cursor, undelivered: 'true' })).toBe('sync_cursor_expired');
    const { access_token: demo } = await signIn(platform, 'merchant_owner', 'demo');
    const { access_token: admin } = await signIn(platform, 'admin');
    expect(await answer({ cursor }, demo)).toBe('sync_cursor_expired');
    expect(await answer({ cursor, merchant_id: merchants.other.id }, admin)).toBe('sync_cursor_expired');
    expect(await answer({ cursor: `${cursor}x` })).toBe('invalid_value');
  });

  it('returns events of another cluster after a restore', async () => {
    const restored = await announce();
    // In the cluster of the backup, more transactions have run than in this one.
    await platform.database.rows(`update webhook_event set tx = '9000000000' where result_id = $1`, [
      restored,
    ]);
    await platform.database.rows('select app.renew_sync_generation()');
    await follow([restored], { limit: '500' });
  });
});
