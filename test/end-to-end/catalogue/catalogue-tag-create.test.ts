import type { Client } from 'pg';
import { lockCatalogue } from '../../../db/catalogue/catalogue';
import type { CatalogueWrite } from '../../../db/catalogue/catalogue';
import { withAdmin } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import { catalogueCalls, newId, told } from '../../harness/catalogue/catalogue-calls';
import { insist } from '../../harness/platform/insist';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

let calls: ReturnType<typeof catalogueCalls>;
let admin: { token: string };
beforeAll(async () => {
  calls = catalogueCalls(platform);
  admin = { token: platform.stack.tokens.admin };
});

const stored = async (id: string) =>
  platform.database.rows('select merchant_id, id, tags_sub from catalogue_directory where id = $1', [id]);
const inMain = (fields: Record<string, unknown>) => ({ ...fields, merchant_id: platform.stack.merchant_id });

describe('catalogue-tag-create', () => {
  it('stores a directory with only id and name, with the defaults for other fields', async () => {
    const id = newId();
    const reply = await calls.create({ id, name: '  Leadership ' });
    expect([reply.status, reply.body]).toEqual([
      200,
      { id, merchant_id: platform.stack.merchant_id, catalogue_url: null },
    ]);
    expect(await calls.read(id)).toEqual({
      id,
      has_content_page: false,
      is_start_directory: false,
      name: 'Leadership',
      description: null,
      platform_language_code: 'en',
      visibility: 'merchant_public',
      status: 'draft',
      coach_plan: null,
      cover_image_url: null,
      merchant_id: platform.stack.merchant_id,
      tags_sub: [],
      tags_interview_set_filter: [],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      content_md: null,
      catalogue_url: null,
      sub_directories: [],
      sub_directories_truncated: false,
      matched_sessions: [],
      matched_sessions_truncated: false,
    });
  });

  it('stores every field as sent, and treats null like a missing field', async () => {
    const fields = {
      name: 'Führung',
      description: 'Für alle',
      platform_language_code: 'de',
      visibility: 'merchant_unlisted',
      status: 'archived',
      cover_image_url: 'https://example.com/a.png',
      coach_plan: 'job-specific',
      tags_sub: ['b-not-there', 'a_not_there'],
      tags_interview_set_filter: ['leadership', 'Über uns'],
      content_md: '',
    };
    const id = await calls.make(fields);
    expect(await calls.read(id)).toMatchObject({ ...fields, has_content_page: true, sub_directories: [] });
    const empty = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
    const bare = await calls.make({ ...empty, name: 'Bare', parent_tag: null });
    expect(await calls.read(bare)).toMatchObject({
      name: 'Bare',
      status: 'draft',
      platform_language_code: 'en',
    });
  });

  it('returns the address of the page for a merchant with a portal', async () => {
    await platform.database.rows('update merchant set portal_domain = $1 where id = $2', [
      'coaching.northwind.example',
      platform.stack.merchant_id,
    ]);
    const id = newId();
    const url = `https://coaching.northwind.example/catalogue/${id}`;
    expect((await calls.create({ id })).body).toMatchObject({ catalogue_url: url });
    expect(await calls.read(id)).toMatchObject({ catalogue_url: url });
    expect((await calls.update(id, { name: 'Other' })).body).toMatchObject({ catalogue_url: url });
    await platform.database.rows('update merchant set portal_domain = null where id = $1', [
      platform.stack.merchant_id,
    ]);
  });

  it('returns 409 for an id of the merchant or of a platform-wide directory, and accepts one of another merchant', async () => {
    const id = await calls.make();
    expect(told(await calls.create({ id }))).toEqual([409, 'id']);
    expect(told(await calls.create({ id: platform.stack.ids.public_directory }))).toEqual([409, 'id']);
    const other = { token: platform.stack.tokens.other_merchant_owner };
    expect((await calls.create({ id }, other)).status).toBe(200);
    // `labs-en` is the id of a merchant's directory, so no platform-wide directory can have it.
    expect(told(await calls.create({ id: 'labs-en', visibility: 'public' }, admin))).toEqual([409, 'id']);
    expect((await stored('labs-en')).length).toBe(1);
  });

  it('returns 403 for a public directory by a merchant, an operator or a service key, whatever else is wrong', async () => {
    const { tokens, merchant_service_key: key, sub_merchant_id } = platform.stack;
    const id = newId();
    const asked = { id, visibility: 'public', parent_tag: 'no-such-parent' };
    for (const token of [tokens.merchant_owner, tokens.merchant, tokens.operator])
      expect(told(await calls.create(asked, { token }))).toEqual([403, 'visibility']);
    const inSub = { ...asked, merchant_id: sub_merchant_id };
    expect(told(await calls.create(inSub, { token: tokens.operator }))).toEqual([403, 'visibility']);
    expect(told(await calls.create(inMain(asked), { token: key }))).toEqual([403, 'visibility']);
    expect(await stored(id)).toEqual([]);
  });

  it('creates a platform-wide directory when an admin sends public, with a merchant or without', async () => {
    for (const more of [{}, { merchant_id: platform.stack.merchant_id }]) {
      const id = newId('public');
      const reply = await calls.create({ id, visibility: 'public', status: 'active', ...more }, admin);
      expect([reply.status, reply.body]).toEqual([200, { id, merchant_id: null, catalogue_url: null }]);
      expect(await calls.read(id)).toMatchObject({ id, merchant_id: null, visibility: 'public' });
      expect(
        (await calls.read(id, {}, { token: platform.stack.tokens.other_merchant_owner })).merchant_id,
      ).toBeNull();
    }
  });
});

describe('catalogue-tag-create, parent_tag', () => {
  it('appends the id to the parent once, and returns it', async () => {
    const child = newId('child');
    const parent = await calls.make({ tags_sub: ['first-one', child], status: 'archived' });
    const reply = await calls.create({ id: child, parent_tag: parent });
    expect(reply.body).toMatchObject({ id: child, parent_tag: parent });
    const second = await calls.make({ parent_tag: parent });
    expect((await calls.read(parent)).tags_sub).toEqual(['first-one', child, second]);
  });

  it('returns 422 and stores nothing when it is unknown, foreign or the directory itself', async () => {
    const id = newId();
    for (const parent_tag of ['no-such-parent', 'labs-en', id]) {
      expect(told(await calls.create({ id, parent_tag }))).toEqual([422, 'parent_tag']);
      expect(await stored(id)).toEqual([]);
    }
  });

  it('returns 403 for a platform-wide parent to a merchant and a key, and accepts it from an admin', async () => {
    const parent_tag = await calls.make({ visibility: 'public', status: 'active' }, admin);
    const id = newId();
    const { merchant_service_key: token } = platform.stack;
    expect(told(await calls.create({ id, parent_tag }))).toEqual([403, 'parent_tag']);
    expect(told(await calls.create(inMain({ id, parent_tag }), { token }))).toEqual([403, 'parent_tag']);
    expect(await stored(id)).toEqual([]);
    expect((await calls.read(parent_tag)).tags_sub).toEqual([]);
    await calls.make(inMain({ id, parent_tag }), admin);
    const below = await calls.make({ parent_tag, visibility: 'public' }, admin);
    expect((await calls.read(parent_tag)).tags_sub).toEqual([id, below]);
  });
});

describe('catalogue-tag-create, cycles', () => {
  it('returns 422 for tags_sub with itself, duplicates or too many entries', async () => {
    const id = newId();
    expect(told(await calls.create({ id, tags_sub: ['a', id] }))).toEqual([422, 'tags_sub[1]']);
    expect(told(await calls.create({ tags_sub: ['a', 'b', 'a'] }))).toEqual([422, 'tags_sub[2]']);
    for (const count of [1_001, 2_000]) {
      const tags_sub = Array.from({ length: count }, (_, index) => `id-${index}`);
      expect(told(await calls.create({ tags_sub }))).toEqual([422, 'tags_sub']);
    }
  });

  it('returns 422 with the entry of tags_sub that is an ancestor, through parent_tag or because it lists the id already', async () => {
    const id = newId();
    const top = await calls.make();
    const middle = await calls.make({ parent_tag: top });
    expect(told(await calls.create({ id, parent_tag: middle, tags_sub: ['a', top] }))).toEqual([
      422,
      'tags_sub[1]',
    ]);
    expect((await calls.read(middle)).tags_sub).toEqual([]);
    const waiting = await calls.make({ tags_sub: [id] });
    expect(told(await calls.create({ id, tags_sub: [waiting] }))).toEqual([422, 'tags_sub[0]']);
    expect(await stored(id)).toEqual([]);
  });
});

describe('catalogue-tag-create, simultaneous calls', () => {
  it('stores all of 20 directories under one parent in its tags_sub', async () => {
    const parent_tag = await calls.make();
    const ids = Array.from({ length: 20 }, () => newId('child'));
    const replies = await Promise.all(ids.map((id) => insist(() => calls.create({ id, parent_tag }))));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await calls.read(parent_tag)).tags_sub.toSorted()).toEqual(ids.toSorted());
  });

  it('returns 409 to one of two calls that create the same id platform-wide and for a merchant', async () => {
    for (let round = 0; round < 4; round++) {
      const id = newId();
      const replies = await Promise.all([
        calls.create({ id, visibility: 'public' }, admin),
        calls.create({ id }),
        calls.create({ id }),
      ]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
      expect((await stored(id)).length).toBe(1);
    }
  });
});

describe('simultaneous changes', () => {
  let admin: { token: string };
  let other: { token: string };
  beforeAll(async () => {
    admin = { token: platform.stack.tokens.admin };
    other = { token: platform.stack.tokens.other_merchant_owner };
  });

  const waitForWaiting = (count: number) =>
    waitFor(`${count} to wait`, async () => {
      const waiting = await platform.database.rows(
        `select from pg_stat_activity
       where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
      );
      return waiting.length === count;
    });

  /**
   * Runs `meanwhile` while a transaction holds the lock that a change of the merchant's or the platform's catalogue
   * needs.
   */
  const whileWriting = (write: CatalogueWrite, meanwhile: (writer: Client) => Promise<void>): Promise<void> =>
    withAdmin(platform.database.adminUrl, async (writer) => {
      await writer.query('begin');
      await writer.query(`select set_config('app.merchant_id', $1, true)`, [platform.stack.merchant_id]);
      await writer.query(toStatement(lockCatalogue(write)));
      await meanwhile(writer);
      await writer.query('commit');
    });
  const ofMerchant = { isPlatforms: false, isMerchants: true, newId: null };

  /**
   * Inserts 500 directories with long ids. Each directory lists all directories that follow it. Returns the id of the
   * first one.
   */
  async function makeEntangled(): Promise<string> {
    const start = newId('a-long-id'.repeat(15));
    await platform.database.rows(
      `insert into catalogue_directory (merchant_id, id, name, tags_sub)
     select $1, $2 || n, 'Any', array(select $2 || f from generate_series(n + 1, 500) f) from generate_series(1, 500) n`,
      [platform.stack.merchant_id, `${start}-`],
    );
    return `${start}-1`;
  }

  describe('a writer of the catalogue', () => {
    it('for a merchant blocks only calls of the same merchant', async () => {
      const id = newId();
      let same: Promise<Reply> | undefined;
      await whileWriting({ ...ofMerchant, newId: id }, async () => {
        expect((await calls.create({ id, tags_sub: ['a'] }, other)).status).toBe(200);
        const shared = await calls.make({ visibility: 'public', tags_sub: ['a'] }, admin);
        expect((await calls.update(shared, { tags_sub: [id] }, admin)).status).toBe(200);
        same = insist(() => calls.create({}));
        await waitForWaiting(1);
      });
      expect((await same)?.status).toBe(200);
    });
  });

  describe('directories that list too many others', () => {
    it('are a 422 in tags_sub of a new or changed directory, but stay there and can be reordered', async () => {
      const top = await makeEntangled();
      const second = `${top.slice(0, -1)}2`;
      const entangled =
        'The directories in tags_sub and all directories below them list more than 20000 entries in total. Send fewer directories in tags_sub.';
      const id = newId();
      for (const reply of [
        await calls.create({ id, tags_sub: ['a', top] }),
        await calls.update(await calls.make({ id: newId() }), { tags_sub: [top] }),
      ]) {
        expect(told(reply)).toEqual([422, 'tags_sub']);
        expect(reply.body.error).toBe(entangled);
      }
      expect((await calls.get(id)).status).toBe(404);
      const tags_sub = (await calls.read(top)).tags_sub;
      expect((await calls.update(top, { tags_sub: tags_sub.toReversed() })).status).toBe(200);
      expect((await calls.update(second, { tags_sub: [] })).status).toBe(200);
    });
  });
});
