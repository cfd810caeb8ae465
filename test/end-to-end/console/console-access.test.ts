import { randomUUID } from 'node:crypto';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient, ConsolePage } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  owner = await openConsole(platform, 'merchant_owner');
});

const secretOf = (page: ConsolePage, id: string) =>
  new RegExp(`id="${id}"[^>]*value="([^"]+)"`).exec(page.html)?.[1] ?? '';
const createKey = async (client: ConsoleClient, name: string) => {
  const page = await client.submit('/console/access/keys/create', { name });
  return { page, key: secretOf(page, 'service_key') };
};
const createSession = async (client: ConsoleClient, fields: Record<string, string>) => {
  const page = await client.submit('/console/access/sessions/create', { label: 'Importer', ...fields });
  return {
    page,
    accessToken: secretOf(page, 'access_token'),
    refreshToken: secretOf(page, 'refresh_token'),
  };
};
const idOf = async (table: string, column: string, value: string) => {
  const rows = await platform.database.rows<{ id: string }>(
    `select id from ${table} where ${column} = $1 order by created_at desc`,
    [value],
  );
  return rows[0]?.id ?? '';
};
const statusWith = async (token: string, merchantId = platform.stack.merchant_id) =>
  (await platform.call('merchant-status', { token, query: { merchant_id: merchantId } })).status;
const auditEntriesOf = (subjectId: string) =>
  platform.database.rows(
    `select act, actor_id, actor_role, merchant_id, environment, details from audit_entry where subject_id = $1 order by id`,
    [subjectId],
  );
const by = (person: PersonKey, role: string) => ({
  actor_id: people[person].id,
  actor_role: role,
  merchant_id: platform.stack.merchant_id,
  environment: 'production',
});

describe('a service key', () => {
  it('works when it is created, is shown once, and is rejected when it is revoked', async () => {
    const { page, key } = await createKey(owner, '  CI <script>alert(1)</script>  ');
    expect([page.status, key]).toEqual([200, expect.stringMatching(/^sk_production_[\w-]{43}$/)]);
    expect(await statusWith(key)).toBe(200);
    const list = await owner.get('/console/access');
    expect(list.html).toContain('CI &lt;script>alert(1)&lt;/script>');
    expect(list.html).not.toContain(key);
    expect(list.html).not.toContain('<script>alert');

    const id = await idOf('service_key', 'name', 'CI <script>alert(1)</script>');
    const revoked = await owner.post('/console/access/keys/revoke', { id });
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, '/console/access']);
    const after = await owner.follow(revoked);
    expect(after.html).toContain('role="status">Key CI &lt;script>alert(1)&lt;/script> revoked.');
    expect((await owner.get('/console/access')).html).not.toContain('role="status"');
    expect(await statusWith(key)).toBe(401);
    expect((await owner.post('/console/access/keys/revoke', { id })).status).toBe(404);

    const details = { name: 'CI <script>alert(1)</script>' };
    expect(await auditEntriesOf(id)).toEqual([
      { act: 'service-key-create', ...by('merchant_owner', 'merchant_owner'), details },
      { act: 'service-key-revoke', ...by('merchant_owner', 'merchant_owner'), details },
    ]);
    const everything = JSON.stringify(await platform.database.rows('select * from audit_entry'));
    expect(everything + platform.readLog()).not.toContain(key.slice(15));
    const activity = await owner.get('/console/audit');
    expect(activity.html).toContain('service-key-revoke');
    expect(activity.html).not.toContain('<script>alert');
  });

  it('is valid for the merchant and environment of the session only', async () => {
    const demo = await openConsole(platform, 'merchant_owner', 'demo');
    const { key } = await createKey(demo, 'Demo key');
    expect(key).toMatch(/^sk_demo_/);
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(key, platform.stack.other_merchant_id)).toBe(422);
    expect((await owner.get('/console/access')).html).not.toContain('Demo key');
    const id = await idOf('service_key', 'name', 'Demo key');
    expect((await owner.post('/console/access/keys/revoke', { id })).status).toBe(404);
    expect(await statusWith(key)).toBe(200);
  });

  it('is rejected while the merchant and environment have fifty active keys', async () => {
    const uat = await openConsole(platform, 'merchant_owner', 'uat');
    await platform.database.rows(
      `insert into service_key (merchant_id, environment, hash, name)
       select $1, 'uat', sha256(n::text::bytea), 'Many' from generate_series(1, 50) n`,
      [platform.stack.merchant_id],
    );
    const { page } = await createKey(uat, 'One more');
    expect([page.status, page.html]).toEqual([
      409,
      expect.stringContaining('This account has 50 service keys in this environment. Revoke one'),
    ]);
    const id = await idOf('service_key', 'name', 'Many');
    await uat.post('/console/access/keys/revoke', { id });
    expect((await createKey(uat, 'One more')).key).toMatch(/^sk_uat_/);
    await platform.database.rows(`update service_key set revoked_at = now() where name = 'Many'`);
  });
});

describe('roles', () => {
  it('show a hiring manager no form that changes something, and reject every change', async () => {
    const client = await openConsole(platform, 'merchant_selection');
    for (const path of ['/console/access', '/console/settings']) {
      const page = await client.get(path);
      expect(page.status).toBe(200);
      const acts = page.html.match(/method="post" action="[^"]+"/g);
      expect(acts).toEqual(['method="post" action="/console/sign-out"']);
    }
    for (const path of ['keys/create', 'keys/revoke', 'sessions/create', 'sessions/revoke'])
      expect((await client.post(`/console/access/${path}`, { name: 'x', label: 'x' })).status).toBe(403);
    expect((await client.post('/console/settings', { time_zone: 'UTC' })).status).toBe(403);
  });

  it('let a recruiter manage its own sessions, but no key', async () => {
    const client = await openConsole(platform, 'merchant');
    const page = await client.get('/console/access');
    expect(page.html).toContain('action="/console/access/sessions/create"');
    expect(page.html).not.toMatch(/keys\/(create|revoke)/);
    expect(page.html.split('Your sessions')[1]).not.toContain(people.merchant_owner.name);
    expect((await createKey(client, 'Mine')).page.status).toBe(403);
    const id = await idOf('session', 'profile_id', people.merchant_owner.id);
    expect((await client.post('/console/access/sessions/revoke', { id })).status).toBe(404);
    expect((await createSession(client, { profile_id: people.merchant_owner.id })).page.status).toBe(403);
  });
});

describe('a session of the API', () => {
  it('created for oneself has a working pair of tokens until it is revoked', async () => {
    const client = await openConsole(platform, 'merchant');
    const { page, accessToken, refreshToken } = await createSession(client, {});
    expect(page.status).toBe(200);
    expect(await statusWith(accessToken)).toBe(200);
    const refresh = () =>
      fetch(`${platform.stack.origin}/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      });
    expect((await refresh()).status).toBe(200);
    const id = await idOf('session', 'label', 'Importer');
    expect((await client.post('/console/access/sessions/revoke', { id })).status).toBe(303);
    expect(await statusWith(accessToken)).toBe(401);
    expect((await refresh()).status).toBe(401);
    expect(await auditEntriesOf(id)).toEqual([
      {
        act: 'session-create',
        ...by('merchant', 'merchant'),
        details: { profile_id: people.merchant.id, label: 'Importer' },
      },
      { act: 'session-revoke', ...by('merchant', 'merchant'), details: {} },
    ]);
  });

  it('cannot be created for strangers', async () => {
    for (const profile_id of [people.other_merchant.id, people.admin.id, people.user.id, randomUUID()]) {
      const { page } = await createSession(owner, { profile_id });
      expect([page.status, secretOf(page, 'access_token')]).toEqual([403, '']);
    }
  });

  it('of an admin with a home at the merchant cannot be created, seen or ended by the owner', async () => {
    await platform.database.rows('update profile set merchant_id = $2 where id = $1', [
      people.admin.id,
      platform.stack.merchant_id,
    ]);
    const session = await signIn(platform, 'admin');
    expect((await createSession(owner, { profile_id: people.admin.id })).page.status).toBe(403);
    expect((await owner.get('/console/access')).html).not.toContain(people.admin.name);
    const ended = await owner.post('/console/access/sessions/revoke', { id: session.session_id });
    expect(ended.status).toBe(404);
    await platform.database.rows('update profile set merchant_id = null where id = $1', [people.admin.id]);
  });
});
