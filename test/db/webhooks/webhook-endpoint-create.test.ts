import { makeKey } from '../../harness/identity/accounts';
import { insist } from '../../harness/platform/insist';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { refusal, webhookCalls } from '../../harness/webhooks/webhook-calls';
import { endpointRow, putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Operations;
let calls: ReturnType<typeof webhookCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = webhookCalls(platform);
});

const least = { url: 'https://example.com/webhooks', events: ['interview_collected'] };
const secretsOf = (id: string) =>
  platform.database.rows<{ id: string; secret_sealed: Buffer; expires_at: Date | null }>(
    'select * from webhook_secret where endpoint_id = $1 order by id',
    [id],
  );

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
