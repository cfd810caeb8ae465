import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import {
  cardsOf,
  learnerCookie,
  makeDirectory,
  makeSession,
  openPage,
} from '../../harness/catalogue/catalogue-rows';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});
beforeEach(() => platform.database.rows('delete from catalogue_directory'));

const visibilities = ['public', 'merchant_public', 'merchant_invite', 'merchant_unlisted'];
const statuses = ['draft', 'active', 'archived'];
const missing = (html: string) => /<h1>Deze pagina bestaat niet<\/h1>/.test(html);
const other = merchants.other.id;

describe('GET /catalogue/<id>: visibility', () => {
  /** Creates a directory for each visibility and status, and one directory that lists them all. */
  const makeAll = async () => {
    const ids: string[] = [];
    for (const visibility of visibilities)
      for (const status of statuses)
        ids.push(
          await makeDirectory(platform.database, `${visibility.replaceAll('_', '-')}-${status}`, {
            visibility,
            status,
            ...(visibility === 'public' ? { merchant_id: null } : {}),
          }),
        );
    await makeDirectory(platform.database, 'top', { tags_sub: ids });
    await makeDirectory(platform.database, 'page', {
      content_md: ids.map((id) => `[directory:${id}]`).join('\n'),
    });
    return ids;
  };
  const openOf = async (ids: string[], cookie: string) => {
    const pages = await Promise.all(
      ids.map(async (id) => ({ id, ...(await openPage(platform, `/catalogue/${id}`, { cookie })) })),
    );
    for (const { id, status, html } of pages)
      expect([id, status, missing(html)]).toEqual([id, status, status === 404]);
    return pages.flatMap(({ id, status }) => (status === 200 ? id : []));
  };

  it('shows a stranger active directories, unlisted ones by their URL only, and none for learners', async () => {
    const ids = await makeAll();
    const visible = ['public-active', 'merchant-public-active'];
    expect(await openOf(ids, '')).toEqual([...visible, 'merchant-unlisted-active']);
    for (const path of ['/catalogue/top', '/catalogue/page'])
      expect(cardsOf((await openPage(platform, path)).html)).toEqual(visible.map((id) => `Directory ${id}`));
  });

  it('shows a learner also those for learners', async () => {
    const ids = await makeAll();
    const cookie = await learnerCookie(platform);
    const visible = ['public-active', 'merchant-public-active', 'merchant-invite-active'];
    expect(await openOf(ids, cookie)).toEqual([...visible, 'merchant-unlisted-active']);
    for (const path of ['/catalogue/top', '/catalogue/page'])
      expect(cardsOf((await openPage(platform, path, { cookie })).html)).toEqual(
        visible.map((id) => `Directory ${id}`),
      );
  });

  it('returns the same page for another merchant’s directory, a draft, one for learners and an unknown one', async () => {
    await makeDirectory(platform.database, 'theirs', { merchant_id: other });
    await makeDirectory(platform.database, 'draft', { status: 'draft' });
    await makeDirectory(platform.database, 'invited', { visibility: 'merchant_invite' });
    const pages = await Promise.all(
      ['theirs', 'draft', 'invited', 'none', 'No', 'a--b', '%00', 'x'.repeat(201), "'"].map((id) =>
        openPage(platform, `/catalogue/${id}`),
      ),
    );
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
    expect(pages[0]?.html).toContain('persoonlijke link');
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 404));
    const undecodable = await openPage(platform, '/catalogue/%zz');
    expect([undecodable.status, undecodable.html]).toEqual([404, pages[0]?.html]);
    expect((await openPage(platform, '/session/none')).html).toBe(pages[0]?.html);
    expect((await openPage(platform, '/catalogue/a/b')).html).toBe(pages[0]?.html);
  });

  it('shows cards in the parent’s order, and leaves out an unknown id until the directory exists', async () => {
    await makeDirectory(platform.database, 'top', { tags_sub: ['c', 'later', 'a', 'b'] });
    for (const id of ['a', 'b', 'c']) await makeDirectory(platform.database, id, { name: id });
    expect(cardsOf((await openPage(platform, '/catalogue/top')).html)).toEqual(['c', 'a', 'b']);
    await makeDirectory(platform.database, 'later', { name: 'later' });
    expect(cardsOf((await openPage(platform, '/catalogue/top')).html)).toEqual(['c', 'later', 'a', 'b']);
  });
});

describe('GET /catalogue/<id>: the page', () => {
  /** Opens a page that takes seconds to render. If it takes longer than a visitor waits (503), opens it again. */
  const openLong = (path: string) =>
    waitFor('the long page', async () => {
      const page = await openPage(platform, path);
      return page.status !== 503 && page;
    });

  it('has title, description and cover in the directory’s language, all escaped', async () => {
    await makeDirectory(platform.database, 'ar', {
      name: 'A <b> & "c"',
      description: '<script>d</script>',
      platform_language_code: 'ar',
      cover_image_url: 'https://images.example/a.png?b=1&c="d"',
    });
    const { status, html, headers } = await openPage(platform, '/catalogue/ar/');
    expect(status).toBe(200);
    for (const part of [
      '<html lang="ar" dir="rtl">',
      'A &lt;b> &amp; &quot;c&quot; · Northwind Talent</title>',
      '&lt;script>d&lt;/script>',
      'src="https://images.example/a.png?b=1&#38;c=&#34;d&#34;"',
      'لا يوجد شيء هنا بعد.',
    ])
      expect(html).toContain(part);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src 'self' https:; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
    expect(html).not.toMatch(/<script| style=| on\w+=/);
  });

  it('shows a cover only if its URL uses https', async () => {
    for (const [id, cover_image_url] of [
      ['a', 'http://images.example/a.png'],
      ['b', 'javascript:alert(1)'],
      ['c', 'data:image/png;base64,AAAA'],
    ] as const) {
      await makeDirectory(platform.database, id, { cover_image_url });
      expect((await openPage(platform, `/catalogue/${id}`)).html).not.toContain('<img');
    }
  });

  it('shows an empty page instead of the grid', async () => {
    await makeDirectory(platform.database, 'nested', {});
    await makeDirectory(platform.database, 'own', { content_md: '', tags_sub: ['nested'] });
    const { status, html } = await openPage(platform, '/catalogue/own');
    expect([status, cardsOf(html)]).toEqual([200, []]);
    expect(html).not.toContain('Nothing here yet.');
  });

  it('is current after each write, whatever was shown before', async () => {
    await makeDirectory(platform.database, 'own', { content_md: 'First.' });
    for (const text of ['First.', 'Second.', 'Third.']) {
      await platform.database.rows('update catalogue_directory set content_md = $1 where id = $2', [
        text,
        'own',
      ]);
      for (const _ of [1, 2])
        expect((await openPage(platform, '/catalogue/own')).html).toContain(`<p>${text}</p>`);
    }
  });

  it('shows all of a long page whose blocks have no end', async () => {
    await makeDirectory(platform.database, 'big', { content_md: '[cards]\n'.repeat(30_000) });
    const { status, html } = await openLong('/catalogue/big');
    expect([status, html.match(/<p>\[cards\]<\/p>/g)?.length]).toEqual([200, 30_000]);
  });

  it.each(['a directory', 'a session'])(
    'does not block other pages while the page of %s is compiled',
    async (kind) => {
      const markdown = '!['.repeat(100_000);
      const makeBig = async () =>
        kind === 'a session'
          ? `/session/${await makeSession(platform.database, 'Big', { interview_description_long: markdown })}`
          : `/catalogue/${await makeDirectory(platform.database, `big-${randomUUID()}`, { content_md: markdown })}`;
      await makeDirectory(platform.database, 'small', {});
      /**
       * Requests a big page that is not cached, and requests small pages until the big page arrives. Returns how many
       * small pages arrived before it, up to six.
       */
      const countMeanwhile = async () => {
        const shown = { is: false };
        const big = openPage(platform, await makeBig()).finally(() => (shown.is = true));
        let answered = 0;
        while (!shown.is && answered < 6) {
          expect((await openPage(platform, '/catalogue/small')).status).toBe(200);
          if (!shown.is) answered++;
        }
        // If the big page takes longer than a visitor waits, its status is 503.
        const { status, headers } = await big;
        expect([status, headers.has('retry-after')]).toEqual(status === 200 ? [200, false] : [503, true]);
        return answered;
      };
      // Small pages arrive before the big one only if rendering the big page does not block the API. If the test
      // process itself stalls, too few small pages are counted, so the test tries up to five big pages.
      let most = 0;
      for (let page = 0; page < 5 && most < 6; page++) most = Math.max(most, await countMeanwhile());
      expect(most).toBe(6);
    },
  );

  it('says in its language when the markup would exceed eight megabytes', async () => {
    const markdown = `[a]: https://b.example/${'A'.repeat(2_000)}\n\n${'[a]\n'.repeat(12_000)}`;
    await makeDirectory(platform.database, 'big', {
      content_md: markdown,
      platform_language_code: 'de',
    });
    const session = await makeSession(platform.database, 'Big', {
      interview_description_long: markdown,
      platform_language_code: 'de',
    });
    for (const path of ['/catalogue/big', `/session/${session}`]) {
      const { status, html } = await openLong(path);
      expect(status).toBe(200);
      expect(html).toContain('Diese Seite ist zu lang, um angezeigt zu werden.');
      expect(html.length).toBeLessThan(20_000);
    }
  });

  it('supports HEAD without a body, and no other method', async () => {
    await makeDirectory(platform.database, 'a', {});
    const url = `${platform.stack.portal_url}/catalogue/a`;
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const posted = await fetch(url, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

it('are not logged with the URL or a token, but with the page', async () => {
  await makeDirectory(platform.database, 'a-directory-of-the-log', {});
  const cookie = await learnerCookie(platform);
  await openPage(platform, '/catalogue/a-directory-of-the-log', { cookie });
  await openPage(platform, `/catalogue/a-directory-of-the-log?${cookie.replace('learner', 'learner_token')}`);
  const id = `page-${randomUUID()}`;
  await openPage(platform, '/catalogue/a-directory-of-the-log', { 'x-request-id': id });
  const log = await waitFor('the last page in the log', async () => {
    const text = platform.readLog();
    return text.includes(id) && text;
  });
  expect(log).toContain('"operation":"catalogue-page"');
  expect(log).toContain(`"profile_id":"${people.user.id}"`);
  expect(log).not.toMatch(/a-directory-of-the-log|eyJ/);
});
