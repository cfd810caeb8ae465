import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { makeEndpoint, webhookCalls } from '../../harness/webhooks/webhook-calls';
import { deliveriesOf, endpointRow, putDelivery } from '../../harness/webhooks/webhook-rows';

let platform: Operations;
let calls: ReturnType<typeof webhookCalls>;
let id: string;
beforeAll(async () => {
  platform = await openOperations();
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  ({ id } = await makeEndpoint(platform, {
    custom_headers: { 'x-a': 'first-of-two-values', 'x-b': '2' },
    description: 'Old',
  }));
});
const update = (fields: Record<string, unknown>) => calls.update({ endpoint_id: id, ...fields });
const row = () => endpointRow(platform.database, id);

describe('webhook-endpoint-update', () => {
  it('changes the sent fields that differ, and returns their names', async () => {
    const reply = await update({
      url: 'https://example.com/other',
      events: ['interview_failed'],
      custom_headers: { 'x-c': 'a-third-value-is-here' },
      timeout_seconds: 60,
      description: 'New',
      enabled: false,
    });
    expect([reply.status, reply.body]).toEqual([
      200,
      { id, updated_fields: ['url', 'events', 'custom_headers', 'description', 'enabled'] },
    ]);
    expect((await calls.get({ endpoint_id: id })).body).toMatchObject({
      url: 'https://example.com/other',
      events: ['interview_failed'],
      custom_headers: { 'x-c': 'a-th…' },
      timeout_seconds: 60,
      description: 'New',
      enabled: false,
    });
  });

  it('resets the days of failures only with another URL or when it is enabled', async () => {
    const resets: [string, Record<string, unknown>, boolean][] = [
      ['the same URL', { url: 'https://example.com/webhooks', custom_headers: null }, false],
      ['disabled', { enabled: false }, false],
      ['enabled again', { enabled: true }, true],
      ['another URL', { url: 'https://example.com/other' }, true],
    ];
    for (const [what, fields, isAnew] of resets) {
      await platform.database.rows(
        `update webhook_endpoint set failing_since = now(), enabled = $2 where id = $1`,
        [id, fields['enabled'] !== true],
      );
      await update(fields);
      expect([what, (await row()).failing_since === null]).toEqual([what, isAnew]);
    }
  });

  it('changes nothing when the values are equal', async () => {
    const before = await row();
    const same = {
      url: 'https://example.com/webhooks',
      events: ['interview_failed', 'interview_collected', 'interview_result'],
      custom_headers: { 'x-b': '2', 'x-a': 'first-of-two-values' },
      timeout_seconds: 60,
      description: 'Old',
      enabled: true,
      environment: 'production',
    };
    expect((await update(same)).body['updated_fields']).toEqual([]);
    expect(await row()).toEqual(before);
  });

  it('clears description and custom_headers with null', async () => {
    expect((await update({ description: null, custom_headers: null })).body['updated_fields']).toEqual([
      'custom_headers',
      'description',
    ]);
    expect(await row()).toMatchObject({ description: null, custom_headers_sealed: null });
    expect((await update({ custom_headers: {} })).body['updated_fields']).toEqual([]);
  });

  it('has another version after a change of what the sender reads', async () => {
    const versions: [Record<string, unknown>, number][] = [
      [{ url: 'https://example.com/other' }, 2],
      [{ custom_headers: { 'x-a': '1' } }, 3],
      [{ timeout_seconds: 5 }, 4],
      [{ description: 'New', events: ['interview_failed'] }, 4],
    ];
    for (const [fields, version] of versions) {
      await update(fields);
      expect([fields, (await row()).version]).toEqual([fields, version]);
    }
  });
});

describe('webhook-endpoint-delete', () => {
  it('cancels what waits, leaves finished deliveries, and keeps the history readable', async () => {
    const { database } = platform;
    for (const state of ['queued', 'retried', 'acknowledged', 'gave_up'])
      await putDelivery(database, id, { state });
    const reply = await calls.remove({ endpoint_id: id });
    expect([reply.status, reply.body]).toEqual([200, { id, cancelled: 2 }]);
    const rows = await deliveriesOf(database, id);
    expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'acknowledged', 'gave_up']);
    for (const { finished_at, next_attempt_at } of rows.slice(0, 2))
      expect([finished_at, next_attempt_at]).toEqual([expect.any(Date), null]);
    expect((await endpointRow(database, id)).version).toBe(2);
    const history = await calls.deliveries({ endpoint_id: id });
    expect(history.body['data']).toHaveLength(4);
  });
});

describe('a change of an endpoint', () => {
  it('is recorded with who made it, and not when nothing changed', async () => {
    const { id: made } = await makeEndpoint(platform, { custom_headers: { 'x-a': 'the-secret-value' } });
    const by = webhookCalls(platform, platform.stack.tokens.merchant);
    await by.update({ endpoint_id: made, description: 'New' });
    await by.update({ endpoint_id: made, description: 'New' });
    await by.pause({ endpoint_id: made });
    await by.pause({ endpoint_id: made });
    await by.resume({ endpoint_id: made });
    await by.resume({ endpoint_id: made });
    await by.rotate({ endpoint_id: made });
    const { delivery_id } = (await by.test({ endpoint_id: made })).body;
    await by.remove({ endpoint_id: made });
    const acts = await platform.database.rows(
      `select a.act, p.role, a.details from audit_entry a join profile p on p.id = a.actor_id
       where a.subject_id = $1 order by a.id`,
      [made],
    );
    const act = (name: string, details: unknown, role = 'merchant') => ({
      act: `webhook-endpoint-${name}`,
      role,
      details,
    });
    const events = ['interview_result', 'interview_collected', 'interview_failed'];
    expect(acts).toEqual([
      act('create', { events, enabled: true }, 'merchant_owner'),
      act('update', { updated_fields: ['description'] }),
      act('pause', {}),
      act('resume', { paused_reason: 'by_hand' }),
      act('rotate-secret', { overlap_hours: 24 }),
      act('test', { delivery_id, event: 'test' }),
      act('delete', { cancelled: 1, description: 'New', host: 'example.com' }),
    ]);
  });
});
