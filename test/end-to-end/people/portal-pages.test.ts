import { randomUUID } from 'node:crypto';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let url: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  const interview_id = await cloneInterview(platform.database, { name: 'Very secret <position>' });
  const [row] = await peopleCalls(platform).register([{ email: 'ann@example.com', name: 'Ann & Bo' }], {
    interview_id,
  });
  url = row?.interview_url ?? '';
});

const open = (page: string, headers: Record<string, string> = {}) =>
  openLink(page, { 'accept-language': 'nl', ...headers });

describe('a page of the portal', () => {
  it('runs no script of other hosts and no script in the page', async () => {
    const { headers, html } = await open(url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src 'self'; media-src blob:; style-src 'self'; script-src 'self'; connect-src 'self';/,
    );
    expect(html).not.toMatch(
      /<script(?! type="application\/json"| src="\/)| style=| on\w+=|https?:\/\/(?!localhost)/,
    );
  });

  it('loads nothing from other hosts, has its styles on the same host, and runs no script outside of interviews', async () => {
    for (const page of [
      await open(`${platform.stack.portal_url}/nothing`),
      await open(`${platform.stack.portal_url}/invitation/`),
    ]) {
      const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const { status, headers } = await fetch(new URL(style, platform.stack.portal_url));
      expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
      expect(page.headers.get('content-security-policy')).toBe(
        `default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(page.html).not.toMatch(/<script| style=| on\w+=|https?:\/\/(?!localhost)/);
      expect([page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
        'no-store',
        'noindex',
      ]);
      expect(['no-referrer', 'same-origin']).toContain(page.headers.get('referrer-policy'));
    }
  });

  it('supports HEAD without a body, and no other method', async () => {
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.url.includes('interview_token'), await head.text()]).toEqual([404, false, '']);
    const posted = await fetch(url, { method: 'POST', headers: { 'accept-language': 'nl' } });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await posted.text()).toMatch(/<html lang="nl"[^]*Deze link werkt niet/);
  });

  it('exists on the portal’s host only, in any case, where the API does not exist', async () => {
    const { host: portal, port, pathname, search } = new URL(url);
    const ask = (host: string, path: string) =>
      sendRaw(platform.stack.origin, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    const path = pathname + search;
    expect((await ask(`LocalHost:${port}`, path)).status).toBe(302);
    for (const host of [`127.0.0.1:${port}`, 'evil.example', 'localhost.evil.example', 'x.localhost'])
      expect([host, (await ask(host, path)).status, (await ask(host, path)).headers['content-type']]).toEqual(
        [host, 404, 'application/json; charset=utf-8'],
      );
    for (const apiPath of ['/v1/merchant-status', '/docs', '/auth/token', '/v1/openapi']) {
      const reply = await ask(portal, apiPath);
      expect([apiPath, reply.status, JSON.parse(reply.body)]).toEqual([
        apiPath,
        404,
        errorBody('not_found', undefined, expect.stringContaining(platform.stack.origin)),
      ]);
    }
    expect((await ask(portal, '/hooks/sendgrid')).status).toBe(404);
    const undecodable = await ask(portal, '/interview/take/%zz/');
    expect([undecodable.status, undecodable.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('that fails says so with a 500, and the error is logged', async () => {
    await platform.database.rows('revoke execute on function app.link_page() from app_link');
    const page = await open(url);
    await platform.database.rows('grant execute on function app.link_page() to app_link');
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(page.html).toMatch(
      /<html lang="nl"[^]*<h1>Deze pagina is op dit moment niet beschikbaar<\/h1>\s*<p>Probeer het over enkele minuten opnieuw\.<\/p>/,
    );
    expect(page.html).not.toMatch(/secret|Ann|Northwind|permission/);
    const isLogged = () => /"code":"42501".*"request failed"/.test(platform.readLog());
    await waitFor('what failed to be logged', async () => isLogged());
  });

  it('logs neither query nor token', async () => {
    const id = `page-${randomUUID()}`;
    await open(url, { 'x-request-id': id });
    const log = await waitFor('the page in the log', async () => {
      const text = platform.readLog();
      return text.includes(id) && text;
    });
    expect(log).toContain('"operation":"interview-page"');
    expect(log).not.toMatch(/interview_token|eyJ|ann@example|Ann & Bo|secret/);
  });
});
