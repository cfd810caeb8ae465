import { listInterviews } from '../../../db/interviews/interview-list';
import type { InterviewFilter } from '../../../db/interviews/interview-list';
import type { Transaction } from '../../../db/platform/database';
import { pagesRead } from '../platform/plan-cost';
import { createWorld } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests how many pages job-interview-list reads. A merchant has 40,000 interviews and 5,000 results of one of them. Reading
 * all entries of the smallest index that has them takes more than 400 pages.
 */

const size = 40_000;
/** The maximum number of pages, most of which planning reads in a new session. */
const few = 350;
let world: World;
let cell: Cell;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const { merchantId, environment, taken } = cell;
  await rows('set session_replication_role = replica');
  const columns = await rows<{ name: string }>(
    `select string_agg(attname, ', ') as name from pg_attribute
     where attrelid = 'interview'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const names = columns[0]?.name ?? '';
  await rows(
    `insert into interview (${names})
     select ${names
       .replace(/\bid\b/, 'uuidv7()')
       .replace(/\bname\b/, `'Engineer ' || n`)
       .replace(/\bstatus\b/, `case when n % 4000 = 0 then 'completed' else 'active' end`)
       .replace(/\btype\b/, `case when n % 4000 = 1 then 'assessment' else 'interview' end`)
       .replace(/\btags\b/, `array['all', 'group ' || n / 100]`)
       .replace(/\bcreated_at\b/, `now() - n * interval '1 minute'`)}
     from interview, generate_series(1, ${size}) n where id = $1`,
    [taken.interview],
  );
  await rows(
    `insert into interview_result (merchant_id, environment, interview_id)
     select $1, $2, (select id from interview where name = 'Engineer 1') from generate_series(1, 5000)`,
    [merchantId, environment],
  );
  await rows('set session_replication_role = origin');
  await rows('vacuum analyze');
});

const asUser = (work: (trx: Transaction) => Promise<never>) => world.api.write(cell.user, work);
const page = { limit: 5, offset: 0, counted: 100 };

describe('job-interview-list of 40,000 interviews', () => {
  it.each<[string, () => Partial<InterviewFilter>]>([
    ['no filter', () => ({})],
    ['a frequent status', () => ({ status: 'active' })],
    ['a rare status', () => ({ status: 'completed' })],
    ['a rare type', () => ({ type: 'assessment' })],
    ['interviews only', () => ({ is_multistage: false })],
    ['positions only', () => ({ is_multistage: true })],
    ['a frequent tag', () => ({ tag: 'all' })],
    ['a rare tag', () => ({ tag: 'group 77' })],
    ['a position', () => ({ position_id: cell.taken.position })],
    ['a frequent text', () => ({ filter_text: 'ENGINEER' })],
    ['a rare text', () => ({ filter_text: 'neer 2777' })],
    ['a text that nothing contains', () => ({ filter_text: 'plumber' })],
  ])('reads few pages for %s', async (_, filter) => {
    expect(await pagesRead(asUser, listInterviews({ ...page, ...filter() }))).toBeLessThan(few);
  });

  it('counts matches up to the cap, and knows whether there are more', async () => {
    const facts = async (more: Partial<InterviewFilter>) => {
      const [row] = await world.api.read(cell.user, (trx) => trx.rows(listInterviews({ ...page, ...more })));
      return [row?.total, row?.has_more];
    };
    expect(await facts({ tag: 'all' })).toEqual([100, true]);
    expect(await facts({ tag: 'all', offset: size - 6 })).toEqual([100, true]);
    expect(await facts({ tag: 'all', offset: size - 5 })).toEqual([100, false]);
    expect(await facts({ tag: 'group 77', offset: 95 })).toEqual([100, false]);
    expect(await facts({ filter_text: 'neer 2777' })).toEqual([11, true]);
    expect(await facts({ filter_text: 'plumber' })).toEqual([0, false]);
  });
});
