import { randomUUID } from 'node:crypto';
import { consoleLink, createClient, openConsole, tokenOf } from '../../harness/identity/console';
import type { ConsolePage } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { makeEndpoint } from '../../harness/webhooks/webhook-calls';

let platform: Platform;
let origin: string;
let endpoint: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ origin } = platform.stack);
  endpoint = (await makeEndpoint(platform)).id;
});

const locationOf = ({ headers }: ConsolePage) => headers.get('location');

describe('the requested page', () => {
  it('opens after the sign-in in the browser that requested the link', async () => {
    const asked = `/console/endpoints/${endpoint}?a=1`;
    const client = createClient(origin);
    const signIn = await client.follow(await client.get(asked));
    expect(signIn.html).toContain(`name="return_to" value="${asked}"`);
    await client.send('/console/sign-in', {
      email: 'nobody@example.com',
      environment: 'production',
      return_to: asked,
    });
    const token = async () => tokenOf(await consoleLink(platform, 'merchant_owner'));
    expect(locationOf(await client.send('/console/enter', { token: await token() }))).toBe(asked);
    // The console remembers the requested page for one sign-in only. The next sign-in leads to its start page.
    expect(locationOf(await client.send('/console/enter', { token: await token() }))).toBe('/console');
  });

  it('opens at its merchant for support when the link names no merchant', async () => {
    const path = `/console/endpoints/${endpoint}`;
    const { merchant_id: merchant, other_merchant_id: other } = platform.stack;
    for (const person of ['admin', 'operator'] as const) {
      const client = await openConsole(platform, person);
      const page = await client.get(path);
      const opened = page.status === 303 ? await client.follow(page) : page;
      expect([opened.status, opened.html]).toEqual([200, expect.stringContaining(endpoint)]);
      expect(opened.html).toMatch(/<strong>Northwind Talent<\/strong>/);
    }
    const admin = await openConsole(platform, 'admin');
    expect(locationOf(await admin.get(path))).toBe(`${path}?merchant_id=${merchant}`);
    expect((await admin.get(`${path}?merchant_id=${other}`)).status).toBe(404);
    // A person of another merchant gets a 404, as for an endpoint that does not exist.
    const stranger = await openConsole(platform, 'other_merchant_owner');
    expect((await stranger.get(path)).status).toBe(404);
  });
});

describe('a new secret', () => {
  it('is shown once, on a page with its own URL, to its own session', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    const other = await openConsole(platform, 'merchant_owner');
    const made = await client.post('/console/access/keys/create', { name: 'Once' });
    expect([made.status, locationOf(made)]).toEqual([303, '/console/access']);
    const sealed = client.cookies.get('console-secret') ?? '';
    other.cookies.set('console-secret', sealed);
    expect((await other.get('/console/access')).html).not.toContain('id="service_key"');
    // The Access page shows the secret the first time that the person opens it. Automatic refreshes and other pages
    // do not show it, and the person can still see it after them.
    expect((await client.get('/console/access', { 'x-console-live': '1' })).html).not.toContain(
      'id="service_key"',
    );
    expect((await client.get('/console/audit')).html).not.toContain('id="service_key"');
    expect((await client.get('/console/access')).html).toMatch(/id="service_key"[^>]*value="sk_production_/);
    expect((await client.get('/console/access')).html).not.toContain('id="service_key"');
  });
});

describe('an error page', () => {
  it('keeps the menu and the merchant of a person who is signed in', async () => {
    const client = await openConsole(platform, 'operator');
    const { sub_merchant_id: sub, other_merchant_id: other } = platform.stack;
    for (const path of [
      'nothing',
      `endpoints/${randomUUID()}`,
      'endpoints/mistyped',
      'results/1',
      'deliveries/1',
    ]) {
      const page = await client.get(`/console/${path}?merchant_id=${sub}`);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.html).toContain('Page not found');
      expect(page.html).not.toContain('UUID');
    }
    const missing = await client.get(`/console/endpoints/mistyped?merchant_id=${sub}`);
    expect(missing.html).toContain('This page does not exist.');
    expect(missing.html).toMatch(/<nav class="menu" aria-label="Menu">/);
    expect(missing.html).toContain(`href="/console/results?merchant_id=${sub}"`);
    // The 403 for a page of another merchant has the menu of the person's own merchant.
    const foreign = await client.get(`/console/access?merchant_id=${other}`);
    expect([foreign.status, foreign.html]).toEqual([
      403,
      expect.stringMatching(/<nav class="menu" aria-label="Menu">/),
    ]);
  });
});

describe('the front page', () => {
  const get = (path: string, accept: string, host = origin) =>
    fetch(new URL(path, host), { headers: { accept } });

  it('redirects a browser, and returns the 404 of unknown addresses to a program', async () => {
    const page = await get('/', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringMatching(/href="\/console".*href="\/docs"/s),
    ]);
    for (const accept of ['*/*', 'application/json']) {
      const reply = await get('/', accept);
      expect([reply.status, await reply.json()]).toEqual([
        404,
        expect.objectContaining({ error: expect.any(String) }),
      ]);
    }
  });

  it('has an icon, like every host', async () => {
    for (const host of [origin, platform.stack.portal_url])
      for (const path of ['/favicon.ico', '/favicon.svg']) {
        const icon = await get(path, 'image/*', host);
        expect([icon.status, icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual([
          200,
          expect.stringMatching(/^image\/svg\+xml/),
          'public, max-age=86400',
        ]);
      }
    expect(await (await get('/', 'text/html')).text()).toContain('<link rel="icon" href="/favicon.svg"');
  });
});
