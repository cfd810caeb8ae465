import {
  appendToParent,
  findDirectoryOwner,
  insertDirectory,
  leadsToDirectory,
  lockDirectory,
} from '../../../db/catalogue/catalogue';
import type { DirectoryColumns } from '../../../db/catalogue/catalogue';
import { listDirectories, readDirectory } from '../../../db/catalogue/catalogue-list';
import type { Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import { expensiveScans, expensiveTablesInside } from '../platform/plan-cost';
import { createWorld } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests how many rows the catalogue's operations read when a merchant has 20,000 directories and 20,000 interviews. 400
 * of the interviews are sessions, and half of the sessions have the tag that is searched.
 */

const size = 20_000;
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
       jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'name', 'Session ' || n,
       'type', case when n % 50 = 0 then 'coaching' else 'interview' end, 'status', 'active',
       'visibility', 'merchant_public', 'tags', jsonb_build_array('more', case when n % 100 = 0 then 'tag' else 'gat' end))) copy
     where i.id = $1`,
    [taken.interview, size],
  );
  await rows('set session_replication_role = origin');
  await rows('vacuum analyze');
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
const page = { include_public: true, limit: 1_000, offset: 0 };
/** The expected scan: it reads the entries of the whole index and no rows of the table. */
const pass = { table: 'catalogue_directory', by: 'Index Only Scan', rows: 0, index };

describe('catalogue-tag-list of 20,000 directories', () => {
  it('counts the total in the index and reads only the rows of a page of 1,000', async () => {
    expect(await manyOf(listDirectories(page), 1_000)).toEqual([pass]);
    expect(await manyOf(listDirectories({ ...page, limit: 50 }))).toEqual([pass]);
  });

  it('finds a distant page and the rows of a selective filter with the index alone', async () => {
    expect(await manyOf(listDirectories({ ...page, offset: 19_000 }), 1_000)).toEqual([pass, pass]);
    expect(await manyOf(listDirectories({ ...page, status: 'archived' }), 1_000)).toEqual([pass, pass]);
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
  it('reads no interviews other than sessions to find 200 sessions among 20,000 interviews', async () => {
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
    const search = (ids: string[], id: string) => leadsToDirectory(ids, cell.merchantId, id, 20_000);
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
    const search = leadsToDirectory(['everywhere'], cell.merchantId, 'all-of-them', 20_000);
    expect(await expensiveTablesInside(asUser, search)).toEqual([]);
    expect(await rowsOf(search)).toEqual([{ leads: false }]);
    expect(await expensiveTablesInside(asUser, insertDirectory('everywhere', bare))).toEqual([]);
  });

  it('stops a search for a cycle when the visited directories list too many others', async () => {
    const { merchantId } = cell;
    await world.database.rows(
      `insert into catalogue_directory (merchant_id, id, name, tags_sub)
       select $1, repeat('long', 40) || n, 'Any', array(select repeat('long', 40) || f from generate_series(n + 1, 500) f)
       from generate_series(1, 500) n`,
      [merchantId],
    );
    const search = (maxEntries: number) =>
      leadsToDirectory([`${'long'.repeat(40)}1`], merchantId, 'directory-1', maxEntries);
    const leads = (maxEntries: number) => rowsOf<{ leads: boolean | null }>(search(maxEntries));
    expect([await leads(20_000), await leads(124_749)]).toEqual([[{ leads: null }], [{ leads: null }]]);
    expect(await leads(124_750)).toEqual([{ leads: false }]);
    // The search stops after 20,000 of the 124,750 entries, so it visits only the first 42 directories. It may read
    // each of them twice: when it finds the directory and when it visits it.
    expect(await expensiveTablesInside(asUser, search(20_000), 200)).toEqual([]);
  });
});
