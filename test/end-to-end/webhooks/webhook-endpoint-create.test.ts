import { makeKey, signIn } from '../../harness/identity/accounts';
import { insist } from '../../harness/platform/insist';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import {
  collect,
  deliveriesOf,
  endpointRow,
  putEndpoint,
  putResult,
} from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let calls: ReturnType<typeof webhookCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = webhookCalls(platform);
});

const least = { url: 'https://example.com/webhooks', events: ['interview_collected'] };
const secretsOf = (id: string) =>
  platform.database.rows<{ id: string; secret_sealed: Buffer; expires_at: Date | null }>(
    'select * from webhook_secret where endpoint_id = $1 order by id',
    [id],
  );
const count = async () =>
  (await platform.database.rows<{ n: number }>('select count(*)::int as n from webhook_endpoint'))[0]?.n;

describe('webhook-endpoint-create', () => {
  it('stores a minimal endpoint with the defaults, and returns its secret once', async () => {
    const reply = await calls.create(least);
    expect([reply.status, reply.body]).toEqual([
      200,
      { id: expect.any(String), signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    ]);
    const { id, signing_secret } = reply.body as { id: string; signing_secret: string };
    expect(await endpointRow(platform.database, id)).toMatchObject({
      ...least,
      custom_headers_sealed: null,
      timeout_seconds: 60,
      description: null,
      enabled: true,
      paused_reason: null,
      version: 1,
    });
    const [secret, ...more] = await secretsOf(id);
    expect([secret?.expires_at, more]).toEqual([null, []]);
    expect(secret?.secret_sealed.toString('latin1')).not.toContain(signing_secret.slice(6));
    expect((await calls.get({ endpoint_id: id })).text).not.toContain(signing_secret.slice(6));
    expect(Buffer.from(signing_secret.slice(6), 'base64')).toHaveLength(32);
  });

  it('stores all fields as sent, encrypts headers, and stores each event once and in order', async () => {
    const reply = await calls.create({
      url: 'https://Example.com:443/a b?c=d',
      events: ['interview_failed', 'interview_result', 'interview_failed'],
      environment: 'production',
      custom_headers: { 'X-Api-Key': 'the-value-of-the-header' },
      timeout_seconds: 5,
      description: 'Our ATS',
      enabled: false,
    });
    const row = await endpointRow(platform.database, String(reply.body['id']));
    expect(row).toMatchObject({
      url: 'https://example.com/a%20b?c=d',
      events: ['interview_result', 'interview_failed'],
      timeout_seconds: 5,
      description: 'Our ATS',
      enabled: false,
    });
    expect(row.custom_headers_sealed?.toString('latin1')).not.toContain('the-value');
  });

  it('starts deliveries for its events, unless it is disabled', async () => {
    const on = String((await calls.create(least)).body['id']);
    const off = String((await calls.create({ ...least, enabled: false })).body['id']);
    const others = String((await calls.create({ ...least, events: ['interview_failed'] })).body['id']);
    const result = await putResult(platform.database);
    await collect(platform.database, result);
    expect(await deliveriesOf(platform.database, on)).toMatchObject([
      { event: 'interview_collected', result_id: result, state: 'queued', reason: 'interview_status' },
    ]);
    expect(await deliveriesOf(platform.database, off)).toEqual([]);
    expect(await deliveriesOf(platform.database, others)).toEqual([]);
  });

  it.each([['uat', 'environment must be production, the environment of the credential.']])(
    'returns 422 for environment %s with a credential of production',
    async (environment, sentence) => {
      const before = await count();
      expect(refusal(await calls.create({ ...least, environment }))).toEqual([422, sentence, 'environment']);
      expect(await count()).toBe(before);
    },
  );

  it('separates endpoints of different environments', async () => {
    const { access_token: token } = await signIn(platform, 'merchant_owner', 'uat');
    const there = webhookCalls(platform, token);
    const id = String((await there.create({ ...least, environment: 'uat' })).body['id']);
    expect((await there.get({ endpoint_id: id })).body['environment']).toBe('uat');
    expect((await calls.get({ endpoint_id: id })).status).toBe(404);
    await collect(platform.database, await putResult(platform.database));
    expect(await deliveriesOf(platform.database, id)).toEqual([]);
  });

  it.each([
    [{ url: 'nowhere' }, 'url must be a URL, such as https://example.com/webhooks.', 'url'],
    [{ events: [] }, 'events must have at least 1 item.', 'events'],
    [
      { events: ['test'] },
      'events[0] must be one of: interview_result, interview_collected, interview_failed.',
      'events[0]',
    ],
    [
      { custom_headers: { Host: 'x' } },
      'custom_headers.Host must not be set, because the platform sets this header.',
      'custom_headers.Host',
    ],
    [{ timeout_seconds: 61 }, 'timeout_seconds must be at most 60.', 'timeout_seconds'],
    [{ description: 'x'.repeat(501) }, 'description must have at most 500 characters.', 'description'],
  ])('returns 422 for %p and stores nothing', async (wrong, sentence, name) => {
    const before = await count();
    expect(refusal(await calls.create({ ...least, ...wrong }))).toEqual([422, sentence, name]);
    expect(await count()).toBe(before);
  });

  it('is available to people who can write and to keys', async () => {
    const { tokens, service_key, merchant_service_key, merchant_id } = platform.stack;
    const statusOf = async (token: string, more = {}) =>
      (await webhookCalls(platform, token).create({ ...least, ...more })).status;
    expect(await statusOf(tokens.merchant)).toBe(200);
    expect(await statusOf(tokens.admin, { merchant_id })).toBe(200);
    expect(await statusOf(service_key, { merchant_id })).toBe(200);
    expect(await statusOf(merchant_service_key, { merchant_id })).toBe(200);
    expect(await statusOf(tokens.merchant_selection)).toBe(403);
    expect(await statusOf(tokens.user)).toBe(403);
  });

  it('returns the first secret again for a repeated Idempotency-Key', async () => {
    const ask = () =>
      platform.call('webhook-endpoint-create', { body: least, headers: { 'idempotency-key': 'one' } });
    const first = await ask();
    const before = await count();
    expect([(await ask()).body, await count()]).toEqual([first.body, before]);
  });
});

describe('webhook-endpoint-create, the limit', () => {
  it('stores 10 of 50 simultaneous calls when there is room for 10, and rejects the others', async () => {
    const token = await makeKey(platform, platform.stack.merchant_id, 'demo');
    const place = { merchant_id: platform.stack.merchant_id, environment: 'demo' };
    for (let each = 0; each < 39; each += 1) await putEndpoint(platform.database, {}, place);
    await putEndpoint(platform.database, { deleted_at: '2026-01-01' }, place);
    const last = await putEndpoint(platform.database, {}, place);
    const there = webhookCalls(platform, token);
    const body = { ...least, merchant_id: platform.stack.merchant_id };
    const replies = await Promise.all(Array.from({ length: 50 }, () => insist(() => there.create(body))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refusal(reply)).toEqual([
        409,
        'There are already 50 webhook endpoints in this environment, which is the maximum. Delete one first.',
        undefined,
      ]);
    expect((await there.remove({ endpoint_id: last, merchant_id: place.merchant_id })).status).toBe(200);
    expect((await there.create(body)).status).toBe(200);
    expect((await there.create(body)).status).toBe(409);
  });
});
