import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import {
  cardsOf,
  learnerCookie,
  makeDirectory,
  makeSession,
  openPage,
  takeSession,
} from '../../harness/catalogue/catalogue-rows';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});
beforeEach(async () => {
  await platform.database.rows('delete from catalogue_directory');
  await platform.database.rows(
    `update interview set status = 'archived' where type in ('coaching', 'persona')`,
  );
});

const session = (name: string, changes: Record<string, unknown> = {}) =>
  makeSession(platform.database, name, changes);
const directory = (id: string, changes: Parameters<typeof makeDirectory>[2] = {}) =>
  makeDirectory(platform.database, id, changes);
const cards = async (id: string, cookie = '') =>
  cardsOf((await openPage(platform, `/catalogue/${id}`, { cookie })).html);
const page = async (content_md: string, changes: Parameters<typeof makeDirectory>[2] = {}) => {
  const id = `page-${randomUUID()}`;
  await directory(id, { content_md, ...changes });
  return id;
};

describe('sessions of a directory', () => {
  it('are those that have all of its tags, by name, and none without tags', async () => {
    await session('Both', { tags: ['sales', 'calls'] });
    await session('All three', { tags: ['calls', 'x', 'sales'] });
    await session('One', { tags: ['sales'] });
    await session('Other case', { tags: ['Sales', 'calls'] });
    await session('None', { tags: null });
    await directory('both', { tags_interview_set_filter: ['sales', 'calls'] });
    await directory('one', { tags_interview_set_filter: ['sales'] });
    await directory('empty');
    expect(await cards('both')).toEqual(['All three', 'Both']);
    expect(await cards('one')).toEqual(['All three', 'Both', 'One']);
    expect(await cards('empty')).toEqual([]);
    expect(await cards(await page('[sessions]', { tags_interview_set_filter: ['sales', 'calls'] }))).toEqual([
      'All three',
      'Both',
    ]);
    expect(await cards(await page('[sessions]'))).toEqual([]);
  });

  it('are active ones of production that are ready', async () => {
    // Which types and visibilities are shown is in test/db/catalogue/visibility.test.ts.
    const all: [string, Record<string, unknown>][] = [
      ['active', {}],
      ...['draft', 'archived', 'deleted', 'preparing', 'completed'].map(
        (status): [string, Record<string, unknown>] => [status, { status }],
      ),
      ['uat', { environment: 'uat' }],
      ['unbuilt', { built_at: null }],
    ];
    const ids = new Map<string, string>();
    for (const [name, changes] of all) ids.set(name, await session(name, { tags: ['t'], ...changes }));
    await directory('top', { tags_interview_set_filter: ['t'] });
    expect(await cards('top')).toEqual(['active']);
    expect(await cards(await page([...ids.values()].map((id) => `[session:${id}]`).join('\n')))).toEqual([
      'active',
    ]);
    expect(await cards(await page('[sessions:t]'))).toEqual(['active']);
    for (const [name, id] of ids) {
      const { status } = await openPage(platform, `/session/${id}`);
      expect([name, status]).toEqual([name, name === 'active' ? 200 : 404]);
    }
  });

  it('are the first 500 by name, with a note that there are more', async () => {
    const id = await session('Copy', { tags: ['many'] });
    await platform.database.rows(
      `insert into interview select copy.*
       from interview i, generate_series(1, 500) n,
         jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || to_char(n, 'FM0000'), 'slug', null)) copy
       where i.id = $1`,
      [id],
    );
    await directory('many', { tags_interview_set_filter: ['many'] });
    const { html } = await openPage(platform, '/catalogue/many');
    const names = cardsOf(html);
    expect([names.length, names[0], names.at(-1)]).toEqual([500, 'Copy', 'Copy 0499']);
    expect(html).toContain('Not all sessions are shown here.');
    for (const [content, count] of [
      ['[sessions]', 500],
      ['[sessions:copy]', 500],
      ['[sessions:filter=copy,limit=7]', 7],
      ['[sessions:copy]\n[sessions:filter=copy,limit=2]', 502],
      ['[sessions]\n'.repeat(2_000), 2_000],
    ] as const) {
      const own = await openPage(
        platform,
        `/catalogue/${await page(content, { tags_interview_set_filter: ['many'] })}`,
      );
      expect([content.slice(0, 40), cardsOf(own.html).length]).toEqual([content.slice(0, 40), count]);
    }
  });
});

describe('directives', () => {
  it('find a term in the name, the description or a tag, in any case', async () => {
    await session('Cold CALLS');
    await session('Second', { description: 'About calls.' });
    await session('Third', { tags: ['a', 'Calls'] });
    await session('100% of_it', { description: 'a\\b' });
    await session('Fifth', { interview_description_long: 'calls', tags: ['call', 's'] });
    expect(await cards(await page('[sessions:calls]'))).toEqual(['Cold CALLS', 'Second', 'Third']);
    expect(await cards(await page('[sessions:filter=CALLS,limit=2]'))).toEqual(['Cold CALLS', 'Second']);
    for (const term of ['0%', 'f_i', 'a\\b'])
      expect(await cards(await page(`[sessions:${term}]`))).toEqual(['100% of_it']);
    for (const term of ['%', '_', '\\'])
      expect(await cards(await page(`[sessions:${term}]`))).toEqual(['100% of_it']);
    expect(await cards(await page('[sessions:none of these]'))).toEqual([]);
  });

  it('show existing sessions in their order, also twice, and nothing for others', async () => {
    const one = await session('One');
    await directory('sub');
    await directory('hidden', { visibility: 'merchant_unlisted' });
    const content = [
      '[directory:sub]',
      `[session:${one}]`,
      '[directory:hidden]',
      '[directory:none]',
      `[session:${randomUUID()}]`,
      '[directory:sub]',
    ];
    expect(await cards(await page(content.join('\n')))).toEqual(['Directory sub', 'One', 'Directory sub']);
    expect(
      await cards(
        await page(`[columns]\n[callout:accent]\n- a\n\n  [directory:sub]\n[/callout]\n[/columns]`),
      ),
    ).toEqual(['Directory sub']);
  });
});

describe('the progress of a learner', () => {
  const mail = people.user.email;
  const take = (id: string, more: { interview_status?: string; is_test?: boolean } = {}, email = mail) =>
    takeSession(platform.database, id, email, more);
  const stagesOf = (html: string) =>
    [...html.matchAll(/<a class="stage" href="\/catalogue\/([^"]+)"[^]*?<\/li>/g)].map(([item, id]) => [
      id,
      /<progress max="(\d+)" value="(\d+)" aria-label="[^"]+">/.exec(item)?.slice(1).join(' '),
      /class="count"[^>]*>([^]*?)<\/span>/.exec(item)?.[1]?.replace(/<[^>]+>/g, ''),
    ]);

  it('is marked on the cards and pages of completed sessions, for that learner only', async () => {
    const [done, stopped, failed, tried, others] = [
      await session('Done', { tags: ['t'] }),
      await session('Stopped', { tags: ['t'] }),
      await session('Failed', { tags: ['t'] }),
      await session('Tried', { tags: ['t'] }),
      await session('Others', { tags: ['t'] }),
    ];
    await take(done);
    await take(stopped, { interview_status: 'completed, stopped early' });
    await take(failed, { interview_status: 'failed' });
    await take(tried, { is_test: true });
    await take(others, {}, 'somebody.else@example.com');
    await directory('top', { tags_interview_set_filter: ['t'] });
    const cookie = await learnerCookie(platform);
    const doneOn = async (visitor: string) =>
      (await openPage(platform, '/catalogue/top', { cookie: visitor })).html
        .split('<article')
        .filter((card) => card.includes('Completed'))
        .flatMap(cardsOf);
    expect(await doneOn(cookie)).toEqual(['Done', 'Stopped']);
    expect(await doneOn('')).toEqual([]);
    const marked = async (id: string, visitor: string) =>
      (await openPage(platform, `/session/${id}`, { cookie: visitor })).html.includes('class="done"');
    expect([await marked(done, cookie), await marked(failed, cookie), await marked(done, '')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is shown in the coaching plan, with the sessions of each stage in order', async () => {
    const first = await session('First', { tags: ['a'] });
    const both = await session('Both', { tags: ['b', 'a', 'b'] });
    await session('Second', { tags: ['b'] });
    await take(first);
    await take(both);
    const plans: [string, string, Parameters<typeof makeDirectory>[2]][] = [
      ['z-other', 'other', {}],
      ['job', 'job-specific', { tags_interview_set_filter: ['a', 'b'] }],
      ['closing', 'closing', {}],
      ['third', '3rd', {}],
      ['second', '2nd', { tags_interview_set_filter: ['b'] }],
      ['screening', 'screening', {}],
      ['b-demo', 'demo', { name: 'B' }],
      ['a-demo', 'demo', { name: 'C', tags_interview_set_filter: ['a'] }],
      ['shared', 'demo', { name: 'A', merchant_id: null, visibility: 'public', tags_interview_set_filter: ['none'] }],
      ['draft', 'demo', { status: 'draft' }],
      ['unlisted', 'demo', { visibility: 'merchant_unlisted' }],
      ['theirs', 'demo', { merchant_id: merchants.other.id }],
      ['invited', 'closing', { name: 'Invited', visibility: 'merchant_invite' }],
    ]; // prettier-ignore
    for (const [id, coach_plan, changes] of plans) await directory(id, { coach_plan, ...changes });
    await directory('no-plan', { tags_interview_set_filter: ['a'] });
    const id = await page('[plan-progress]');
    const cookie = await learnerCookie(platform);
    const { html } = await openPage(platform, `/catalogue/${id}`, { cookie });
    expect(stagesOf(html)).toEqual([
      ['shared', '1 0', '0 / 0'],
      ['b-demo', '1 0', '0 / 0'],
      ['a-demo', '2 2', '2 / 2'],
      ['screening', '1 0', '0 / 0'],
      ['second', '2 1', '1 / 2'],
      ['third', '1 0', '0 / 0'],
      ['closing', '1 0', '0 / 0'],
      ['invited', '1 0', '0 / 0'],
      ['job', '1 1', '1 / 1'],
      ['z-other', '1 0', '0 / 0'],
    ]);
    expect(html).not.toContain('with your own link');
    const stranger = await openPage(platform, `/catalogue/${id}`);
    expect(stagesOf(stranger.html).map(([stage, progress, count]) => [stage, progress, count])).toEqual(
      expect.arrayContaining([
        ['a-demo', undefined, 'Sessions: 2'],
        ['job', undefined, 'Sessions: 1'],
      ]),
    );
    expect(stagesOf(stranger.html)).toHaveLength(9);
    expect(stranger.html).toContain('Open this page with your personal link to see your progress.');
  });
});

describe('GET /session/<id>', () => {
  it('shows name, length, language, tags and the description as Markdown, escaped and without directives', async () => {
    const id = await session('A <b>', {
      platform_language_code: 'de',
      max_duration: 1_230,
      tags: ['<t>'],
      interview_description_long:
        '# Worum es geht\n[sessions]\n<img src=x onerror=alert(1)>\n[a](https://b.example)',
      cover_image_url: 'https://images.example/a.png',
    });
    for (const path of [`/session/${id}`, `/session/${id.toUpperCase()}/`]) {
      const { status, html } = await openPage(platform, path);
      expect(status).toBe(200);
      for (const part of [
        '<html lang="de" dir="ltr">',
        'A &lt;b></h1>',
        '21 Min.',
        'Deutsch',
        '&#60;t&#62;',
        '<h2>Worum es geht</h2>',
        '<p>[sessions]\n&lt;img src=x onerror=alert(1)&gt;',
        '<a href="https://b.example" rel="noopener nofollow">a</a>',
        'src="https://images.example/a.png" alt="" loading="lazy"',
        'Öffnen Sie diese Seite mit Ihrem eigenen Link, um zu beginnen.',
      ])
        expect(html).toContain(part);
    }
  });
});
