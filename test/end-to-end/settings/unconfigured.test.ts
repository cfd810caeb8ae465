import { sign } from 'node:crypto';
import { learnerCookie, makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { startPlatform } from '../../harness/platform/start-platform';
import { featureCalls } from '../../harness/support/feature-calls';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import { endpointRow, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';
import { unusual } from './unusual';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform(unusual);
});

const least = { events: ['interview_collected'] };
const revokeSessions = () => platform.database.rows('update session set revoked_at = now()');
const restoreSessions = () => platform.database.rows('update session set revoked_at = null');

describe('merchant-technical-issue without a support desk', () => {
  it('returns 503 with Retry-After and stores nothing, and 401 for a revoked session', async () => {
    const report = () =>
      platform.call('merchant-technical-issue', { body: { description: 'The page stays blank.' } });
    const reply = await report();
    expect([reply.status, reply.body]).toEqual([503, errorBody('support_unavailable')]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await platform.database.rows('select from technical_issue')).toEqual([]);
    await revokeSessions();
    expect((await report()).status).toBe(401);
    await restoreSessions();
  });
});

describe('merchant-feature-request without a board', () => {
  it('returns 503 and stores nothing, 422 for a wrong text and 401 for a revoked session', async () => {
    const calls = featureCalls(platform);
    const refused = await calls.ask('Dark mode');
    expect([refused.status, refused.body]).toEqual([503, errorBody('feature_board_unavailable')]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await calls.ask('Four', {}, { title: 'Four' })).status).toBe(422);
    await revokeSessions();
    expect((await calls.ask('Dark mode')).status).toBe(401);
    await restoreSessions();
    expect(await calls.rowsTitled('Dark mode')).toEqual([]);
  });
});

describe('/hooks/sendgrid without a key', () => {
  it('returns 503', async () => {
    const timestamp = '1790000001';
    const signature = sign('sha256', Buffer.from(`${timestamp}[]`), platform.mailEventKey).toString('base64');
    const response = await fetch(`${platform.stack.origin}/hooks/sendgrid`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature,
      },
      body: '[]',
    });
    expect([response.status, await response.json()]).toEqual([503, errorBody('not_configured')]);
  });
});

describe('the portal without PORTAL_MERCHANT_ID', () => {
  it('has no catalogue', async () => {
    await makeDirectory(platform.database, 'a', {});
    await makeDirectory(platform.database, 'b', { merchant_id: null, visibility: 'public' });
    const cookie = await learnerCookie(platform);
    for (const path of ['/catalogue/a', '/catalogue/b', '/catalogue', '/'])
      expect([path, (await openPage(platform, path, { cookie })).status]).toEqual([path, 404]);
  });
});

describe('webhook-endpoint-create where nothing private is allowed', () => {
  it.each([
    ['http://example.com/', 'url must begin with https://.'],
    ['https://example.com:8444/', 'url must use one of these ports: 443, 8443.'],
    ['https://127.1:8443/', 'url must not name the address 127.0.0.1: it is not public.'],
  ])('returns 422 for %s', async (url, error) => {
    const { status, body } = await webhookCalls(platform).create({ ...least, url });
    expect([status, body.error]).toEqual([422, error]);
  });

  it('accepts a port that is allowed', async () => {
    const url = 'https://example.com:8443/';
    expect((await webhookCalls(platform).create({ ...least, url })).status).toBe(200);
  });
});

describe('webhook operations while Temporal is unavailable', () => {
  it('store a resume, a retry and a pause', async () => {
    const { database } = platform;
    const endpoint = await putEndpoint(database, { paused_reason: 'gone', paused_at: '2026-01-01' });
    const delivery = await putDelivery(database, endpoint, {
      state: 'retried',
      next_attempt_at: '2100-01-01',
    });
    const calls = webhookCalls(platform);
    expect((await calls.resume({ endpoint_id: endpoint })).status).toBe(200);
    expect((await calls.retry({ delivery_id: delivery })).status).toBe(200);
    expect((await endpointRow(database, endpoint)).paused_reason).toBeNull();
    const [{ due } = { due: false }] = await database.rows<{ due: boolean }>(
      'select next_attempt_at <= now() as due from webhook_delivery where id = $1',
      [delivery],
    );
    expect(due).toBe(true);
    expect((await calls.pause({ endpoint_id: endpoint })).status).toBe(200);
    expect((await endpointRow(database, endpoint)).paused_reason).toBe('by_hand');
  });
});
