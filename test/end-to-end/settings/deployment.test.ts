import { sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { creationExample } from '../../../api/interviews/interview-fields';
import { positionCreate } from '../../../api/interviews/position-create';
import { lockCatalogue } from '../../../db/catalogue/catalogue';
import { withAdminConnection } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import { merchants } from '../../../local/seed/accounts';
import { catalogueCalls } from '../../harness/catalogue/catalogue-calls';
import { learnerCookie, makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
import { eachRow } from '../../harness/each-row';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { consoleLink, createClient, tokenOf } from '../../harness/identity/console';
import { openConsole } from '../../harness/identity/console';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { takePort } from '../../harness/platform/ports';
import { sendRaw } from '../../harness/platform/raw-http';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';
import { waitFor } from '../../harness/wait-for';
import { webhookCalls } from '../../harness/webhooks/webhook-calls';
import { endpointRow, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform(unusual);
});

/**
 * Variables of a deployment without the optional providers and without Temporal, with a small pool, low limits and
 * strict rules for webhook addresses.
 */
const unusual = {
  worker: false,
  api: {
    ACCOUNT_INVITATIONS_PER_DAY: '12',
    DATABASE_POOL_SIZE: '4',
    PORTAL_MERCHANT_ID: undefined,
    PORTAL_RESERVED_DOMAINS: 'platform.example',
    SENDGRID_EVENT_KEY: undefined,
    TWILIO_AUTH_TOKEN: undefined,
    // No server listens on this port, so Temporal is unavailable.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    WEBHOOK_ALLOWED_PORTS: '8443',
    WEBHOOK_ALLOWED_RANGES: '',
    WEBHOOK_ALLOW_HTTP: 'false',
  },
};

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

describe('a deployment without Twilio', () => {
  it('returns 422 if an interview or position asks for messages, and 503 for the hook', async () => {
    const wanted = { candidate_notification_channel: 'all' };
    const { active_interview: position_id } = platform.stack.ids;
    const update = (channel: unknown) =>
      platform.call('job-interview-update', {
        body: { position_id, candidate_notification_channel: channel },
      });
    const position = { ...positionCreate.example, steps: [position_id] };
    const replies = [
      await update('all'),
      await platform.call('job-interview-create', { body: { ...creationExample, ...wanted } }),
      await platform.call('position-create', { body: { ...position, ...wanted } }),
    ];
    for (const { status, body } of replies)
      expect([status, body]).toEqual([422, errorBody('invalid_value', 'candidate_notification_channel')]);
    expect((await update(null)).status).toBe(200);
    expect((await fetch(`${platform.stack.origin}/hooks/twilio`, { method: 'POST' })).status).toBe(503);
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

const settings = {
  time_zone: 'UTC',
  reports_enabled: 'on',
  recording_retention_days: '180',
  draft_retention_days: '90',
  result_retention_days: '730',
};

describe('the settings of a merchant', () => {
  it('cannot name a portal domain that the deployment has reserved', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    await eachRow(['jobs.platform.example', 'PLATFORM.example'], async (portal_domain) => {
      const page = await client.post('/console/settings', { ...settings, portal_domain });
      expect([page.status, page.html]).toEqual([422, expect.stringContaining('This host name is reserved')]);
    });
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

let calls: ReturnType<typeof peopleCalls>;
let development: string;
beforeAll(async () => {
  calls = peopleCalls(platform);
  development = (await signIn(platform, 'merchant_owner', 'development')).access_token;
});

describe('invitations outside production', () => {
  it('are limited for candidates in both operations, and owners change the list in the console', async () => {
    const id = await cloneInterview(platform.database, { environment: 'development' });
    const client = await openConsole(platform, 'merchant_owner');
    const save = (test_recipients: string) =>
      client.post('/console/settings', { ...settings, test_recipients });
    expect((await save('nonsense')).status).toBe(422);
    expect((await save('Only@Example.COM\n*@qa.example')).status).toBe(303);
    expect((await client.get('/console/settings')).html).toContain('only@example.com\n*@qa.example');
    const emails = ['only@example.com', 'any@qa.example', 'dev@example.com'];
    const users = emails.map((email) => ({ email, type: 'candidate', interview_id: id }));
    const codes = ['invited', 'invited', 'not_a_test_recipient'];
    const invited = await calls.invite(users, {}, { token: development });
    expect(invited).toMatchObject(codes.map((code) => ({ code })));
    const registered = await calls.register(
      emails.map((email) => ({ email })),
      { interview_id: id, send_email: true },
      { token: development },
    );
    expect(registered.map(({ result }) => result.startsWith('Error: Outside'))).toEqual([false, false, true]);
    const silent = await calls.register(
      [{ email: 'dev@example.com' }],
      { interview_id: id },
      { token: development },
    );
    expect(silent[0]?.result).toBe('ok');
  });
});

describe('calls of one merchant that wait for a lock', () => {
  it.each([
    ['a session', async () => platform.stack.tokens.merchant_owner],
    ['a service key', () => makeKey(platform, platform.stack.merchant_id)],
  ])('leave connections for other merchants when they are made with %s', async (_what, open) => {
    const token = await open();
    const { merchant_id, tokens } = platform.stack;
    const calls = catalogueCalls(platform);
    const id = await calls.make();
    const update = () =>
      platform.call('catalogue-tag-update', { token, body: { merchant_id, id, tags_sub: ['next'] } });
    expect((await update()).status).toBe(200);
    await calls.update(id, { tags_sub: [] });
    await withAdminConnection(platform.database.adminUrl, async (writer) => {
      await writer.query('begin');
      await writer.query(`select set_config('app.merchant_id', $1, true)`, [merchant_id]);
      await writer.query(toStatement(lockCatalogue({ isPlatforms: false, isMerchants: true, newId: null })));
      const waiting = Promise.all(Array.from({ length: 12 }, update));
      await waitFor('two calls to wait for the lock', async () => {
        const rows = await platform.database.rows(
          `select from pg_stat_activity
           where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
        );
        return rows.length === 2;
      });
      const read = await platform.call('merchant-status', { token: tokens.other_merchant_owner });
      expect(read.status).toBe(200);
      await writer.query('commit');
      expect((await waiting).map(({ status }) => status)).toEqual(Array(12).fill(200));
    });
  });
});

describe('a restart of the API', () => {
  it('writes when credentials were last used, and a rotated key set still accepts tokens of the old key', async () => {
    const first = platform.api;
    const list = async (token: string) => (await platform.call('interview-template-list', { token })).status;
    const session = await signIn(platform, 'merchant');
    const lastUse = async () => {
      const used = await platform.database.rows<{ session: string | null; key: string | null }>(
        `select (select last_used_at::text from session where id = $1) as session,
           (select max(last_used_at)::text from service_key where merchant_id = $2) as key`,
        [session.session_id, platform.stack.merchant_id],
      );
      return used[0];
    };
    const query = { merchant_id: platform.stack.merchant_id };
    expect(await list(session.access_token)).toBe(200);
    const byKey = { token: platform.stack.merchant_service_key, query };
    expect((await platform.call('interview-template-list', byKey)).status).toBe(200);
    await first.stop();
    expect(await lastUse()).toEqual({ session: expect.any(String), key: expect.any(String) });

    const old = JSON.parse(readFileSync(platform.signingKeysFile, 'utf8')) as { keys: JWK[] };
    const fresh = await generateSigningKeys();
    writeFileSync(platform.signingKeysFile, JSON.stringify({ keys: [...fresh.keys, ...old.keys] }));
    await platform.startApi();
    expect(await list(session.access_token)).toBe(200);
    const refreshed = await fetch(`${platform.stack.origin}/auth/token`, {
      method: 'POST',
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: session.refresh_token }),
    });
    const body = (await refreshed.json()) as { access_token: string };
    expect(await list(body.access_token)).toBe(200);
    const header = JSON.parse(Buffer.from(body.access_token.split('.')[0] ?? '', 'base64url').toString());
    expect(header).toEqual({ alg: 'ES256', kid: fresh.keys[0]?.kid, typ: 'JWT' });
    const { keys } = (await (await fetch(`${platform.stack.origin}/.well-known/jwks.json`)).json()) as {
      keys: JWK[];
    };
    expect(keys.map(({ kid }) => kid)).toEqual([fresh.keys[0]?.kid, old.keys[0]?.kid]);
  });
});

describe('under https', () => {
  const publicOrigin = 'https://127.0.0.1';
  const portalOrigin = 'https://portal.example.com';
  let origin: string;
  beforeAll(async () => {
    const port = String(await takePort());
    origin = `http://127.0.0.1:${port}`;
    await platform.startApi({
      PORT: port,
      METRICS_PORT: String(await takePort()),
      PUBLIC_ORIGIN: publicOrigin,
      PORTAL_ORIGIN: portalOrigin,
      PORTAL_MERCHANT_ID: merchants.main.id,
      TRUSTED_PROXIES: '127.0.0.0/8,::1',
    });
  });

  it('names the cookie of the console so that no other host can set it', async () => {
    const client = createClient(origin);
    const proxied = { 'x-forwarded-proto': 'https', origin: publicOrigin };
    const token = tokenOf(await consoleLink(platform, 'merchant_owner'));
    const entered = await client.send('/console/enter', { token }, proxied);
    expect(entered.headers.getSetCookie()[0]).toMatch(
      /^__Host-console=[\w-]{43}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await client.get('/console/access', proxied)).status).toBe(200);
    const value = client.cookies.get('__Host-console') ?? '';
    client.cookies.clear();
    client.cookies.set('console', value);
    const page = await client.get('/console/access', proxied);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/console\/sign-in/),
    ]);
  });

  it('names the cookie of a learner so that no other host can set it', async () => {
    await makeDirectory(platform.database, 'invited', { visibility: 'merchant_invite' });
    const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
    const links = await createLinkTokens(keys, portalOrigin);
    const url = await links.learnerUrl(
      { profileId: people.user.id, merchantId: platform.stack.merchant_id },
      'https://any.example',
    );
    const token = new URL(url).searchParams.get('learner_token');
    const ask = (path: string, more = '') =>
      sendRaw(
        origin,
        `GET ${path} HTTP/1.1\r\nhost: portal.example.com\r\nx-forwarded-proto: https\r\n${more}connection: close\r\n\r\n`,
      );
    const reply = await ask(`/catalogue/invited?learner_token=${token}`);
    const cookie = String(reply.headers['set-cookie']);
    expect(cookie).toMatch(
      /^__Host-learner=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const [pair = ''] = cookie.split(';');
    expect((await ask('/catalogue/invited', `cookie: ${pair}\r\n`)).status).toBe(200);
    const renamed = `cookie: ${pair.replace('__Host-', '')}\r\n`;
    expect((await ask('/catalogue/invited', renamed)).status).toBe(404);
  });
});
