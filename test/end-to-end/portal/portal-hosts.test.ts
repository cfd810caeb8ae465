import { merchants } from '../../../local/seed/accounts';
import { cardsOf, makeDirectory, makeSession, openPage } from '../../harness/catalogue/catalogue-rows';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});
beforeEach(() => platform.database.rows('delete from catalogue_directory'));

const missing = (html: string) => /<h1>Deze pagina bestaat niet<\/h1>/.test(html);
const other = merchants.other.id;
const domain = 'learn.contoso.example';

/** Opens a page of a portal with this host name. */
const openAt = async (host: string, path: string) => {
  const reply = await sendRaw(
    platform.stack.origin,
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-language: nl\r\nconnection: close\r\n\r\n`,
  );
  return { status: reply.status, headers: reply.headers, html: reply.body };
};

describe('hosts', () => {
  beforeEach(async () => {
    await platform.database.rows('update merchant set portal_domain = null, start_directory = null');
    await platform.database.rows('update merchant set portal_domain = $1 where id = $2', [domain, other]);
    await platform.database.rows(
      `update interview set visibility = 'merchant_public' where type in ('coaching', 'persona')`,
    );
  });

  it('show a merchant’s catalogue at its host name in any case, and at the portal’s that of its merchant', async () => {
    await makeDirectory(platform.database, 'ours', {});
    await makeDirectory(platform.database, 'theirs', { merchant_id: other });
    await makeDirectory(platform.database, 'everybodys', { merchant_id: null, visibility: 'public' });
    const { port } = new URL(platform.stack.portal_url);
    const seen = async (host: string) => {
      const pages = await Promise.all(
        ['ours', 'theirs', 'everybodys'].map((id) => openAt(host, `/catalogue/${id}`)),
      );
      return pages.map(({ status }) => status);
    };
    expect(await seen(`localhost:${port}`)).toEqual([200, 404, 200]);
    expect(await seen(domain)).toEqual([404, 200, 200]);
    expect(await seen('LEARN.Contoso.example:8443')).toEqual([404, 200, 200]);
    for (const host of ['unknown.example', `x.${domain}`, 'contoso.example'])
      expect(await seen(host)).toEqual([404, 404, 404]);
    const unknown = await openAt('unknown.example', '/catalogue/theirs');
    expect(missing(unknown.html)).toBe(true);
  });

  it('of a merchant also show its sessions, and no page of the platform', async () => {
    const theirs = await makeSession(platform.database, 'Theirs', { merchant_id: other });
    for (const host of [domain, `${domain}.`, `${domain}.:8443`])
      expect((await openAt(host, `/session/${theirs}`)).status).toBe(200);
    expect((await openPage(platform, `/session/${theirs}`)).status).toBe(404);
    for (const path of ['/invitation/', '/console', '/catalogues/a', '/Catalogue/a', '/files/a']) {
      const page = await openAt(domain, path);
      expect([path, page.status, missing(page.html)]).toEqual([path, 404, true]);
    }
    for (const path of ['/v1/merchant-status', '/docs', '/auth/token'])
      expect([path, JSON.parse((await openAt(domain, path)).html)]).toEqual([
        path,
        errorBody('not_found', undefined, expect.stringContaining(platform.stack.origin)),
      ]);
    const start = await openAt(domain, '/');
    expect([start.status, start.headers['location']]).toEqual([302, '/catalogue/']);
    expect((await openAt(domain, '/healthz')).status).toBe(200);
  });

  it('list the public sessions of all merchants with a portal at the deployment’s own portal only', async () => {
    const { rows } = platform.database;
    const session = (name: string, changes: Record<string, unknown>) =>
      makeSession(platform.database, name, { visibility: 'public', ...changes });
    const ours = await session('Ours', {});
    const theirs = await session('Theirs', { merchant_id: other });
    await session('Not public', { merchant_id: other, visibility: 'merchant_public' });
    await session('Over', { interview_available_till: '2026-01-31' });
    const start = await openPage(platform, '/catalogue/');
    expect([start.status, start.headers.get('location')]).toEqual([302, '/sessions/']);
    const list = await openPage(platform, '/sessions/');
    expect(cardsOf(list.html).toSorted()).toEqual(['Ours', 'Theirs']);
    expect(list.html).toContain('Contoso');
    expect(list.html).toMatch(new RegExp(`href="https?://${domain}/session/${theirs}"`));
    expect(list.html).toContain(`href="${platform.stack.portal_url}/session/${ours}"`);
    expect((await openAt(domain, `/session/${theirs}`)).status).toBe(200);
    expect((await openAt(domain, '/sessions/')).status).toBe(404);
    expect((await openAt('unknown.example', '/sessions/')).status).toBe(404);
    await rows('update merchant set portal_domain = null');
    expect(cardsOf((await openPage(platform, '/sessions/')).html)).toEqual(['Ours']);
  });

  it('that belong to no merchant and IP addresses still serve the API', async () => {
    for (const host of ['unknown.example', 'unknown.example.', '192.0.2.1', '[2001:db8::1]:8080']) {
      for (const path of ['/', '/console', '/interview/take/x/'])
        expect([host, path, (await openAt(host, path)).headers['content-type']]).toEqual([
          host,
          path,
          'application/json; charset=utf-8',
        ]);
      expect((await openAt(host, '/v1/merchant-status')).status).toBe(401);
      expect((await openAt(host, '/healthz')).status).toBe(200);
    }
    const api = await openAt(new URL(platform.stack.origin).host, '/catalogue/a');
    expect([api.status, api.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it('redirect from /catalogue to the merchant’s start directory, or else to its jobs', async () => {
    await platform.database.rows(`update merchant set start_directory = 'first' where id = $1`, [other]);
    for (const path of ['/catalogue', '/catalogue/']) {
      const { status, headers } = await openAt(domain, path);
      expect([status, headers['location']]).toEqual([302, '/catalogue/first']);
      const { status: found, headers: own } = await openPage(platform, path);
      expect([found, own.get('location')]).toEqual([302, '/jobs/']);
    }
  });
});
