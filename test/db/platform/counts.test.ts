import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { readMerchantStatus } from '../../../db/account/merchant-status';
import type { MerchantStatusRow } from '../../../db/account/merchant-status';
import { deleteOldAccountCounts, mergeAccountCounts } from '../../../db/platform/counts';
import { openPool } from '../../../db/platform/pool';
import type { Statement } from '../../../db/platform/statement';
import { insertEnrolments, step, write } from './random-writes';
import { createWorld } from './world';
import type { Cell, World } from './world';

/*
 * Tests that the stored counts equal the counted rows, also with concurrent writers (docs/account.md#account-status).
 */

let world: World;
let admin: Pool;
beforeAll(async () => {
  world = await createWorld();
  const url = world.database.adminUrl;
  admin = openPool({ url, size: 4, applicationName: 'writer', onIdleError: () => undefined });
  await world.database.rows('update merchant set time_zone = $1', [atNoon()]);
});
afterAll(async () => {
  await admin.end();
});

type Counts = Pick<MerchantStatusRow, 'definitions_active' | 'candidates_history' | 'results_history'> &
  Required<MerchantStatusRow['counts']>;

/** Counts the rows of the tables themselves and does not read the stored counts. */
const countPlainly: Statement<Counts> = {
  text: `
    with zone as (select time_zone as name from merchant),
      live as (
        select id from interview where status not in ('archived', 'deleted')
        union all select id from position where status not in ('archived', 'deleted')
      ),
      result as (select * from interview_result where not is_test and interview_id in (select id from live))
    select
      (select count(*) from interview where status = 'active') + (select count(*) from position where status = 'active')
        as definitions_active,
      (select count(*) from enrolment where scope_id in (select id from live)) as candidates,
      (select count(*) from result) as results,
      (select count(*) from result where status = 'active' and processing_status = 'completed'
        and interview_status like 'completed%' and recruiter_go_next_round is null) as undecided,
      (select count(*) from result where interview_status = 'started') as ongoing,
      array(
        select (select count(*)::int from enrolment
          where (created_at at time zone zone.name)::date = (now() at time zone zone.name)::date - day)
        from zone, generate_series(0, 13) as day order by day
      ) as candidates_history,
      array(
        select (select count(*)::int from interview_result where not is_test
          and (created_at at time zone zone.name)::date = (now() at time zone zone.name)::date - day)
        from zone, generate_series(0, 13) as day order by day
      ) as results_history`,
};

/** Returns a time zone in which it is about noon, so that the day does not change between counting and reading. */
const atNoon = () => `<Z>${new Date().getUTCHours() - 12}`;

/**
 * Reads the stored counts and counts the rows in one transaction. The transaction is a write, because writes have a
 * longer time limit than reads.
 */
const readBoth = (cell: Cell): Promise<{ read: Counts; counted: Counts }> =>
  world.api.write(cell.service, async (trx) => {
    const [status] = await trx.rows<MerchantStatusRow>(readMerchantStatus);
    const [counted] = await trx.rows<Counts>(countPlainly);
    if (!status || !counted) throw new Error('the merchant has no account');
    const { definitions_active, candidates_history, results_history, counts } = status;
    const zeros = { candidates: 0, results: 0, undecided: 0, ongoing: 0 };
    return {
      read: { definitions_active, candidates_history, results_history, ...zeros, ...counts },
      counted,
    };
  });

const expectReconciled = async (): Promise<void> => {
  for (const cell of world.cells) {
    const { read, counted } = await readBoth(cell);
    expect(read).toEqual(counted);
  }
};

/** Merges at most `limit` new count rows into the stored totals. Returns how many totals were inserted or changed. */
const fold = (limit = 1_000): Promise<number> =>
  world.worker.writeAsWorker((trx) => trx.count(mergeAccountCounts(limit)));
const foldAll = async (): Promise<void> => {
  while ((await fold()) > 0);
};

describe('merchant-status', () => {
  it('equals a count of the rows after concurrent writers, rollbacks and two folds', async () => {
    const walk = fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
      let written = 0;
      const allWritten = new AbortController();
      const lane = async () => {
        const client = await admin.connect();
        try {
          for (let each = steps[written++]; each; each = steps[written++])
            await write(client, world.cells, each);
        } finally {
          client.release();
        }
      };
      const folder = async () => {
        while (!allWritten.signal.aborted) await fold(5);
      };
      const folders = [folder(), folder()];
      await Promise.all([lane(), lane(), lane(), lane()]).finally(() => allWritten.abort());
      await Promise.all(folders);
      await expectReconciled();
      await foldAll();
      await expectReconciled();
    });
    await fc.assert(walk, { numRuns: 3 });
    expect(await world.database.rows('select from account_count where not folded')).toEqual([]);
    expect(
      await world.database.rows(
        'select from account_count group by merchant_id, environment, metric, scope_id, quarter having count(*) > 1',
      ),
    ).toEqual([]);
  });

  it('returns the same counts while two folds run', async () => {
    const [cell] = world.cells;
    for (let call = 0; call < 40; call++) {
      const { text, values } = insertEnrolments(cell, cell.taken.interview, null, 3, call);
      await world.database.rows(text, values);
    }
    const { counted } = await readBoth(cell);
    const allFolded = new AbortController();
    const folder = async () => {
      while ((await fold(3)) > 0);
    };
    const folded = Promise.all([folder(), folder()]).finally(() => allFolded.abort());
    while (!allFolded.signal.aborted) expect((await readBoth(cell)).read).toEqual(counted);
    await folded;
    expect((await readBoth(cell)).read).toEqual(counted);
  });

  it.each(['archived', 'deleted'])(
    'drops an interview and a position that are %s, and shows them again later',
    async (status) => {
      const [cell] = world.cells;
      const { interview, position } = cell.taken;
      const set = async (to: string) => {
        for (const [table, id] of [
          ['interview', interview],
          ['position', position],
        ])
          await world.database.rows(`update ${table} set status = $2 where id = $1`, [id, to]);
      };
      await set('active');
      for (const at of [null, position]) {
        const { text, values } = insertEnrolments(cell, interview, at, 4, 1);
        await world.database.rows(text, values);
      }
      const { read: before } = await readBoth(cell);
      await set(status);
      const { read: without, counted } = await readBoth(cell);
      expect(without).toEqual(counted);
      expect(without.candidates).toBeLessThanOrEqual(before.candidates - 8);
      expect(without.definitions_active).toBe(before.definitions_active - 2);
      expect(without.candidates_history).toEqual(before.candidates_history);
      await set('active');
      expect((await readBoth(cell)).read).toEqual(before);
    },
  );

  it('does not count test results', async () => {
    const [cell] = world.cells;
    const { read: before } = await readBoth(cell);
    const { rows } = world.database;
    await rows(
      `insert into interview_result (merchant_id, environment, interview_id, is_test, interview_status)
       values ($1, $2, $3, true, 'started')`,
      [cell.merchantId, cell.environment, cell.taken.interview],
    );
    await rows(
      `update interview_result set status = 'active', interview_status = 'completed', processing_status = 'completed' where is_test`,
    );
    expect((await readBoth(cell)).read).toEqual(before);
  });

  it('reads the same after old counts are removed', async () => {
    const [cell] = world.cells;
    for (const hours of [13 * 24, 14 * 24, 15 * 24, 17 * 24, 30 * 24]) {
      const { text, values } = insertEnrolments(cell, cell.taken.interview, null, 1, hours);
      await world.database.rows(text, values);
    }
    await foldAll();
    const swept = await world.worker.writeAsWorker((trx) => trx.count(deleteOldAccountCounts));
    expect(swept).toBeGreaterThanOrEqual(2);
    await expectReconciled();
  });
});

/** Returns the day of the year as the rules of POSIX time zones count it: from 1 to 365, without February 29. */
const posixDay = (daysAgo: number): number => {
  const day = new Date(Date.now() - daysAgo * 86_400_000);
  return Math.round(
    (Date.UTC(2025, day.getUTCMonth(), day.getUTCDate()) - Date.UTC(2024, 11, 31)) / 86_400_000,
  );
};

describe('the history of counts', () => {
  beforeAll(async () => {
    const [cell] = world.cells;
    const { rows } = world.database;
    await rows(
      `insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key, created_at)
       select $1, $2, $3, $4, n || '@hour.example', n || '@hour.example', now() - n * interval '7 minutes'
       from generate_series(0, 3400) n`,
      [cell.merchantId, cell.environment, cell.taken.interview, cell.taken.candidate],
    );
    await rows(
      `insert into interview_result (merchant_id, environment, interview_id, is_test, created_at)
       select $1, $2, $3, n % 10 = 0, now() - n * interval '11 minutes' from generate_series(0, 2100) n`,
      [cell.merchantId, cell.environment, cell.taken.interview],
    );
  });
  afterAll(() => world.database.rows(`update merchant set time_zone = 'UTC'`));

  const changing = (zone: string, daysAgo: [number, number], hours: [string, string]) =>
    `${zone},J${posixDay(daysAgo[0])}/${hours[0]},J${posixDay(daysAgo[1])}/${hours[1]}`;
  it.each([
    ['no offset', 'UTC'],
    ['an offset with 45 minutes', 'Asia/Kathmandu'],
    ['an offset with 30 minutes to the west', 'America/St_Johns'],
    ['an offset of over 12 hours with 45 minutes', 'Pacific/Chatham'],
    ['an offset of 14 hours', 'Pacific/Kiritimati'],
    ['an offset of 11 hours to the west', 'Pacific/Pago_Pago'],
    [
      'a midnight that was skipped 9 days ago and one that came twice 4 days ago',
      changing('<S>3<D>2', [9, 4], ['0', '1']),
    ],
    [
      'the same changes by half an hour, and an offset with 45 minutes',
      changing('<S>-5:45<D>-6:15', [9, 4], ['0', '0:30']),
    ],
    ['changes in the early morning, as in most countries', changing('<S>-1<D>-2', [12, 1], ['2', '3'])],
    [
      'changes at midnight, back 11 days ago and forward 3 days ago',
      changing('<S>5<D>4', [3, 11], ['24', '0']),
    ],
  ])('assigns changes to local days in a time zone with %s', async (_, zone) => {
    const [cell] = world.cells;
    await world.database.rows('update merchant set time_zone = $2 where id = $1', [cell.merchantId, zone]);
    const { read, counted } = await readBoth(cell);
    expect(read).toEqual(counted);
    expect(read.candidates_history).toHaveLength(14);
    expect(Math.min(...read.candidates_history.slice(1))).toBeGreaterThan(150);
  });
});

describe('writers', () => {
  it('of one merchant do not wait for each other or for a fold', async () => {
    const [cell] = world.cells;
    const { interview, position } = cell.taken;
    const [one, two] = [await admin.connect(), await admin.connect()];
    try {
      for (const client of [one, two]) {
        await client.query(`begin; set local lock_timeout = '5s'`);
        await client.query(insertEnrolments(cell, interview, position, 1, 0));
        await client.query(
          'insert into interview_result (merchant_id, environment, interview_id) values ($1, $2, $3)',
          [cell.merchantId, cell.environment, interview],
        );
      }
      await foldAll();
      await two.query('commit');
      await foldAll();
      await one.query('commit');
    } finally {
      one.release();
      two.release();
    }
    await expectReconciled();
  });
});
