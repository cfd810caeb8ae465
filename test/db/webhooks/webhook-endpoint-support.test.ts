import { createSeal } from '../../../db/platform/sealed';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { meetAtRow } from '../../harness/platform/row-lock';
import { makeEndpoint, refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  collect,
  deliveriesOf,
  endpointRow,
  putAttempt,
  putDelivery,
  putEndpoint,
  putResult,
} from '../../harness/webhooks/webhook-rows';

let platform: Operations;
let calls: ReturnType<typeof webhookCalls>;
let id: string;
let signing_secret: string;
beforeAll(async () => {
  platform = await openOperations();
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  ({ id, signing_secret } = await makeEndpoint(platform));
});
const row = () => endpointRow(platform.database, id);
const setRow = (assignments: string) =>
  platform.database.rows(`update webhook_endpoint set ${assignments} where id = $1`, [id]);

describe('webhook-endpoint-get', () => {
  it('masks headers, shows the ends of secrets, and returns the health', async () => {
    const { database } = platform;
    const put = (more: Record<string, unknown>) => putDelivery(database, id, more);
    await calls.update({
      endpoint_id: id,
      custom_headers: { 'X-Key': 'secret-value-of-the-header', s: 'x' },
    });
    await put({});
    const retried = await put({ state: 'retried' });
    await put({ state: 'retried' });
    await put({ state: 'acknowledged', finished_at: '2026-02-01T00:00:00Z' });
    await put({ state: 'acknowledged', finished_at: '2026-01-01T00:00:00Z' });
    await putAttempt(database, retried, { started_at: '2026-03-01T00:00:00Z' });
    await setRow(`failing_since = '2026-03-01T00:00:00.5Z'`);
    const { previous_expires_at } = (await calls.rotate({ endpoint_id: id })).body;
    const reply = await calls.get({ endpoint_id: id });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        id,
        environment: 'production',
        url: 'https://example.com/webhooks',
        events: ['interview_result', 'interview_collected', 'interview_failed'],
        description: null,
        timeout_seconds: 60,
        enabled: true,
        paused_reason: null,
        paused_at: null,
        failing_since: '2026-03-01T00:00:00.500Z',
        waiting: { queued: 1, retried: 2 },
        last_success_at: '2026-02-01T00:00:00.000Z',
        last_failure_at: '2026-03-01T00:00:00.000Z',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        custom_headers: { 'X-Key': 'secr…', s: '…' },
        secrets: [
          { created_at: expect.stringMatching(/\.\d{3}Z$/), expires_at: null },
          { created_at: expect.any(String), expires_at: previous_expires_at },
        ],
      },
    ]);
  });
});

describe('webhook-endpoint-list', () => {
  it('returns pages in the order of creation, with the health and without headers and secrets', async () => {
    const place = { merchant_id: platform.stack.other_merchant_id, environment: 'production' };
    const theirs = webhookCalls(platform, platform.stack.tokens.other_merchant_owner);
    expect((await theirs.list()).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false, next_cursor: null },
    });
    const ids: string[] = [];
    for (const url of ['a', 'b', 'c'])
      ids.push(await putEndpoint(platform.database, { url: `https://example.com/${url}` }, place));
    await putEndpoint(platform.database, { deleted_at: '2026-01-01' }, place);
    await putEndpoint(platform.database, {}, { ...place, environment: 'demo' });
    await putDelivery(platform.database, String(ids[1]), { state: 'retried' });
    const { data, pagination } = (await theirs.list({ limit: '1', offset: '1' })).body as {
      data: Record<string, unknown>[];
      pagination: unknown;
    };
    expect(pagination).toMatchObject({ total: 3, limit: 1, offset: 1, has_more: true });
    expect(data).toMatchObject([{ id: ids[1], waiting: { queued: 0, retried: 1 } }]);
    expect(Object.keys(data[0] ?? {})).not.toContain('custom_headers');
    expect((await theirs.list({ offset: '3' })).body).toMatchObject({ data: [], pagination: { total: 3 } });
  });
});

describe('webhook-endpoint-pause', () => {
  it('pauses an endpoint, whose deliveries then wait, and changes nothing the second time', async () => {
    const first = await calls.pause({ endpoint_id: id });
    expect([first.status, first.body]).toEqual([
      200,
      { id, paused_reason: 'by_hand', paused_at: expect.stringMatching(/^20\S+Z$/) },
    ]);
    expect((await calls.pause({ endpoint_id: id })).body).toEqual(first.body);
    await collect(platform.database, await putResult(platform.database));
    const [delivery] = await deliveriesOf(platform.database, id);
    expect(delivery?.state).toBe('queued');
    expect((await calls.delivery({ delivery_id: String(delivery?.id) })).body['waiting_for']).toBe(
      'Its endpoint is paused, because a user or a service key paused it. Resume it with webhook-endpoint-resume.',
    );
  });
});

describe('webhook-endpoint-resume', () => {
  it('ends the pause and the failures that led to it, and changes nothing the second time', async () => {
    await setRow(
      `paused_reason = 'failing', paused_at = now(), paused_mailed_at = now(), failing_since = now() - interval '5 days'`,
    );
    for (const _ of ['first', 'again']) {
      const reply = await calls.resume({ endpoint_id: id });
      expect([reply.status, reply.body]).toEqual([200, { id, enabled: true }]);
      expect(await row()).toMatchObject({
        paused_reason: null,
        paused_at: null,
        paused_mailed_at: null,
        failing_since: null,
      });
    }
  });
});

describe('webhook-endpoint-rotate-secret', () => {
  const secrets = () =>
    platform.database.rows<{ id: string; secret_sealed: Buffer; hours: number | null }>(
      `select id, secret_sealed, round(extract(epoch from expires_at - now()) / 360)::int / 10.0::real as hours
       from webhook_secret where endpoint_id = $1 order by id`,
      [id],
    );
  const opened = async () =>
    (await secrets()).map(({ id: secret, secret_sealed }) =>
      createSeal(platform.sealingKeys).open(secret_sealed, `webhook_secret/${secret}`),
    );

  it('signs with a new secret, and with the earlier one for the hours of the overlap', async () => {
    for (const [fields, hours] of [
      [{}, 24],
      [{ overlap_hours: 0.5 }, 0.5],
      [{ overlap_hours: 0 }, 0],
    ] as const) {
      ({ id, signing_secret } = await makeEndpoint(platform));
      const { version } = await row();
      const reply = await calls.rotate({ endpoint_id: id, ...fields });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          id,
          signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
          previous_expires_at: expect.stringMatching(/^20\S+Z$/),
        },
      ]);
      expect(await opened()).toEqual([signing_secret, reply.body['signing_secret']]);
      expect((await secrets()).map((secret) => secret.hours)).toEqual([expect.closeTo(hours, 1), null]);
      expect((await row()).version).toBe(version + 1);
    }
  });

  it('shortens the overlap of earlier secrets, and never extends it', async () => {
    await calls.rotate({ endpoint_id: id, overlap_hours: 10 });
    await calls.rotate({ endpoint_id: id, overlap_hours: 100 });
    expect((await secrets()).map((secret) => secret.hours)).toEqual([
      expect.closeTo(10, 1),
      expect.closeTo(100, 1),
      null,
    ]);
    await calls.rotate({ endpoint_id: id, overlap_hours: 0 });
    const { secrets: shown } = (await calls.get({ endpoint_id: id })).body as { secrets: unknown[] };
    expect(shown).toHaveLength(1);
  });

  it('returns working secrets to simultaneous calls, of which all but one expire', async () => {
    const replies = await meetAtRow(
      platform.database,
      'webhook_endpoint',
      { key: 'id', id },
      Array.from({ length: 4 }, () => () => calls.rotate({ endpoint_id: id })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await opened()).sort()).toEqual(
      [signing_secret, ...replies.map(({ body }) => String(body['signing_secret']))].sort(),
    );
    expect((await secrets()).filter(({ hours }) => hours === null)).toHaveLength(1);
    expect(refusal(await calls.rotate({ endpoint_id: id }))).toEqual([
      409,
      'This endpoint already has 5 valid secrets. Send overlap_hours 0 to end them, or wait until one expires.',
      undefined,
    ]);
    expect((await calls.rotate({ endpoint_id: id, overlap_hours: 0 })).status).toBe(200);
  });
});

describe('webhook-endpoint-test', () => {
  it('queues a delivery of the test event, whatever the events are, and records who asked', async () => {
    await calls.update({ endpoint_id: id, events: ['interview_failed'] });
    const reply = await calls.test({ endpoint_id: id });
    const [delivery] = await deliveriesOf(platform.database, id);
    expect([reply.status, reply.body]).toEqual([200, { delivery_id: delivery?.id }]);
    expect(delivery).toMatchObject({ event: 'test', result_id: null, reason: 'test', state: 'queued' });
    const [{ profile_id } = { profile_id: '' }] = await platform.database.rows<{ profile_id: string }>(
      `select id as profile_id from profile where id = $1 and role = 'merchant_owner'`,
      [delivery?.triggered_by],
    );
    expect(profile_id).toBe(delivery?.triggered_by);
  });
});
