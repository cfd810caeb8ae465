import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createLinks } from '../../../db/platform/link-tokens';
import { people } from '../../../local/seed/accounts';
import { makeDirectory } from '../../harness/catalogue/catalogue-rows';
import { consoleLink, createClient, tokenOf } from '../../harness/identity/console';
import { sendRaw } from '../../harness/platform/raw-http';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';

const publicOrigin = 'https://127.0.0.1';
const portalOrigin = 'https://portal.example.com';
let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    worker: false,
    api: { PUBLIC_ORIGIN: publicOrigin, PORTAL_ORIGIN: portalOrigin, TRUSTED_PROXIES: '127.0.0.0/8,::1' },
  });
});

describe('under https', () => {
  it('names the cookie of the console so that no other host can set it', async () => {
    const client = createClient(platform.stack.origin);
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
    const links = await createLinks(keys, portalOrigin);
    const url = await links.learnerUrl(
      { profileId: people.user.id, merchantId: platform.stack.merchant_id },
      'https://any.example',
    );
    const token = new URL(url).searchParams.get('learner_token');
    const ask = (path: string, more = '') =>
      sendRaw(
        platform.stack.origin,
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
