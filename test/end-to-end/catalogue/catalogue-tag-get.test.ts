import { maxListBytes } from '../../../db/catalogue/catalogue-list';
import { interviewId } from '../../../local/seed/fixed-id';
import { catalogueCalls, newId } from '../../harness/catalogue/catalogue-calls';
import { signIn } from '../../harness/identity/accounts';
import { cloneInterview } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof catalogueCalls>;
let admin: { token: string };
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = catalogueCalls(platform);
  admin = { token: platform.stack.tokens.admin };
});

const session = (tags: string[], more: Record<string, unknown> = {}) =>
  cloneInterview(platform.database, {
    type: 'coaching',
    visibility: 'merchant_public',
    status: 'active',
    tags,
    ...more,
  });
const matched = async (filter: string[], query = {}, options = {}) => {
  const id = await calls.make({ ...query, tags_interview_set_filter: filter }, options);
  return (await calls.read(id, query, options)).matched_sessions.map((each) => each.id);
};

describe('catalogue-tag-get', () => {
  it('returns the page of a seeded directory, its directories and its sessions', async () => {
    const { id, content_md, sub_directories, matched_sessions, has_content_page, ...more } = await calls.read('academy');
    expect(more).toMatchObject({ sub_directories_truncated: false, matched_sessions_truncated: false });
    expect([id, has_content_page, content_md]).toEqual(['academy', true, expect.stringContaining('[plan-progress]')]);
    expect(sub_directories.map((sub) => sub.id)).toEqual(['leadership-en', 'feedback-en', 'negotiation-en', 'service-en', 'academy-de', 'coaching-basics-en']);
    expect(sub_directories[0]).toEqual({
      id: 'leadership-en',
      name: 'Leadership',
      description: 'From the first one-on-one to the talk nobody looks forward to.',
      status: 'active',
      visibility: 'merchant_public',
      platform_language_code: 'en',
    });
    expect(matched_sessions.map(({ name }) => name)).toContain('Giving difficult feedback');
    expect(matched_sessions.find((each) => each.id === interviewId('feedback'))).toEqual({
      id: interviewId('feedback'),
      name: 'Giving difficult feedback',
      type: 'coaching',
      status: 'active',
      visibility: 'merchant_public',
      tags: ['leadership', 'feedback'],
    });
  }); // prettier-ignore

  it('returns the nested directories that exist and are visible to the caller, in order, in any status', async () => {
    const child = await calls.make({ status: 'archived' });
    const draft = await calls.make({ visibility: 'public' }, admin);
    const theirs = await calls.make({}, { token: platform.stack.tokens.other_merchant_owner });
    const id = await calls.make({ tags_sub: ['sales-en', theirs, draft, newId(), child, 'labs-en'] });
    const nested = async (query = {}, options = {}) =>
      (await calls.read(id, query, options)).sub_directories.map((sub) => sub.id);
    expect(await nested()).toEqual(['sales-en', child]);
    expect(await nested({ merchant_id: platform.stack.merchant_id }, admin)).toEqual([
      'sales-en',
      draft,
      child,
    ]);
  }); // prettier-ignore
});

describe('catalogue-tag-get, size of the reply', () => {
  it('cuts both lists when they are too long, and reports it', async () => {
    const tags = Array.from({ length: 25 }, (_, index) => newId(`${'😀'.repeat(150)}${index}`));
    const children = await Promise.all(
      Array.from({ length: 40 }, () => calls.make({ description: '😀'.repeat(5_000) })),
    );
    const source = await session(tags);
    await platform.database.rows(
      `insert into interview select (jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'slug', null))).*
       from interview i, generate_series(1, 49) where i.id = $1`,
      [source],
    );
    const id = await calls.make({ tags_sub: children, tags_interview_set_filter: tags.slice(0, 1) });
    const directory = await calls.read(id);
    for (const entries of [directory.sub_directories, directory.matched_sessions]) {
      const bytes = Buffer.byteLength(JSON.stringify(entries));
      expect(bytes).toBeGreaterThan(maxListBytes);
      expect(bytes).toBeLessThan(maxListBytes + 25_000);
    }
    expect([directory.sub_directories_truncated, directory.matched_sessions_truncated]).toEqual([true, true]);
    const listed = directory.sub_directories.map((child) => child.id);
    expect(listed).toEqual(children.slice(0, listed.length));
    const first = await calls.list({ parent_tag: id });
    const second = await calls.list({ parent_tag: id, offset: String(first.pagination.limit) });
    expect([...first.data, ...second.data].map((child) => child.id)).toEqual(children);
  });
});

describe('catalogue-tag-get, matched_sessions', () => {
  it('lists sessions that have every tag, by name, and none for an empty filter', async () => {
    const [one, two] = [newId('tag'), newId('tag')];
    const both = await session([two, 'other', one], { name: 'B' });
    const reversed = await session([one, two], { name: 'A' });
    await session([one], { name: 'C' });
    await session([`${one}${two}`]);
    expect(await matched([one, two])).toEqual([reversed, both]);
    expect(await matched([one, one.toUpperCase()])).toEqual([]);
    expect(await matched([])).toEqual([]);
  });

  it('lists only active coaching and persona sessions that are public or the merchant’s', async () => {
    const tag = newId('tag');
    const listed = [
      await session([tag], { name: '1' }),
      await session([tag], { name: '2', type: 'persona' }),
      await session([tag], { name: '3', visibility: 'public' }),
    ];
    for (const type of ['interview', 'persona_interview', 'public_avatar', 'assessment'])
      await session([tag], { type });
    for (const status of ['draft', 'archived', 'deleted', 'preparing', 'completed'])
      await session([tag], { status });
    for (const visibility of ['merchant_invite', 'merchant_unlisted', 'sub_item'])
      await session([tag], { visibility });
    await session([tag], { built_at: null });
    await session([tag], { environment: 'uat' });
    await session([tag], { merchant_id: platform.stack.other_merchant_id });
    expect(await matched([tag])).toEqual(listed);
  });

  it('lists sessions of the credential’s environment and merchant, also for a platform-wide directory', async () => {
    const tag = newId('tag');
    const own = await session([tag]);
    const uat = await session([tag], { environment: 'uat' });
    const foreign = await session([tag], { merchant_id: platform.stack.other_merchant_id });
    const id = await calls.make(
      { visibility: 'public', status: 'active', tags_interview_set_filter: [tag] },
      admin,
    );
    const seen = async (query = {}, options = {}) =>
      (await calls.read(id, query, options)).matched_sessions.map((each) => each.id);
    expect(await seen()).toEqual([own]);
    expect(await seen({}, { token: (await signIn(platform, 'merchant', 'uat')).access_token })).toEqual([
      uat,
    ]);
    expect(await seen({}, { token: platform.stack.tokens.other_merchant_owner })).toEqual([foreign]);
    expect(await seen({ merchant_id: platform.stack.other_merchant_id }, admin)).toEqual([foreign]);
    expect(await seen({}, admin)).toEqual([]);
  });
});
