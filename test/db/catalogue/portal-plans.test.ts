import {
  findPortal,
  findPortalDirectory,
  findPortalSession,
  findSessionsByTerms,
  listCompletedSessions,
  listDirectoryCards,
  listPlanStages,
  listSessionsById,
  listSessionsByTags,
  readDirectoryContent,
} from '../../../db/catalogue/portal-catalogue';
import { toStatement } from '../../../db/platform/database';
import type { Caller } from '../../../db/platform/database';
import type { Query, Statement } from '../../../db/platform/statement';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests the queries of the catalogue's pages. The merchant has 20,000 directories and 20,300 interviews, of which 300
 * are in the catalogue. Another merchant has 20,000 directories and interviews that would match too, and 5,000
 * merchants have a directory `common`.
 */

const size = 20_000;
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
  await rows(
    `insert into catalogue_directory (merchant_id, id, name, status, coach_plan, tags_interview_set_filter)
     select $1::uuid, 'directory-' || n, 'Any', 'active', case when n % 1000 = 0 then 'demo' end, '{t}'::text[] from generate_series(1, ${size}) n
     union all
     select $2::uuid, 'directory-' || n, 'Any', 'active', 'demo', '{t}'::text[] from generate_series(1, ${size}) n`,
    [merchantId, other.merchantId],
  );
  await rows(
    `insert into catalogue_directory (merchant_id, id, name, status, tags_sub)
     select id, 'common', 'Any', 'active', array(select 'directory-' || n from generate_series(1, 200) n)
     from (select $1::uuid union all select gen_random_uuid() from generate_series(1, 5000)) merchant (id)`,
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
    const enrolment = rowOf('enrolment', cell, taken);
    await rows(...asCall(insertOf('enrolment', { ...enrolment, interview_id, email_key: email?.email_key })));
    await rows(
      ...asCall(
        insertOf('interview_result', {
          ...rowOf('interview_result', cell, taken),
          id: uuid(),
          interview_id,
          enrolment_id: enrolment['id'],
          interview_status: 'completed',
          is_test: false,
        }),
      ),
    );
  }
  await rows('set session_replication_role = default');
  const [common] = await rows<{ row_id: string; tags_sub: string[] }>(
    `select row_id, tags_sub from catalogue_directory where merchant_id = $1 and id = 'common'`,
    [merchantId],
  );
  rowId = common?.row_id ?? '';
  nested = common?.tags_sub ?? [];
  for (const table of ['interview', 'catalogue_directory', 'enrolment', 'interview_result'])
    await rows(`vacuum analyze ${table}`);
});

const asCall = ({ text, values = [] }: Statement): [string, unknown[]] => [text, values];

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

describe('a catalogue page with 20,000 interviews and directories', () => {
  it.each([
    ['the portal', () => findPortal, 1, 5],
    ['a directory whose id thousands of merchants use', () => findPortalDirectory('common'), 1, 30],
    ['the Markdown of a directory', () => readDirectoryContent(rowId), 1, 10],
    ['200 cards of directories', () => listDirectoryCards(nested), 200, 800],
    ['sessions by tags', () => listSessionsByTags(['t', 'u'], 501), 200, 300],
    ['sessions by a tag that none of them has', () => listSessionsByTags(['none'], 501), 0, 300],
    ['sessions by their ids', () => listSessionsById(someIds), takenSessions, 300],
    ['sessions by terms', () => findSessionsByTerms(['session 12', 'none', 'words'], [3, 501, 501]), 303, 500],
    ['the sessions that the learner completed', () => listCompletedSessions, takenSessions, 800],
    ['the stages of the coaching plan', () => listPlanStages, 20, 1_200],
    ['a session', () => findPortalSession(someIds[0] ?? ''), 1, 800],
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
