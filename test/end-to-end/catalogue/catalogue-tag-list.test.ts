import { maxListBytes } from '../../../db/catalogue/catalogue-list';
import { templateTypes } from '../../../db/platform/vocabulary';
import { catalogueCalls, told } from '../../harness/catalogue/catalogue-calls';
import { eachRow } from '../../harness/each-row';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

describe('templates', () => {
  type Template = { id: string; type: string; usable: boolean };
  const list = async (query: Record<string, string> = {}) => {
    const { body, status } = await platform.call('interview-template-list', { query });
    expect(status).toBe(200);
    return body as unknown as { data: Template[]; pagination: Record<string, unknown> };
  };

  describe('interview-template-list', () => {
    it('returns one template of every type without paging, the two oldest as not usable', async () => {
      const { data, pagination } = await list();
      expect(pagination).toEqual({ total: 6, limit: 50, offset: 0, has_more: false });
      expect(data.map(({ type }) => type)).toEqual([...templateTypes].sort());
      expect(data.filter(({ usable }) => !usable).map(({ type }) => type)).toEqual([
        'offline_avatar_1',
        'offline_avatar_2',
      ]);
      expect(Object.fromEntries(data.map(({ type, id }) => [type, id]))).toEqual(platform.stack.template_ids);
      for (const template of data)
        expect(template).toEqual({
          id: expect.any(String),
          name: expect.any(String),
          type: template.type,
          platform_language_code: null,
          status: 'active',
          usable: template.usable,
        });
    });
  });
});

describe('lists', () => {
  let calls: ReturnType<typeof catalogueCalls>;
  let admin: { token: string };
  let other: { token: string };
  const seeded = [
  'academy', 'academy-de', 'difficult-en', 'executive-en', 'feedback-en', 'fuehrung-de', 'leadership-en', 'negotiation-en',
  'new-lead-en', 'onboarding-2024-en', 'sales-en', 'service-en', 'warehouse-pilot-en',
]; // prettier-ignore
  const seededPublic = ['coaching-basics-en', 'coaching-privacy-en'];
  beforeAll(async () => {
    calls = catalogueCalls(platform);
    admin = { token: platform.stack.tokens.admin };
    other = { token: platform.stack.tokens.other_merchant_owner };
  });
  // Deletes the directories that earlier tests created.
  beforeEach(async () => {
    await platform.database.rows('delete from catalogue_directory where not (id = any ($1))', [
      [...seeded, ...seededPublic, 'labs-en'],
    ]);
  });

  const ids = async (query: Record<string, string> = {}, options = {}) =>
    (await calls.list(query, options)).data.map(({ id }) => id);

  describe('catalogue-tag-list', () => {
    it('returns the merchant’s directories in every status and the active platform-wide ones, by id', async () => {
      await calls.make({ id: 'zz-public-draft', visibility: 'public' }, admin);
      await calls.make({ id: 'zz-public-old', visibility: 'public', status: 'archived' }, admin);
      await calls.make({ id: 'zz-theirs', status: 'active' }, other);
      const { data, pagination } = await calls.list();
      expect(data.map(({ id }) => id)).toEqual([...seeded, ...seededPublic].toSorted());
      expect(pagination).toEqual({ total: data.length, limit: 50, offset: 0, has_more: false });
    });

    it('returns every field of a directory except its page', async () => {
      const [academy] = (await calls.list()).data;
      expect(academy).toEqual({
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
        tags_sub: [
          'leadership-en',
          'feedback-en',
          'negotiation-en',
          'service-en',
          'academy-de',
          'coaching-basics-en',
        ],
        tags_interview_set_filter: ['feedback'],
        created_at: expect.stringMatching(/\.\d{3}Z$/),
        updated_at: expect.stringMatching(/\.\d{3}Z$/),
      });
    });

    it("returns exactly the directories that match the filters and their number", () => eachRow<[Record<string, string>, string[]]>([
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
    expect(page.pagination).toEqual({ total: 4, limit: 2, offset: 1, has_more: true });
    await calls.update(parent_tag, { tags_sub: names.toReversed() });
    expect(await ids({ parent_tag })).toEqual(names.toReversed());
  }); // prettier-ignore

    it('returns platform-wide directories to an admin without a merchant, and all with a merchant', async () => {
    await calls.make({ id: 'zz-public-draft', visibility: 'public' }, admin);
    const whole = [...seededPublic, 'zz-public-draft'];
    expect(await ids({ visibility: 'public' }, admin)).toEqual(whole);
    for (const query of [{}, { visibility: 'merchant_public' }, { include_public: 'true' }] as Record<string, string>[])
      expect(told(await calls.tryList(query, admin))).toEqual([422, 'merchant_id']);
    const { merchant_id } = platform.stack;
    expect(await ids({ merchant_id }, admin)).toEqual([...seeded, ...whole].toSorted());
  }); // prettier-ignore

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
        const reply = await platform.call('catalogue-tag-list', {
          query: { filter_text: 'long', limit: '1000', offset: String(offset) },
        });
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
      const [first] = (await calls.list({ filter_text: 'long', limit: '1' })).data;
      expect(first?.id).toBe('long-01');
    });
  });
});
