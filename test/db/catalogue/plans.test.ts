import {
  appendToParent,
  findDirectoryOwner,
  insertDirectory,
  wouldFormCycle,
  lockDirectory,
} from '../../../db/catalogue/catalogue';
import type { DirectoryColumns } from '../../../db/catalogue/catalogue';
import { listDirectories, readDirectory } from '../../../db/catalogue/catalogue-list';
import { listJobs } from '../../../db/catalogue/jobs';
import {
  findPortal,
  findDirectoryForVisitor,
  findPortalSession,
  findSessionsByTerms,
  listCompletedSessions,
  listDirectoryCards,
  listPlanStages,
  listPublicSessions,
  listSessionsById,
  listSessionsByTags,
  readDirectoryContent,
} from '../../../db/catalogue/portal-catalogue';
import { toStatement } from '../../../db/platform/database';
import type { Caller, Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import { expensiveScans, expensiveTablesInside, vacuum } from '../platform/plan-cost';
import { createWorld, putRow, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

describe('catalogue plans', () => {
  /*
   * Tests how many rows the catalogue's operations read when a merchant has 10,000 directories and 10,000 interviews. 400
   * of the interviews are sessions, and half of the sessions have the tag that is searched.
   */

  const size = 10_000;
  const index = 'catalogue_directory_merchant_id_id_key';
  let world: World;
  let cell: Cell;
  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
    const { rows } = world.database;
    const { merchantId, taken } = cell;
    // Triggers and foreign keys are off while the rows are inserted, to save time. Other tests check them.
    await rows('set statement_timeout = 0; set session_replication_role = replica');
    await rows(
      `insert into catalogue_directory (merchant_id, id, name, description, tags_sub, tags_interview_set_filter, content_md)
     select $1, 'directory-' || n, 'Directory ' || n, 'What it is about: ' || n,
       case when n = 1 then array(select 'directory-' || s from generate_series(2, 1000) s) else '{}' end,
       case when n = 2 then array['tag'] else '{}' end, case when n % 10 = 0 then repeat('A page. ', 500) end
     from generate_series(1, $2::int) n`,
      [merchantId, size],
    );
    await rows(
      `insert into interview select copy.*
     from interview i, generate_series(1, $2::int) n,
       jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'slug', null, 'name', 'Session ' || n,
       'type', case when n % 25 = 0 then 'coaching' else 'interview' end, 'status', 'active',
       'visibility', 'merchant_public', 'tags', jsonb_build_array('more', case when n % 50 = 0 then 'tag' else 'gat' end))) copy
     where i.id = $1`,
      [taken.interview, size],
    );
    await rows('set session_replication_role = origin');
    await vacuum(
      rows,
      'interview',
      'catalogue_directory',
      'merchant',
      'merchant_access',
      'profile',
      'session',
    );
  });

  const asUser = (work: (trx: Transaction) => Promise<never>) => world.api.write(cell.user, work);
  /** Runs the query as a write, because writes have a longer time limit than reads. */
  const rowsOf = <Row>(query: Query<Row>) => world.api.write(cell.user, (trx) => trx.rows(query));
  const manyOf = async (query: Query, most?: number) =>
    (await expensiveScans(asUser, query, most)).map((scan) => ({
      table: scan['Relation Name'],
      by: scan['Node Type'],
      rows: scan['Heap Fetches'],
      index: scan['Index Name'],
    }));
  const page = { include_public: true, limit: 1_000, offset: 0, place: null };
  /** The expected scan: it reads the entries of the whole index and no rows of the table. */
  const pass = { table: 'catalogue_directory', by: 'Index Only Scan', rows: 0, index };

  describe('catalogue-tag-list of 10,000 directories', () => {
    it('counts the total in the index and reads only the rows of a page of 1,000', async () => {
      expect(await manyOf(listDirectories(page), 1_000)).toEqual([pass]);
      expect(await manyOf(listDirectories({ ...page, limit: 50 }))).toEqual([pass]);
    });

    it('finds a distant page and the rows of a selective filter with the index alone', async () => {
      expect(await manyOf(listDirectories({ ...page, offset: 9_000 }), 1_000)).toEqual([pass, pass]);
      expect(await manyOf(listDirectories({ ...page, status: 'archived' }), 1_000)).toEqual([pass, pass]);
    });

    it('reads only the entries after a cursor', async () => {
      expect(await manyOf(listDirectories({ ...page, place: '["directory-99"]' }), 1_000)).toEqual([]);
    });

    it('reads each row once for a text filter', async () => {
      const many = await manyOf(listDirectories({ ...page, limit: 50, filter_text: 'about: 77' }));
      expect(many.map(({ table }) => table)).toEqual(['catalogue_directory']);
    });

    it('reads only the directories that a parent lists, which are 999', async () => {
      expect(await manyOf(listDirectories({ ...page, parent_tag: 'directory-1' }), 1_000)).toEqual([]);
    });
  });

  describe('catalogue-tag-get', () => {
    it('reads no interviews other than sessions to find 200 sessions among 10,000 interviews', async () => {
      const statement = readDirectory('directory-2', 200);
      expect(await manyOf(statement, 410)).toEqual([]);
      const [row] = await rowsOf<{ matched_sessions: unknown[] }>(statement);
      expect(row?.matched_sessions.length).toBe(200);
    });

    it('reads only the 999 directories of the parent', async () => {
      expect(await manyOf(readDirectory('directory-1', 200), 1_000)).toEqual([]);
    });
  });

  const bare: DirectoryColumns = {
    name: 'Any',
    description: null,
    platform_language_code: 'en',
    visibility: 'merchant_public',
    status: 'draft',
    cover_image_url: null,
    coach_plan: null,
    tags_sub: [],
    tags_interview_set_filter: [],
    content_md: null,
  };

  describe('writing to the catalogue', () => {
    it('reads few rows', async () => {
      for (const statement of [
        findDirectoryOwner('directory-3'),
        lockDirectory('directory-3'),
        appendToParent('directory-3', 'directory-4', 1_000),
        insertDirectory('another', bare),
      ]) {
        expect(await manyOf(statement)).toEqual([]);
        expect(await expensiveTablesInside(asUser, statement)).toEqual([]);
      }
    });

    it('reads only reachable rows in a search for a cycle', async () => {
      const search = (ids: string[], id: string) => wouldFormCycle(ids, cell.merchantId, id, 20_000);
      expect(await expensiveTablesInside(asUser, search(['directory-3'], 'directory-1'))).toEqual([]);
      const whole = search(['directory-1'], 'directory-5000');
      expect(await expensiveTablesInside(asUser, whole, 2_000)).toEqual([]);
      expect(await expensiveTablesInside(asUser, whole)).toEqual(['catalogue_directory']);
    });

    it('reads only rows of the merchant for an id that 5,000 merchants use', async () => {
      await world.database.rows('set session_replication_role = replica');
      await world.database.rows(
        `insert into catalogue_directory (merchant_id, id, name, tags_sub)
       select uuidv7(), 'everywhere', 'Any', '{all-of-them}' from generate_series(1, 5000)`,
      );
      await world.database.rows('set session_replication_role = origin');
      await world.database.rows('analyze catalogue_directory');
      const search = wouldFormCycle(['everywhere'], cell.merchantId, 'all-of-them', 20_000);
      expect(await expensiveTablesInside(asUser, search)).toEqual([]);
      expect(await rowsOf(search)).toEqual([{ leads: false }]);
      expect(await expensiveTablesInside(asUser, insertDirectory('everywhere', bare))).toEqual([]);
    });

    it('stops a search for a cycle when the visited directories list too many others', async () => {
      const { merchantId } = cell;
      await world.database.rows(
        `insert into catalogue_directory (merchant_id, id, name, tags_sub)
       select $1, 'deep-' || n, 'Any', array(select 'deep-' || f from generate_series(n + 1, 100) f)
       from generate_series(1, 100) n`,
        [merchantId],
      );
      const search = (maxEntries: number) =>
        wouldFormCycle(['deep-1'], merchantId, 'directory-1', maxEntries);
      const leads = (maxEntries: number) => rowsOf<{ leads: boolean | null }>(search(maxEntries));
      expect([await leads(800), await leads(4_949)]).toEqual([[{ leads: null }], [{ leads: null }]]);
      expect(await leads(4_950)).toEqual([{ leads: false }]);
      // The search stops after 800 of the 4,950 entries, so it visits only the first nine directories. It may read
      // each of them twice: when it finds the directory and when it visits it.
      expect(await expensiveTablesInside(asUser, search(800), 20)).toEqual([]);
    });
  });
});

describe('portal plans', () => {
  /*
   * Tests the queries of the catalogue's pages. The merchant has 10,000 directories and 10,300 interviews, of which 300
   * are in the catalogue. Another merchant has 10,000 directories and interviews that would match too, and 5,000
   * merchants have a directory `common`.
   */

  const size = 10_000;
  const inCatalogue = 300;
  const takenSessions = 100;

  let world: World;
  let cell: Cell;
  let visit: Caller;
  let someIds: string[];
  let nested: string[];
  let rowId: string;
  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
    const { rows } = world.database;
    const { merchantId, taken, profileId } = cell;
    const other = world.cells[2];
    visit = { kind: 'portal_visit', domain: null, merchantId, profileId };
    // Triggers and foreign keys are off while the rows are inserted, to save time. Other tests check them.
    await rows('set session_replication_role = replica');
    const columns = await rows<{ name: string }>(
      `select attname::text as name from pg_attribute
     where attrelid = 'interview'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const names = columns.map(({ name }) => name);
    /**
     * Inserts `count` copies of an interview. `anew` has the SQL of the new value for each column whose value is not
     * copied.
     */
    const multiply = async (from: string, count: number, anew: Record<string, string>) => {
      const values: Record<string, string> = {
        id: 'uuidv7()',
        slug: 'null',
        description: `repeat('Some words. ', 40)`,
        visibility: `'merchant_public'`,
        status: `'active'`,
        built_at: 'now()',
        ...anew,
      };
      await rows(
        `insert into interview (${names.join(', ')})
       select ${names.map((name) => values[name] ?? `i.${name}`).join(', ')}
       from interview i, generate_series(1, ${count}) n where i.id = $1`,
        [from],
      );
    };
    const session = {
      type: `'coaching'`,
      name: `'Session ' || n`,
      tags: `case when n % 3 = 0 then array['u'] else array['t', 'u'] end`,
    };
    await multiply(taken.interview, size, { type: `'interview'`, tags: `array['t']` });
    await multiply(taken.interview, inCatalogue, session);
    await multiply(other.taken.interview, size, session);
    await multiply(other.taken.interview, 100, { ...session, visibility: `'public'` });
    await rows(`update merchant set portal_domain = 'other.example' where id = $1`, [other.merchantId]);
    await rows(
      `insert into catalogue_directory (merchant_id, id, name, status, coach_plan, tags_interview_set_filter)
     select $1::uuid, 'directory-' || n, 'Any', 'active', case when n % 500 = 0 then 'demo' end, '{t}'::text[] from generate_series(1, ${size}) n
     union all
     select $2::uuid, 'directory-' || n, 'Any', 'active', 'demo', '{t}'::text[] from generate_series(1, ${size}) n`,
      [merchantId, other.merchantId],
    );
    await rows(
      `insert into catalogue_directory (merchant_id, id, name, status, tags_sub)
     select id, 'common', 'Any', 'active', tags
     from (
       select $1::uuid, array(select 'directory-' || n from generate_series(1, 200) n)
       union all select gen_random_uuid(), '{}' from generate_series(1, 5000)
     ) merchant (id, tags)`,
      [merchantId],
    );
    const email = (
      await rows<{ email_key: string }>(
        'update profile set activated_at = now() where id = $1 returning email_key',
        [profileId],
      )
    )[0];
    const catalogue = await rows<{ id: string }>(
      `select id from interview where merchant_id = $1 and type = 'coaching' and environment = 'production' limit $2`,
      [merchantId, takenSessions],
    );
    someIds = catalogue.map(({ id }) => id);
    for (const interview_id of someIds) {
      const enrolment_id = uuid();
      await putRow(world.database, 'enrolment', cell, {
        id: enrolment_id,
        interview_id,
        email_key: email?.email_key,
      });
      await putRow(world.database, 'interview_result', cell, {
        interview_id,
        enrolment_id,
        interview_status: 'completed',
        is_test: false,
      });
    }
    await rows('set session_replication_role = default');
    const [common] = await rows<{ row_id: string; tags_sub: string[] }>(
      `select row_id, tags_sub from catalogue_directory where merchant_id = $1 and id = 'common'`,
      [merchantId],
    );
    rowId = common?.row_id ?? '';
    nested = common?.tags_sub ?? [];
    await vacuum(rows, 'interview', 'catalogue_directory', 'enrolment', 'interview_result');
  });

  type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number };
  /** Returns how many pages of 8 KiB and how many rows a visitor's statement reads, and its plan. */
  async function cost(query: Query): Promise<{ pages: number; rows: number; text: string }> {
    const { text, values } = toStatement(query);
    // The statement runs as a write, because writes have a longer time limit than reads.
    const explained = () =>
      world.api.write(visit, (trx) =>
        trx.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
          text: `explain (analyze, buffers, format json) ${text}`,
          values: values ?? [],
        }),
      );
    // The first run is not counted, because the first statement of a connection also reads system catalogs.
    await explained();
    const [row] = await explained();
    const plan = row?.['QUERY PLAN'][0].Plan;
    if (!plan) throw new Error('there is no plan');
    return {
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: plan['Actual Rows'],
      text: JSON.stringify(plan),
    };
  }

  describe('a catalogue page with 10,000 interviews and directories', () => {
    it.each([
    ['the portal', () => findPortal, 1, 20],
    ['a directory whose id thousands of merchants use', () => findDirectoryForVisitor('common'), 1, 30],
    ['the Markdown of a directory', () => readDirectoryContent(rowId), 1, 10],
    ['200 cards of directories', () => listDirectoryCards(nested), 200, 800],
    ['sessions by tags', () => listSessionsByTags(['t', 'u'], 501), 200, 300],
    ['sessions by a tag that none of them has', () => listSessionsByTags(['none'], 501), 0, 300],
    ['sessions by their ids', () => listSessionsById(someIds), takenSessions, 300],
    ['sessions by terms', () => findSessionsByTerms(['session 12', 'none', 'words'], [3, 501, 501]), 303, 1_000],
    ['the sessions that the learner completed', () => listCompletedSessions, takenSessions, 800],
    ['the stages of the coaching plan', () => listPlanStages, 20, 1_200],
    ['a session', () => findPortalSession(someIds[0] ?? ''), 1, 800],
    ['a page of jobs', () => listJobs(25, 0), 25, 1_000],
    ['a page of the sessions of all merchants', () => listPublicSessions(25, 0), 25, 300],
  ])('reads few pages for %s', async (_what, query, rows, maxPages) => {
    const actual = await cost(query());
    expect(actual.rows).toBe(rows);
    expect(actual.pages).toBeLessThanOrEqual(maxPages);
  }); // prettier-ignore

    it('reads sessions by tag with the index of the catalogue', async () => {
      expect((await cost(listSessionsByTags(['t'], 501))).text).toContain(
        'interview__merchant_id_environment_name_id',
      );
    });
  });
});
