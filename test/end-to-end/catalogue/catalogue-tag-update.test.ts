import { catalogueCalls, told } from '../../harness/catalogue/catalogue-calls';
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

const all = {
  name: 'Full',
  description: 'All of it',
  platform_language_code: 'de',
  visibility: 'merchant_invite',
  status: 'active',
  cover_image_url: 'https://example.com/a.png',
  coach_plan: '2nd',
  tags_sub: ['some-en', 'more-en'],
  tags_interview_set_filter: ['leadership'],
  content_md: '# Page',
};

describe('catalogue-tag-update', () => {
  it('changes the sent fields that differ, and returns their names', async () => {
    const id = await calls.make({ name: 'Old', description: 'Same' });
    const reply = await calls.update(id, { ...all, description: 'Same', tags_sub: [], merchant_id: 'x', parent_tag: 5 });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        id,
        updated_fields: [
          'name', 'platform_language_code', 'visibility', 'status', 'cover_image_url', 'coach_plan',
          'tags_interview_set_filter', 'content_md',
        ],
        catalogue_url: null,
      },
    ]);
    expect(await calls.read(id)).toMatchObject({ ...all, description: 'Same', tags_sub: [] });
  }); // prettier-ignore

  it('changes nothing when the values are equal, not even updated_at', async () => {
    const id = await calls.make(all);
    const before = await calls.read(id);
    expect((await calls.update(id, all)).body['updated_fields']).toEqual([]);
    expect(await calls.read(id)).toEqual(before);
    // A new order of `tags_sub` is a change, because a page shows its directories in this order.
    const reply = await calls.update(id, { tags_sub: all.tags_sub.toReversed() });
    expect(reply.body['updated_fields']).toEqual(['tags_sub']);
    expect((await calls.read(id)).tags_sub).toEqual(['more-en', 'some-en']);
  });

  it('clears fields and empties lists with null', async () => {
    const id = await calls.make(all);
    const cleared = ['description', 'cover_image_url', 'coach_plan', 'tags_sub', 'tags_interview_set_filter', 'content_md'];
    const reply = await calls.update(id, Object.fromEntries(cleared.map((field) => [field, null])));
    expect(reply.body['updated_fields']).toEqual(cleared);
    expect(await calls.read(id)).toMatchObject({
      description: null,
      cover_image_url: null,
      coach_plan: null,
      tags_sub: [],
      tags_interview_set_filter: [],
      content_md: null,
      has_content_page: false,
    });
    expect((await calls.update(id, { content_md: '' })).body['updated_fields']).toEqual(['content_md']);
    expect((await calls.read(id)).has_content_page).toBe(true);
    for (const field of ['name', 'status', 'visibility', 'platform_language_code'])
      expect(told(await calls.update(id, { [field]: null }))).toEqual([422, field]);
  }); // prettier-ignore

  it('returns 403 for a platform-wide directory to a merchant and a key, and lets an admin change it', async () => {
    const id = await calls.make({ visibility: 'public', status: 'active' }, admin);
    const merchant_id = platform.stack.merchant_id;
    const key = { token: platform.stack.service_key };
    expect(told(await calls.update(id, { name: 'Mine' }))).toEqual([403, 'id']);
    expect(told(await calls.update(id, { name: 'Mine', merchant_id }, key))).toEqual([403, 'id']);
    expect((await calls.update(id, { name: 'Ours' }, admin)).body['updated_fields']).toEqual(['name']);
    expect((await calls.update(id, { status: 'archived', merchant_id }, admin)).status).toBe(200);
    expect(told(await calls.get(id))).toEqual([404, 'id']);
  });

  it('returns 403 to a merchant and 422 to an admin who changes the visibility to or from public', async () => {
    const id = await calls.make();
    const shared = await calls.make({ visibility: 'public' }, admin);
    const merchant_id = platform.stack.merchant_id;
    const toPublic = { visibility: 'public' };
    expect(told(await calls.update(id, toPublic))).toEqual([403, 'visibility']);
    expect(told(await calls.update(id, { ...toPublic, merchant_id }, admin))).toEqual([422, 'visibility']);
    expect(told(await calls.update(shared, { visibility: 'merchant_public', merchant_id }, admin))).toEqual([
      422,
      'visibility',
    ]);
    expect((await calls.update(shared, toPublic, admin)).body['updated_fields']).toEqual([]);
    expect((await calls.read(id)).visibility).toBe('merchant_public');
  });
});

describe('catalogue-tag-update, tags_sub', () => {
  // prettier-ignore

  it('returns 422 with the entry for an ancestor at any depth, and accepts two paths to one directory', async () => {
    const bottom = await calls.make();
    const left = await calls.make({ tags_sub: [bottom] });
    const right = await calls.make({ tags_sub: [bottom] });
    const top = await calls.make({ tags_sub: [left, right] });
    const reply = await calls.update(bottom, { tags_sub: ['not-there', top], name: 'Kept out' });
    expect(told(reply)).toEqual([422, 'tags_sub[1]']);
    expect(await calls.read(bottom)).toMatchObject({ tags_sub: [], name: 'Any' });
    // Once the ancestor lists no other directories, it can become a child.
    await calls.update(top, { tags_sub: null });
    expect((await calls.update(bottom, { tags_sub: [top] })).status).toBe(200);
  });

  it('returns 422 to one of two calls that make two directories each other’s child', async () => {
    for (let round = 0; round < 3; round++) {
      const [a, b] = [await calls.make(), await calls.make()];
      const replies = await Promise.all([
        calls.update(a, { tags_sub: [b] }),
        calls.update(b, { tags_sub: [a] }),
      ]);
      expect(replies.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 422]);
      const refused = replies.find(({ status }) => status === 422);
      expect(refused?.body.name).toBe('tags_sub[0]');
    }
  });
});
