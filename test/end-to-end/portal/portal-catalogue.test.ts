import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { cardsOf, learnerCookie, makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
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

  it('shows active directories, unlisted ones by their URL only, and to learners also those for learners', async () => {
    const ids = await makeAll();
    const visible = ['public-active', 'merchant-public-active'];
    for (const [cookie, shown] of [
      ['', visible],
      [await learnerCookie(platform), [...visible, 'merchant-invite-active']],
    ] as const) {
      expect(await openOf(ids, cookie)).toEqual([...shown, 'merchant-unlisted-active']);
      for (const path of ['/catalogue/top', '/catalogue/page'])
        expect(cardsOf((await openPage(platform, path, { cookie })).html)).toEqual(
          shown.map((id) => `Directory ${id}`),
        );
    }
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
});

describe('GET /catalogue/<id>: the page', () => {
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
    // A page of its own, also an empty one, stands in place of the cards.
    await makeDirectory(platform.database, 'nested', {});
    await makeDirectory(platform.database, 'own', { content_md: '', tags_sub: ['nested'] });
    const own = await openPage(platform, '/catalogue/own');
    expect([own.status, cardsOf(own.html)]).toEqual([200, []]);
    expect(own.html).not.toContain('Nothing here yet.');
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

describe('visitors of a catalogue, however many', () => {
  it('leave connections to the API, and get a 503 when too many wait', async () => {
    await makeDirectory(platform.database, 'a', {});
    const { rows } = platform.database;
    await rows('begin');
    await rows('lock table catalogue_directory in access exclusive mode');
    try {
      const visits = Array.from({ length: 80 }, () => openPage(platform, '/catalogue/a'));
      const refused = await Promise.any(
        visits.map(async (visit) => {
          const { status, headers } = await visit;
          return [status, headers.get('retry-after')];
        }),
      );
      expect(refused).toEqual([503, '5']);
      for (const _ of [1, 2, 3]) expect((await platform.call('merchant-status')).status).toBe(200);
      await rows('rollback');
      const statuses = (await Promise.all(visits)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(15);
    } finally {
      await rows('rollback');
    }
    expect((await openPage(platform, '/catalogue/a')).status).toBe(200);
  });
});
