import { eachRow } from '../../harness/each-row';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  calls = peopleCalls(platform);
});

const clone = (changes: Record<string, unknown> = {}) =>
  cloneInterview(platform.database, {
    name: 'Very secret <position>',
    platform_language_code: 'de',
    ...changes,
  });
const change = (table: 'interview' | 'position', id: string, changes: string) =>
  platform.database.rows(`update ${table} set ${changes} where id = $1`, [id]);
/** Registers a candidate of this interview or position, and returns the link. */
const linkTo = async (interview_id: string, more: Record<string, unknown> = {}) => {
  const [row] = await calls.register([{ email: 'ann@example.com', name: 'Ann & Bo' }], {
    interview_id,
    ...more,
  });
  return row?.interview_url ?? '';
};
const open = (url: string | URL) => openLink(url, { 'accept-language': 'nl' });

/** Expects that the page of the interview is in German and has this status and text. */
const expectState = async (url: string, status: number, text: string) => {
  const page = await open(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.html).toContain('<html lang="de" dir="ltr">');
  expect(page.html).toContain('Very secret &lt;position>');
  // The candidate's name is shown only if the link still works.
  if (status === 200) expect(page.html).toContain('Für Ann &amp; Bo');
  else expect(page.html).not.toMatch(/Ann|Für/);
  expect(page.html).toContain(text);
  return page;
};
/** Expects the page for invalid links. It reveals nothing of the interview and is in the browser's language. */
const expectInvalid = async (url: string | URL) => {
  const page = await open(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.html).toContain('<html lang="nl" dir="ltr">');
  expect(page.html).not.toMatch(/secret|Ann|Northwind/);
};

describe('a candidate’s link', () => {
  it('of an active interview is open and shows the last day', async () => {
    const page = await expectState(await linkTo(await clone()), 200, 'Interview beginnen');
    expect(page.html).not.toContain('Testlink');
  });

  it('of a draft is not open yet, but open for a test', async () => {
    const id = await clone({ status: 'draft' });
    await expectState(await linkTo(id), 200, 'Dieses Interview ist noch nicht geöffnet.');
    await expectState(await linkTo(id, { is_test: true }), 200, 'Dies ist ein Testlink');
    await change('interview', id, `status = 'active'`);
    await expectState(await linkTo(id), 200, 'Interview beginnen');
  });

  it('of an interview that is no longer active is closed', () =>
    eachRow(['archived', 'completed', 'deleted'], async (status) => {
      const id = await clone();
      const urls = [await linkTo(id), await linkTo(id, { is_test: true })];
      await change('interview', id, `status = '${status}'`);
      for (const url of urls) await expectState(url, 410, 'Dieses Interview ist geschlossen');
    }));

  it('ends with a new generation, also for a test, and all links of the current generation work', async () => {
    const id = await clone();
    const [first, second, test] = [
      await linkTo(id),
      await linkTo(id, { hide_menu: true }),
      await linkTo(id, { is_test: true }),
    ];
    for (const url of [first, second, first]) await expectState(url, 200, 'Interview beginnen');
    await Promise.all([first, first, second].map((url) => expectState(url, 200, 'Interview beginnen')));
    await platform.database.rows('update enrolment set link_generation = 2 where scope_id = $1', [id]);
    for (const url of [first, second, test])
      await expectState(url, 410, 'Dieser Link wurde verwendet oder ersetzt');
    await expectState(await linkTo(id), 200, 'Interview beginnen');
  });
});

describe('a link that is not valid', () => {
  it('because it is altered, cut, empty, repeated or missing shows nothing of the interview', async () => {
    const url = await linkTo(await clone());
    const token = new URL(url).searchParams.get('interview_token') ?? '';
    // test/db/platform/link-tokens.test.ts tests other tokens.
    for (const altered of [`${token}x`, token.slice(0, -3), '']) {
      const changed = new URL(url);
      changed.searchParams.set('interview_token', altered);
      await expectInvalid(changed);
    }
    await expectInvalid(`${url}&interview_token=${token}`);
    await expectInvalid(url.split('?')[0] ?? '');
  });

  it('because it is at another interview’s URL shows nothing, but an id in capitals is the same interview', async () => {
    const id = await clone();
    const url = await linkTo(id);
    await expectInvalid(url.replace(id, await clone()));
    await expectInvalid(url.replace(id, 'x'));
    await expectState(url.replace(id, id.toUpperCase()), 200, 'Interview beginnen');
  });
});

describe('pages of the portal', () => {
  let url: string;
  beforeAll(async () => {
    const interview_id = await cloneInterview(platform.database, { name: 'Very secret <position>' });
    const [row] = await peopleCalls(platform).register([{ email: 'ann@example.com', name: 'Ann & Bo' }], {
      interview_id,
    });
    url = row?.interview_url ?? '';
  });

  const open = (page: string, headers: Record<string, string> = {}) =>
    openLink(page, { 'accept-language': 'nl', ...headers });

  describe('a page of the portal', () => {
    it('exists on the portal’s host only, in any case, where the API does not exist', async () => {
      const { host: portal, port, pathname, search } = new URL(url);
      const ask = (host: string, path: string) =>
        sendRaw(platform.stack.origin, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      const path = pathname + search;
      expect((await ask(`LocalHost:${port}`, path)).status).toBe(302);
      for (const host of [`127.0.0.1:${port}`, 'evil.example', 'localhost.evil.example', 'x.localhost'])
        expect([
          host,
          (await ask(host, path)).status,
          (await ask(host, path)).headers['content-type'],
        ]).toEqual([host, 404, 'application/json; charset=utf-8']);
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
  });
});
