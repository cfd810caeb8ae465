import type { Client } from 'pg';
import { lockCatalogue } from '../../../db/catalogue/catalogue';
import type { CatalogueWrite } from '../../../db/catalogue/catalogue';
import { maxListBytes } from '../../../db/catalogue/catalogue-list';
import { withAdminConnection } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import { interviewId } from '../../../local/seed/fixed-id';
import { catalogueCalls, newId, told } from '../../harness/catalogue/catalogue-calls';
import { eachRow } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { cloneInterview } from '../../harness/people/people';
import { insist } from '../../harness/platform/insist';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { Reply } from '../../harness/platform/platform';
import { waitFor } from '../../harness/wait-for';

let platform: Operations;
let calls: ReturnType<typeof catalogueCalls>;
let admin: { token: string };
let other: { token: string };
beforeAll(async () => {
  platform = await openOperations();
  calls = catalogueCalls(platform);
  admin = { token: platform.stack.tokens.admin };
  other = { token: platform.stack.tokens.other_merchant_owner };
});

const stored = (id: string) =>
  platform.database.rows('select merchant_id, id, tags_sub from catalogue_directory where id = $1', [id]);
const inMain = (fields: object) => ({ ...fields, merchant_id: platform.stack.merchant_id });
const platformWide = { visibility: 'public', status: 'active' };
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);

// The expected lists are those of the seed, so they are tested before anything is created.
describe('catalogue-tag-list', () => {
  const seeded = [
    'academy', 'academy-de', 'difficult-en', 'executive-en', 'feedback-en', 'fuehrung-de', 'leadership-en', 'negotiation-en',
    'new-lead-en', 'onboarding-2024-en', 'sales-en', 'service-en', 'warehouse-pilot-en',
  ]; // prettier-ignore
  const seededPublic = ['coaching-basics-en', 'coaching-privacy-en'];
  const ids = async (query: Record<string, string> = {}, options = {}) =>
    (await calls.list(query, options)).data.map(({ id }) => id);

  it('returns the merchant’s directories in every status and the active platform-wide ones, by id', async () => {
    const made = ['zz-public-draft', 'zz-public-old', 'zz-theirs'];
    await calls.make({ id: made[0], visibility: 'public' }, admin);
    await calls.make({ id: made[1], visibility: 'public', status: 'archived' }, admin);
    await calls.make({ id: made[2], status: 'active' }, other);
    const { data, pagination } = await calls.list();
    expect(data.map(({ id }) => id)).toEqual([...seeded, ...seededPublic].toSorted());
    expect(pagination).toEqual({ total: data.length, limit: 50, offset: 0, has_more: false, next_cursor: null });
    expect(data[0]).toEqual({
      id: 'academy',
      has_content_page: true,
      is_start_directory: true,
      name: 'Northwind Academy',
      description: 'Coaching for everybody at Northwind.',
      platform_language_code: 'en',
      visibility: 'merchant_public',
      status: 'active',
      coach_plan: null,
      cover_image_url: null,
      merchant_id: platform.stack.merchant_id,
      tags_sub: expect.arrayContaining(['leadership-en', 'coaching-basics-en']),
      tags_interview_set_filter: ['feedback'],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    // An admin sees platform-wide directories in every status, and others only with a merchant.
    const whole = [...seededPublic, 'zz-public-draft', 'zz-public-old'];
    expect(await ids({ visibility: 'public' }, admin)).toEqual(whole);
    for (const query of [{}, { visibility: 'merchant_public' }, { include_public: 'true' }] as Record<string, string>[])
      expect(told(await calls.tryList(query, admin))).toEqual([422, 'merchant_id']);
    const { merchant_id } = platform.stack;
    expect(await ids({ merchant_id }, admin)).toEqual([...seeded, ...whole].toSorted());
    await platform.database.rows('delete from catalogue_directory where id = any ($1)', [made]);
  }); // prettier-ignore

  it('returns exactly the directories that match the filters and their number', () => eachRow<[Record<string, string>, string[]]>([
    [{ status: 'draft' }, ['sales-en']],
    [{ status: 'archived' }, ['onboarding-2024-en']],
    [{ visibility: 'merchant_invite' }, ['executive-en']],
    [{ visibility: 'merchant_unlisted' }, ['warehouse-pilot-en']],
    [{ visibility: 'public' }, seededPublic],
    [{ visibility: 'public', include_public: 'false' }, []],
    [{ include_public: 'false' }, seeded],
    [{ platform_language_code: 'de' }, ['academy-de', 'fuehrung-de']],
    [{ platform_language_code: 'de', filter_text: 'coaching' }, ['academy-de']],
    // The filter searches for this text in the id, the name and the description. It ignores case, and `%` and `_` are
    // no wildcards.
    [{ filter_text: 'PILOT-en' }, ['warehouse-pilot-en']],
    [{ filter_text: 'FÜHRUNG' }, ['fuehrung-de']],
    [{ filter_text: 'salary, PRICE' }, ['negotiation-en']],
    [{ filter_text: '%' }, []],
    [{ filter_text: '_' }, []],
    [{ filter_text: "'" }, []],
    [{ filter_text: '\\' }, []],
    [{ filter_text: '' }, [...seeded, ...seededPublic].toSorted()],
    [{ parent_tag: 'leadership-en' }, ['new-lead-en', 'difficult-en', 'executive-en']],
    [{ parent_tag: 'leadership-en', visibility: 'merchant_public' }, ['new-lead-en', 'difficult-en']],
    [{ parent_tag: 'leadership-en', filter_text: 'hundred' }, ['new-lead-en']],
    // `negotiation-en` lists a second directory, which does not exist.
    [{ parent_tag: 'negotiation-en' }, ['sales-en']],
    [{ parent_tag: 'academy', include_public: 'false', platform_language_code: 'en' }, ['leadership-en', 'feedback-en', 'negotiation-en', 'service-en']],
    [{ parent_tag: 'academy', visibility: 'public' }, ['coaching-basics-en']],
    [{ parent_tag: 'coaching-basics-en' }, ['coaching-privacy-en']],
    [{ parent_tag: 'coaching-basics-en', include_public: 'false' }, []],
    [{ parent_tag: 'sales-en' }, []],
  ], async (query, expected) => {
    const { data, pagination } = await calls.list(query);
    expect(data.map(({ id }) => id)).toEqual(expected);
    expect(pagination.total).toBe(expected.length);
  })); // prettier-ignore

  it('returns the children of a parent in its order, also page by page', async () => {
    const names = ['d-1', 'a-2', 'c-3', 'b-4'];
    for (const id of names) await calls.make({ id });
    const parent_tag = await calls.make({ tags_sub: ['x-0', ...names] });
    expect(await ids({ parent_tag })).toEqual(names);
    const page = await calls.list({ parent_tag, limit: '2', offset: '1' });
    expect(page.data.map(({ id }) => id)).toEqual(['a-2', 'c-3']);
    expect(page.pagination).toMatchObject({ total: 4, limit: 2, offset: 1, has_more: true });
    await calls.update(parent_tag, { tags_sub: names.toReversed() });
    expect(await ids({ parent_tag })).toEqual(names.toReversed());
  });

  it('ends a page early that would be too long, and reports where the next one begins', async () => {
    // These 14 directories of 200 KB each do not fit into one page. Their descriptions are control characters, each
    // of which takes one byte in the row and six bytes in JSON.
    await platform.database.rows(
      `insert into catalogue_directory (merchant_id, id, name, description, tags_sub)
       select $1, 'long-' || lpad(n::text, 2, '0'), 'Long', repeat(chr(1), 4900), array(
         select left(repeat(md5(n || '-' || m), 7), 200) from generate_series(1, 1000) m
       ) from generate_series(1, 14) n`,
      [platform.stack.merchant_id],
    );
    const seen: string[] = [];
    const limits: number[] = [];
    for (let offset = 0; ;) {
      const query = { filter_text: 'long', limit: '1000', offset: String(offset) };
      const reply = await calls.tryList(query);
      expect(reply.text.length).toBeLessThan(maxListBytes + 300_000);
      const { data, pagination } = reply.body as Awaited<ReturnType<typeof calls.list>>;
      seen.push(...data.map(({ id }) => id));
      limits.push(pagination.limit);
      if (!pagination.has_more) break;
      expect(pagination.limit).toBe(data.length);
      offset += pagination.limit;
    }
    expect(seen).toEqual(
      Array.from({ length: 14 }, (_, index) => `long-${String(index + 1).padStart(2, '0')}`),
    );
    expect(limits.length).toBeGreaterThan(2);
    // A directory that is longer than the limit of a page is returned on a page of its own.
    expect((await ids({ filter_text: 'long', limit: '1' }))[0]).toBe('long-01');
  });
});

describe('catalogue-tag-get', () => {
  const session = (tags: string[], more: Record<string, unknown> = {}) =>
    cloneInterview(platform.database, {
      type: 'coaching',
      visibility: 'merchant_public',
      status: 'active',
      tags,
      ...more,
    });
  const matched = async (filter: string[]) =>
    (await calls.read(await calls.make({ tags_interview_set_filter: filter }))).matched_sessions.map(
      ({ id }) => id,
    );

  it('returns the page of a directory, its sessions, and its directories that the caller sees, in order', async () => {
    const academy = await calls.read('academy');
    expect(academy).toMatchObject({
      has_content_page: true,
      content_md: expect.stringContaining('[plan-progress]'),
      sub_directories_truncated: false,
      matched_sessions_truncated: false,
    });
    expect(academy.sub_directories[0]).toEqual({
      id: 'leadership-en',
      name: 'Leadership',
      description: 'From the first one-on-one to the talk nobody looks forward to.',
      status: 'active',
      visibility: 'merchant_public',
      platform_language_code: 'en',
    });
    expect(academy.matched_sessions.find((each) => each.id === interviewId('feedback'))).toEqual({
      id: interviewId('feedback'),
      name: 'Giving difficult feedback',
      type: 'coaching',
      status: 'active',
      visibility: 'merchant_public',
      tags: ['leadership', 'feedback'],
    });
    const child = await calls.make({ status: 'archived' });
    const draft = await calls.make({ visibility: 'public' }, admin);
    const theirs = await calls.make({}, other);
    const id = await calls.make({ tags_sub: ['sales-en', theirs, draft, newId(), child, 'labs-en'] });
    const nested = async (query = {}, options = {}) =>
      (await calls.read(id, query, options)).sub_directories.map((sub) => sub.id);
    expect(await nested()).toEqual(['sales-en', child]);
    expect(await nested(inMain({}), admin)).toEqual(['sales-en', draft, child]);
  });

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

  it('lists active coaching and persona sessions that have every tag and are public or the merchant’s, by name', async () => {
    const [one, two] = [newId('tag'), newId('tag')];
    const both = await session([two, 'other', one], { name: 'B' });
    const reversed = await session([one, two], { name: 'A', type: 'persona' });
    const shared = await session([one, two], { name: 'C', visibility: 'public' });
    await session([one]);
    await session([`${one}${two}`]);
    for (const changes of [
      ...['interview', 'persona_interview', 'public_avatar', 'assessment'].map((type) => ({ type })),
      ...['draft', 'archived', 'deleted', 'preparing', 'completed'].map((status) => ({ status })),
      ...['merchant_invite', 'merchant_unlisted', 'sub_item'].map((visibility) => ({ visibility })),
      { built_at: null },
    ])
      await session([one, two], changes);
    expect(await matched([one, two])).toEqual([reversed, both, shared]);
    expect(await matched([one, one.toUpperCase()])).toEqual([]);
    expect(await matched([])).toEqual([]);
  });

  it('lists sessions of the credential’s environment and merchant, also for a platform-wide directory', async () => {
    const tag = newId('tag');
    const merchant_id = platform.stack.other_merchant_id;
    const own = await session([tag]);
    const uat = await session([tag], { environment: 'uat' });
    const foreign = await session([tag], { merchant_id });
    const id = await calls.make({ ...platformWide, tags_interview_set_filter: [tag] }, admin);
    const inUat = { token: (await signIn(platform, 'merchant', 'uat')).access_token };
    for (const [query, options, expected] of [
      [{}, {}, [own]],
      [{}, inUat, [uat]],
      [{}, other, [foreign]],
      [{ merchant_id }, admin, [foreign]],
      [{}, admin, []],
    ] as const)
      expect((await calls.read(id, query, options)).matched_sessions.map((each) => each.id)).toEqual(
        expected,
      );
  });
});

describe('catalogue-tag-create', () => {
  it('stores every field as sent, with defaults for fields that are missing or null', async () => {
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
    for (const more of [{}, { ...empty, parent_tag: null }]) {
      const bare = newId();
      const reply = await calls.create({ ...more, id: bare, name: '  Leadership ' });
      expect([reply.status, reply.body]).toEqual([
        200,
        { id: bare, merchant_id: platform.stack.merchant_id, catalogue_url: null },
      ]);
      expect(await calls.read(bare)).toMatchObject({
        has_content_page: false,
        name: 'Leadership',
        description: null,
        platform_language_code: 'en',
        visibility: 'merchant_public',
        status: 'draft',
        coach_plan: null,
        cover_image_url: null,
        tags_sub: [],
        tags_interview_set_filter: [],
        content_md: null,
        catalogue_url: null,
      });
    }
  });

  it('returns the address of the page for a merchant with a portal', async () => {
    const setDomain = (domain: string | null) =>
      platform.database.rows('update merchant set portal_domain = $1 where id = $2', [
        domain,
        platform.stack.merchant_id,
      ]);
    await setDomain('coaching.northwind.example');
    const id = newId();
    const url = { catalogue_url: `https://coaching.northwind.example/catalogue/${id}` };
    expect((await calls.create({ id })).body).toMatchObject(url);
    expect(await calls.read(id)).toMatchObject(url);
    expect((await calls.update(id, { name: 'Other' })).body).toMatchObject(url);
    await setDomain(null);
  });

  it('returns 409 for an id of the merchant or of a platform-wide directory, and accepts one of another merchant', async () => {
    const id = await calls.make();
    expect(told(await calls.create({ id }))).toEqual([409, 'id']);
    expect(told(await calls.create({ id: platform.stack.ids.public_directory }))).toEqual([409, 'id']);
    expect((await calls.create({ id }, other)).status).toBe(200);
    // `labs-en` is the id of a merchant's directory, so no platform-wide directory can have it.
    expect(told(await calls.create({ id: 'labs-en', visibility: 'public' }, admin))).toEqual([409, 'id']);
    expect((await stored('labs-en')).length).toBe(1);
    for (let round = 0; round < 4; round++) {
      const met = newId();
      const replies = await Promise.all([
        calls.create({ id: met, visibility: 'public' }, admin),
        calls.create({ id: met }),
        calls.create({ id: met }),
      ]);
      expect(statusesOf(replies)).toEqual([200, 409, 409]);
      expect((await stored(met)).length).toBe(1);
    }
  });

  it('lets only an admin create a platform-wide directory, with a merchant or without', async () => {
    const { tokens, merchant_service_key: key, sub_merchant_id } = platform.stack;
    const id = newId();
    const asked = { id, visibility: 'public', parent_tag: 'no-such-parent' };
    const inSub = { ...asked, merchant_id: sub_merchant_id };
    for (const [body, token] of [
      [asked, tokens.merchant_owner],
      [asked, tokens.merchant],
      [asked, tokens.operator],
      [inSub, tokens.operator],
      [inMain(asked), key],
    ] as const)
      expect(told(await calls.create(body, { token }))).toEqual([403, 'visibility']);
    expect(await stored(id)).toEqual([]);
    for (const more of [{}, inMain({})]) {
      const shared = newId('public');
      const reply = await calls.create({ id: shared, ...platformWide, ...more }, admin);
      expect([reply.status, reply.body]).toEqual([
        200,
        { id: shared, merchant_id: null, catalogue_url: null },
      ]);
      expect(await calls.read(shared)).toMatchObject({ merchant_id: null, visibility: 'public' });
      expect((await calls.read(shared, {}, other)).merchant_id).toBeNull();
    }
  });

  it('appends the id to parent_tag once, and stores nothing if the parent is unknown, foreign or itself', async () => {
    const child = newId('child');
    const parent = await calls.make({ tags_sub: ['first-one', child], status: 'archived' });
    const reply = await calls.create({ id: child, parent_tag: parent });
    expect(reply.body).toMatchObject({ id: child, parent_tag: parent });
    const second = await calls.make({ parent_tag: parent });
    expect((await calls.read(parent)).tags_sub).toEqual(['first-one', child, second]);
    const id = newId();
    for (const parent_tag of ['no-such-parent', 'labs-en', id]) {
      expect(told(await calls.create({ id, parent_tag }))).toEqual([422, 'parent_tag']);
      expect(await stored(id)).toEqual([]);
    }
    const ids = Array.from({ length: 20 }, () => newId('child'));
    const crowded = await calls.make();
    const replies = await Promise.all(
      ids.map((each) => insist(() => calls.create({ id: each, parent_tag: crowded }))),
    );
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await calls.read(crowded)).tags_sub.toSorted()).toEqual(ids.toSorted());
  });

  it('returns 403 for a platform-wide parent to a merchant and a key, and accepts it from an admin', async () => {
    const parent_tag = await calls.make(platformWide, admin);
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

  it('returns 422 for tags_sub with itself, an ancestor, duplicates or too many entries', async () => {
    const id = newId();
    const many = Array.from({ length: 1_001 }, (_, index) => `id-${index}`);
    const top = await calls.make();
    const middle = await calls.make({ parent_tag: top });
    const waiting = await calls.make({ tags_sub: [id] });
    for (const [fields, name] of [
      [{ tags_sub: ['a', id] }, 'tags_sub[1]'],
      [{ tags_sub: ['a', 'b', 'a'] }, 'tags_sub[2]'],
      [{ tags_sub: many }, 'tags_sub'],
      [{ parent_tag: middle, tags_sub: ['a', top] }, 'tags_sub[1]'],
      [{ tags_sub: [waiting] }, 'tags_sub[0]'],
    ] as const)
      expect(told(await calls.create({ id, ...fields }))).toEqual([422, name]);
    expect((await calls.read(middle)).tags_sub).toEqual([]);
    expect(await stored(id)).toEqual([]);
  });

  it('of a merchant blocks only calls of the same merchant', async () => {
    const id = newId();
    let same: Promise<Reply> | undefined;
    /** Runs `meanwhile` while a transaction holds the lock that a change of the merchant's catalogue needs. */
    const whileWriting = (write: CatalogueWrite, meanwhile: (writer: Client) => Promise<void>) =>
      withAdminConnection(platform.database.adminUrl, async (writer) => {
        await writer.query('begin');
        await writer.query(`select set_config('app.merchant_id', $1, true)`, [platform.stack.merchant_id]);
        await writer.query(toStatement(lockCatalogue(write)));
        await meanwhile(writer);
        await writer.query('commit');
      });
    await whileWriting({ isPlatforms: false, isMerchants: true, newId: id }, async () => {
      expect((await calls.create({ id, tags_sub: ['a'] }, other)).status).toBe(200);
      const shared = await calls.make({ visibility: 'public', tags_sub: ['a'] }, admin);
      expect((await calls.update(shared, { tags_sub: [id] }, admin)).status).toBe(200);
      same = insist(() => calls.create({}));
      await waitFor('the call to wait', async () => {
        const waiting = await platform.database.rows(
          `select from pg_stat_activity
           where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
        );
        return waiting.length === 1;
      });
    });
    expect((await same)?.status).toBe(200);
  });
});

describe('catalogue-tag-update', () => {
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
    const now = { ...all, description: 'Same' };
    const before = await calls.read(id);
    expect(before).toMatchObject({ ...now, tags_sub: [] });
    // Equal values change nothing, not even updated_at.
    expect((await calls.update(id, { ...now, tags_sub: [] })).body['updated_fields']).toEqual([]);
    expect(await calls.read(id)).toEqual(before);
    // A new order of `tags_sub` is a change, because a page shows its directories in this order.
    for (const tags_sub of [all.tags_sub, all.tags_sub.toReversed()]) {
      expect((await calls.update(id, { tags_sub })).body['updated_fields']).toEqual(['tags_sub']);
      expect((await calls.read(id)).tags_sub).toEqual(tags_sub);
    }
  }); // prettier-ignore

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

  it('lets only an admin change a platform-wide directory, and nobody make one of a merchant’s or the reverse', async () => {
    const id = await calls.make();
    const shared = await calls.make(platformWide, admin);
    const toPublic = { visibility: 'public' };
    const key = { token: platform.stack.service_key };
    for (const [directory, fields, options, expected] of [
      [shared, { name: 'Mine' }, {}, [403, 'id']],
      [shared, inMain({ name: 'Mine' }), key, [403, 'id']],
      [id, toPublic, {}, [403, 'visibility']],
      [id, inMain(toPublic), admin, [422, 'visibility']],
      [shared, inMain({ visibility: 'merchant_public' }), admin, [422, 'visibility']],
    ] as const)
      expect(told(await calls.update(directory, fields, options))).toEqual(expected);
    expect((await calls.read(id)).visibility).toBe('merchant_public');
    expect((await calls.update(shared, { ...toPublic, name: 'Ours' }, admin)).body['updated_fields']).toEqual(
      ['name'],
    );
    expect((await calls.update(shared, inMain({ status: 'archived' }), admin)).status).toBe(200);
    expect(told(await calls.get(shared))).toEqual([404, 'id']);
  });

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
    // Of two calls that make two directories each other's child, one succeeds.
    for (let round = 0; round < 3; round++) {
      const [a, b] = [await calls.make(), await calls.make()];
      const replies = await Promise.all([
        calls.update(a, { tags_sub: [b] }),
        calls.update(b, { tags_sub: [a] }),
      ]);
      expect(statusesOf(replies)).toEqual([200, 422]);
      expect(replies.find(({ status }) => status === 422)?.body.name).toBe('tags_sub[0]');
    }
  });

  it('returns 422 for directories that list too many others, which can still be reordered', async () => {
    // Each of these 210 directories lists all directories that follow it, which is 21,945 entries.
    const start = newId();
    await platform.database.rows(
      `insert into catalogue_directory (merchant_id, id, name, tags_sub)
       select $1, $2 || n, 'Any', array(select $2 || f from generate_series(n + 1, 210) f) from generate_series(1, 210) n`,
      [platform.stack.merchant_id, `${start}-`],
    );
    const top = `${start}-1`;
    const id = newId();
    for (const reply of [
      await calls.create({ id, tags_sub: ['a', top] }),
      await calls.update(await calls.make(), { tags_sub: [top] }),
    ])
      expect(reply).toMatchObject({
        status: 422,
        body: {
          name: 'tags_sub',
          error:
            'The directories in tags_sub and all directories below them list more than 20000 entries in total. Send fewer directories in tags_sub.',
        },
      });
    expect(await stored(id)).toEqual([]);
    const { tags_sub } = await calls.read(top);
    expect((await calls.update(top, { tags_sub: tags_sub.toReversed() })).status).toBe(200);
    expect((await calls.update(`${start}-2`, { tags_sub: [] })).status).toBe(200);
  });
});
