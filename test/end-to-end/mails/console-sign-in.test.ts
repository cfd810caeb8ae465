import { randomUUID } from 'node:crypto';
import { hashSecret } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { consoleLink, createClient, openConsole, tokenOf } from '../../harness/identity/console';
import type { ConsolePage } from '../../harness/identity/console';
import { mailbox } from '../../harness/people/mailbox';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let origin: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  ({ origin } = platform.stack);
});

const sessionsOf = (person: PersonKey) =>
  platform.database.rows<{ cookie_hash: Buffer; revoked: boolean; hours: number }>(
    `select cookie_hash, revoked_at is not null as revoked, round(extract(epoch from expires_at - created_at) / 3600)::int as hours
     from session where profile_id = $1 and kind = 'console' order by created_at desc`,
    [people[person].id],
  );

const expectSignIn = (page: ConsolePage) =>
  expect([page.status, page.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/console\/sign-in(\?return_to=[\w%]+)?$/),
  ]);

describe('a sign-in link', () => {
  it('shows with GET whose it is, and signs in once with POST', async () => {
    const link = await consoleLink(platform, 'merchant');
    const client = createClient(origin);
    for (let time = 0; time < 3; time++) {
      const page = await client.get(link);
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
      expect(page.html).toContain('Sign in as Marco Rinaldi');
    }
    expect(await sessionsOf('merchant')).toEqual([]);

    const entered = await client.send('/console/enter', { token: tokenOf(link) });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/console']);
    const home = await client.get('/console/access');
    expect(home.html).toContain('Marco Rinaldi (recruiter)');
    expect(home.html).toContain('Northwind Talent');

    const again = await createClient(origin).send('/console/enter', { token: tokenOf(link) });
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []]);
    expect((await client.get(link)).status).toBe(410);
    expect(await sessionsOf('merchant')).toEqual([
      { cookie_hash: hashSecret(client.cookies.get('console') ?? ''), revoked: false, hours: 12 },
    ]);
  });

  it('opens one session when it is used twice at once', async () => {
    const token = tokenOf(await consoleLink(platform, 'operator'));
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => createClient(origin).send('/console/enter', { token })),
    );
    const statuses = pages.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([303, ...Array<number>(7).fill(410)]);
    expect(await sessionsOf('operator')).toHaveLength(1);
  });

  it('is expired after 15 minutes, and invalid for unknown and disabled people', async () => {
    const expired = await consoleLink(platform, 'admin');
    await platform.database.rows(
      `update sign_in_link set expires_at = now() - interval '1 second' where profile_id = $1`,
      [people.admin.id],
    );
    const disabled = await consoleLink(platform, 'merchant_selection');
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [
      people.merchant_selection.id,
    ]);
    for (const token of [tokenOf(expired), tokenOf(disabled), `${tokenOf(expired)}x`, '']) {
      const client = createClient(origin);
      expect((await client.get(`/console/enter?token=${token}`)).status).toBe(410);
      expect((await client.send('/console/enter', { token })).status).toBe(410);
      expectSignIn(await client.get('/console/access'));
    }
    await platform.database.rows('update profile set disabled_at = null');
  });
});

describe('a session of the console', () => {
  it('leads back to the sign-in, for pages and forms, when it has ended or its person may not use the console', () =>
    eachRow(
      [
        'session set revoked_at = now()',
        'session set expires_at = now()',
        'profile set disabled_at = now()',
        `profile set role = 'user'`,
      ],
      async (change) => {
        const client = await openConsole(platform, 'merchant');
        expect((await client.get('/console/access')).status).toBe(200);
        const column = change.startsWith('session') ? 'profile_id' : 'id';
        await platform.database.rows(`update ${change} where ${column} = $1`, [people.merchant.id]);
        expectSignIn(await client.post('/console/settings', { time_zone: 'UTC' }));
        expectSignIn(await client.get('/console/access'));
        await platform.database.rows(
          `update profile set disabled_at = null, role = 'merchant' where id = $1`,
          [people.merchant.id],
        );
      },
    ));
});

describe('a form', () => {
  const create = (more: Record<string, string>, headers: Record<string, string> = {}) =>
    [{ name: 'Refused', ...more }, headers] as const;

  it('is rejected from another site and without the token of the session, and changes nothing', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    const other = await openConsole(platform, 'merchant_owner');
    const foreign = /name="csrf" value="([^"]+)"/.exec((await other.get('/console/access')).html)?.[1] ?? '';
    const path = '/console/access/keys/create';
    const pages = [
      await client.post(path, ...create({}, { origin: 'https://evil.example' })),
      await client.post(path, ...create({}, { origin: platform.stack.portal_url })),
      await client.post(path, ...create({ csrf: '' })),
      await client.post(path, ...create({ csrf: foreign })),
      await client.send(path, ...create({})),
    ];
    expect(pages.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await client.get('/console/access')).html)?.[1] ?? '';
    const without = await sendRaw(
      origin,
      `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nCookie: console=${client.cookies.get('console')}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${`csrf=${csrf}&name=Refused`.length}\r\nConnection: close\r\n\r\n` +
        `csrf=${csrf}&name=Refused`,
    );
    expect(without.status).toBe(403);
    expect(await platform.database.rows(`select from service_key where name = 'Refused'`)).toEqual([]);
  });
});

describe('the sign-in page', () => {
  const ask = (email: string, environment = 'production') =>
    createClient(origin).send('/console/sign-in', { email, environment });
  /**
   * Returns the text of each sign-in mail once. The worker sends a mail twice if Temporal wrongly considers it dead.
   */
  const linksTo = async (email: string) => {
    const mails = (await mailbox(platform)).filter(({ to }) => to.includes(email));
    return [...new Map(mails.map(({ custom_args: args, text }) => [args['mail_id'], text])).values()];
  };

  it('mails a link that signs in to that environment, also for a platform admin', async () => {
    for (const person of ['merchant_owner', 'admin'] as const) {
      const { email } = people[person];
      const page = await ask(email.toUpperCase(), 'demo');
      expect(page.status).toBe(200);
      const text = await waitFor(`the mail to ${email}`, async () => (await linksTo(email))[0]);
      const link = /\S+\/console\/enter\?token=\S+/.exec(text)?.[0] ?? '';
      const client = createClient(origin);
      await client.send('/console/enter', { token: tokenOf(link) });
      expect((await client.get('/console/merchants')).html).toMatch(/badge plain">demo/);
    }
  });

  it('returns the same to everybody, and mails nobody without a role for the console', async () => {
    const known = await ask(people.merchant.email);
    const silent = [people.user.email, people.candidate.email, 'nobody@nowhere.example'];
    const pages = await Promise.all(silent.map((email) => ask(email)));
    for (const page of pages) expect([page.status, page.html]).toEqual([200, known.html]);
    await waitFor('the mail', async () => (await linksTo(people.merchant.email)).length > 0);
    expect(
      await platform.database.rows(`select from sign_in_link where is_mailed and profile_id = any ($1)`, [
        [people.user.id, people.candidate.id],
      ]),
    ).toEqual([]);
  });

  it('sends five mails for 12 simultaneous requests, with the same replies', async () => {
    const { email, id } = people.other_merchant_owner;
    const pages = await Promise.all(Array.from({ length: 12 }, () => ask(email)));
    expect(new Set(pages.map(({ status, html }) => `${status} ${html}`)).size).toBe(1);
    await waitFor('five mails', async () => (await linksTo(email)).length === 5);
    expect(await platform.database.rows('select from sign_in_link where profile_id = $1', [id])).toHaveLength(
      5,
    );
    await platform.database.rows(`update sign_in_link set created_at = now() - interval '61 minutes'`);
    await ask(email);
    await waitFor('a sixth', async () => (await linksTo(email)).length === 6);
  });
});

describe('every page', () => {
  it('has no frame, no foreign or inline script and no-store, and sends the origin with forms', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    for (const path of ['/console/sign-in', '/console/access', '/console/nothing']) {
      const visitor = path === '/console/sign-in' ? createClient(origin) : client;
      const { headers, html } = await visitor.get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
      expect(policy).not.toContain('unsafe');
      expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
        'no-store',
        'same-origin',
      ]);
      expect(html.match(/<script[^>]*>/g)).toEqual(
        ['live', 'copy'].map((name) =>
          expect.stringMatching(`^<script src="/assets/${name}-[0-9a-f]{16}\\.js" defer>$`),
        ),
      );
      expect(html).not.toMatch(/\son[a-z]+=|style="|https?:\/\//);
    }
  });

  it('exists on the API’s host only', async () => {
    const page = await fetch(`${platform.stack.portal_url}/console/sign-in`);
    expect([page.status, await page.text()]).toEqual([404, expect.not.stringContaining('console')]);
  });

  it('is requested again by a page of ours when it is opened from another site, so that the cookie is sent', async () => {
    const page = await createClient(origin).get('/console/access?a=<b>', { 'sec-fetch-site': 'cross-site' });
    expect([page.status, page.headers.get('refresh')]).toEqual([200, '0; url=/console/access?a=%3Cb%3E']);
  });

  it('stays on this host when the URL names another one', async () => {
    const reply = await sendRaw(
      origin,
      `GET http://evil.example/console/access?a=1 HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nsec-fetch-site: cross-site\r\n\r\n`,
    );
    expect([reply.status, reply.headers['refresh']]).toEqual([200, '0; url=/console/access?a=1']);
    expect(reply.body).not.toContain('evil.example');
  });
});

describe('log', () => {
  it('contains no token, cookie or email address', async () => {
    const link = await consoleLink(platform, 'merchant_owner');
    const client = createClient(origin);
    await client.get(link);
    await client.send('/console/enter', { token: tokenOf(link) });
    const id = `page-${randomUUID()}`;
    await client.get('/console/access', { 'x-request-id': id });
    await waitFor('the last page in the log', async () => platform.readLog().includes(id));
    const log = platform.readLog() + platform.readWorkerLog();
    expect(log).toContain('console-enter');
    for (const secret of [client.cookies.get('console') ?? '?', people.merchant_owner.email, 'enter?'])
      expect(log).not.toContain(secret);
    // Every token begins with `si_`. Ids can contain `si_` too, so only a longer text after it is considered a token.
    expect(tokenOf(link)).toMatch(/^si_[\w-]{20}/);
    expect(log).not.toMatch(/si_[\w-]{20}/);
  });
});
