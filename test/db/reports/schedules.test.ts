import type { Database } from '../../../db/platform/database';
import { deleteOldDeliveries, endAbandonedDeliveries } from '../../../db/reports/report-deliveries';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { maintain } from '../../harness/platform/maintenance';
import { expensiveTables } from '../platform/plan-cost';

let database: TestDatabase;
let worker: Database;
let id: string;
beforeAll(async () => {
  database = await createDatabase();
  worker = openTestDatabase(database.workerUrl, 2);
  const [row] = await database.rows<{ id: string }>(
    `with r as (insert into report (merchant_id, title, creator_id) values ($1, 'Any', $2) returning id)
     insert into report_schedule (merchant_id, environment, report_id, creator_id, every, format, recipients)
     select $1, 'production', id, $2, 'week', 'pdf', array[$2]::uuid[] from r returning id`,
    [merchants.main.id, people.merchant.id],
  );
  id = row?.id ?? '';
});

describe('the schedule of a report', () => {
  const creator = `where id = '${people.merchant.id}'`;
  const account = `where id = '${merchants.main.id}'`;
  const paused = 'week paused Europe/Paris';
  it.each([
    ['select', null, 'week active Europe/Paris'],
    [`update merchant set reports_enabled = false ${account}`, 'reports_off', paused],
    [`update profile set disabled_at = now() ${creator}`, 'creator_left', paused],
    [`update profile set home_disabled_at = now() ${creator}`, 'creator_left', paused],
    [`update profile set role = 'merchant_selection' ${creator}`, 'creator_may_not_edit', paused],
    ['update report set archived_at = now()', 'report_archived', 'none'],
    ['update report_schedule set stopped_at = now()', 'stopped', 'none'],
  ])('after %s has the obstacle %s and should be %s', async (change, obstacle, wanted) => {
    await database.rows(
      `begin; update merchant set time_zone = 'Europe/Paris' ${account}; ${change}; set local role app_worker`,
    );
    const states = await database.rows(
      'select obstacle, wanted from app.report_schedule_states(array[$1::uuid])',
      [id],
    );
    await database.rows('rollback');
    expect(states).toEqual([{ obstacle, wanted }]);
  });
});

/**
 * Inserts runs of a report schedule that began `age` ago, each with one mail. An open run has not ended, and its file
 * is stored.
 */
const insertRuns = (name: string, age: string, { count = 1, isOpen = false } = {}) =>
  database.rows(
    `with run as (
     insert into report_delivery (merchant_id, environment, schedule_id, workflow_id, state, file, created_at, ended_at)
     select $1, 'production', $2, $3 || n, case when $5 then 'sending' else 'sent' end,
       case when $5 then '\\x00'::bytea end, now() - $4::interval, case when not $5 then now() end
     from generate_series(1, $6) n returning id
   )
   insert into report_mail (merchant_id, environment, delivery_id, profile_id, state)
   select $1, 'production', id, $7, case when $5 then 'queued' else 'sent' end from run`,
    [merchants.main.id, id, name, age, isOpen, count, people.merchant.id],
  );
const runs = () =>
  database.rows<{ name: string; state: string; hasFile: boolean; mail: string }>(
    `select trim(trailing '1' from d.workflow_id) as name, d.state, d.file is not null as "hasFile", m.state as mail
   from report_delivery d join report_mail m on m.delivery_id = d.id order by d.created_at`,
  );

describe('runs of scheduled reports', () => {
  afterEach(() => database.rows('truncate report_delivery, report_mail'));

  it('are deleted with their mails after 180 days', async () => {
    await insertRuns('old', '180 days 1 hour');
    await insertRuns('young', '179 days 23 hours');
    await maintain(worker);
    expect(await runs()).toEqual([{ name: 'young', state: 'sent', hasFile: false, mail: 'sent' }]);
    expect(await database.rows('select from report_mail')).toHaveLength(1);
  });

  it('are ended after a week without an end, and their files are deleted', async () => {
    await insertRuns('terminated', '7 days 1 hour', { isOpen: true });
    await insertRuns('running', '6 days', { isOpen: true });
    await maintain(worker);
    expect(await runs()).toEqual([
      { name: 'terminated', state: 'failed', hasFile: false, mail: 'gave_up' },
      { name: 'running', state: 'sending', hasFile: true, mail: 'queued' },
    ]);
  });

  it('are deleted and ended in batches of the oldest, whose plans read few rows', async () => {
    await insertRuns('old', '200 days', { count: 2_000 });
    await insertRuns('oldest', '300 days', { count: 3 });
    await insertRuns('open', '8 days', { count: 2_000, isOpen: true });
    await insertRuns('young', '1 day', { count: 2_000 });
    await database.rows('vacuum analyze report_delivery, report_mail');
    for (const statement of [deleteOldDeliveries(5), endAbandonedDeliveries(5)])
      expect(await expensiveTables((work) => worker.writeAsWorker<never>(work), statement, 20)).toEqual([]);
    await worker.writeAsWorker((trx) => trx.count(deleteOldDeliveries(5)));
    const left = await database.rows<{ days: number; count: number }>(
      `select extract(day from now() - created_at)::int as days, count(*)::int from report_delivery group by 1 order by 1`,
    );
    expect(left).toEqual([
      { days: 1, count: 2_000 },
      { days: 8, count: 2_000 },
      { days: 200, count: 1_998 },
    ]);
  });
});
