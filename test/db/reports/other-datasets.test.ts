import type { Database } from '../../../db/platform/database';
import { stages } from '../../../db/platform/vocabulary';
import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { deleteOldDeliveries, endAbandonedDeliveries } from '../../../db/reports/report-deliveries';
import { decideResult, reopenResult, setStage } from '../../../db/results/result-decisions';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { maintain } from '../../harness/platform/maintenance';
import { expensiveTables } from '../platform/plan-cost';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { World } from '../platform/world';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld } from '../results/result-world';
import { blockOf, filtersOf, periodOf, shown } from './report-world';

describe('invitations', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  describe('invitations', () => {
    it('are counted by what happened after they were sent', async () => {
      const [cell] = world.cells;
      const { taken, free } = cell;
      const dataset = datasets.get('invitations');
      if (!dataset) throw new Error('no dataset');
      const toCandidate = { type: 'candidate', interview_id: taken.interview, expires_at: '2026-02-01' };
      const rows: Record<string, unknown>[] = [
        { ...toCandidate, enrolment_id: taken.enrolment, profile_id: taken.candidate },
        {
          ...toCandidate,
          enrolment_id: taken.enrolment,
          profile_id: taken.candidate,
          invited_at: '2026-01-03',
        },
        { ...toCandidate, enrolment_id: free.enrolment, profile_id: free.candidate },
        { ...toCandidate, enrolment_id: free.enrolment, profile_id: free.candidate, result: 'skipped' },
        { ...toCandidate, result: 'error' },
        { type: 'merchant', profile_id: taken.person },
        { type: 'merchant', profile_id: taken.person, result: 'activated' },
        { ...toCandidate, enrolment_id: taken.enrolment, is_test: true },
      ];
      for (const row of rows) {
        const { text, values } = insertOf('invitation', {
          ...rowOf('invitation', cell, taken),
          invited_at: '2026-01-01',
          ...row,
        });
        await world.database.rows(text, values);
      }
      await world.database.rows(
        `update interview_result set started_at = '2026-01-02', ended_at = '2026-01-02', interview_status = 'completed'
       where id = $1`,
        [taken.result],
      );
      const expected = {
        sent: 4,
        activated: 1,
        skipped: 1,
        errors: 1,
        started: 1,
        completed: 1,
        expired: 2,
        people: 3,
        activation_rate: 1 / 6,
        start_rate: 1 / 3,
        completion_rate: 1 / 3,
        avg_time_to_start: 86_400,
      };
      const measures = [...dataset.measures.values()].map((measure) => ({
        as: measure.id,
        label: measure.label,
        measure,
        where: [],
      }));
      const block = blockOf({
        dataset,
        measures,
        period: periodOf('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z'),
      });
      const [found] = await world.api.read(cell.user, (trx) =>
        trx.rows(compileBlock(block, filtersOf()).rows),
      );
      expect(Object.fromEntries(measures.map(({ as }, at) => [as, found?.[`c${at + 1}`]]))).toEqual(expected);
    });

    it('count for the channel of the message that accompanied the mail, unless it failed', async () => {
      const [cell] = world.cells;
      const dataset = datasets.get('invitations');
      const field = dataset?.dimensions.get('channel');
      const measure = dataset?.measures.get('sent');
      if (!dataset || !field || !measure) throw new Error('no dataset');
      const { enrolment: enrolment_id } = cell.free;
      const [at, mail_id] = ['2026-02-01', uuid()];
      for (const [table, changes] of [
        ['invitation', { id: uuid(), type: 'candidate', enrolment_id, invited_at: at }],
        ['mail', { id: mail_id, enrolment_id, created_at: at }],
        ['message', { mail_id, enrolment_id }],
      ] as const) {
        const { text, values } = insertOf(table, { ...rowOf(table, cell, cell.free), ...changes });
        await world.database.rows(text, values);
      }
      const block = blockOf({
        dataset,
        dimensions: [{ field, grain: null }],
        measures: [{ as: 'sent', label: 'Sent', measure, where: [] }],
        period: periodOf(at, `${at}T12:00:00Z`),
      });
      for (const [state, channel] of [
        ['delivered', 'sms'],
        ['undelivered', 'email'],
      ]) {
        await world.database.rows('update message set state = $2 where mail_id = $1', [mail_id, state]);
        const found = await world.api.read(cell.user, (trx) =>
          trx.rows(compileBlock(block, filtersOf()).rows),
        );
        expect(found).toMatchObject([{ c1: channel, c2: 1 }]);
      }
    });
  });
});

describe('enrolment steps', () => {
  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const hour = (number: number) => `2026-05-01T${String(number).padStart(2, '0')}:00:00.000Z`;
  const insert = (table: string, row: Record<string, unknown>) => {
    const { text, values } = insertOf(table, { ...rowOf(table, world.cell, world.cell.taken), ...row });
    return world.database.rows(text, values);
  };

  /** Creates a position with three steps, and a candidate who was enrolled at the first step at 1 o'clock. */
  async function enrolAtPosition() {
    const { rows } = world.database;
    const [position, enrolment] = [uuid(), uuid()];
    const steps = [uuid(), uuid(), uuid()] as const;
    await insert('position', { id: position });
    for (const [index, id] of steps.entries()) {
      await insert('interview', { id });
      await insert('position_step', { position_id: position, interview_id: id, step_order: index + 1 });
    }
    await insert('enrolment', {
      id: enrolment,
      position_id: position,
      interview_id: steps[0],
      created_at: hour(1),
    });
    const show = async () => {
      const found = await rows<{ step: number; entered: Date; left: Date | null; outcome: string | null }>(
        `select s.step_order as step, k.entered_at as entered, k.left_at as left, k.outcome
       from enrolment_step k join position_step s on s.position_id = k.position_id and s.interview_id = k.interview_id
       where k.enrolment_id = $1 order by 1`,
        [enrolment],
      );
      return found.map((row) => ({
        ...row,
        entered: row.entered.toISOString(),
        left: row.left?.toISOString() ?? null,
      }));
    };
    /** Inserts a scored result of the candidate at this step. */
    const take = async (step: 0 | 1 | 2, at: number, more: Record<string, unknown> = {}) => {
      const id = uuid();
      await insert('interview_result', {
        id,
        enrolment_id: enrolment,
        interview_id: steps[step],
        created_at: hour(at),
        status: 'active',
        interview_status: 'completed',
        processing_status: 'completed',
        ...more,
      });
      return id;
    };
    const decide = async (id: string, decision: boolean | null) => {
      await rows('update interview_result set recruiter_go_next_round = $2 where id = $1', [id, decision]);
      const [row] = await rows<{ decided_at: Date | null }>(
        'select decided_at from interview_result where id = $1',
        [id],
      );
      return row?.decided_at?.toISOString() ?? null;
    };
    const moveTo = (step: 0 | 1 | 2) =>
      rows('update enrolment set interview_id = $2 where id = $1', [enrolment, steps[step]]);
    return { position, enrolment, steps, show, take, decide, moveTo };
  }
  const open = { left: null, outcome: null };

  describe('enrolment_step', () => {
    it('has the first step since the enrolment until a decision, which can be taken back and reopened', async () => {
      const { show, take, decide } = await enrolAtPosition();
      expect(await show()).toEqual([{ step: 1, entered: hour(1), ...open }]);
      const result = await take(0, 2);
      expect(await show()).toEqual([{ step: 1, entered: hour(1), ...open }]);
      const rejected = await decide(result, false);
      expect(await show()).toEqual([{ step: 1, entered: hour(1), left: rejected, outcome: 'rejected' }]);
      await decide(result, null);
      expect(await show()).toEqual([{ step: 1, entered: hour(1), ...open }]);
      const advanced = await decide(result, true);
      expect(await show()).toEqual([{ step: 1, entered: hour(1), left: advanced, outcome: 'advanced' }]);
      await world.asRecruiter((trx) => reopenResult(trx, result));
      expect(await show()).toEqual([{ step: 1, entered: hour(1), ...open }]);
    });

    it('has a step more since the decision when the enrolment moves there, and ends the one before', async () => {
      const { show, take, decide, moveTo, enrolment } = await enrolAtPosition();
      const left = await decide(await take(0, 2), true);
      await moveTo(1);
      const [, second] = await show();
      expect([second?.entered, second?.outcome]).toEqual([left, null]);
      await world.database.rows('update enrolment set name = name where id = $1', [enrolment]);
      expect((await show())[1]).toMatchObject({ entered: left, ...open });
      await moveTo(2);
      const [first, moved, last] = await show();
      expect([first?.outcome, moved?.outcome, last?.outcome]).toEqual(['advanced', 'moved', null]);
      expect(moved?.left).toEqual(last?.entered);
    });

    it('has the time of the decision before it for a step that was moved in front of the earlier ones', async () => {
      const { position, show, take, decide, moveTo } = await enrolAtPosition();
      const result = await take(0, 2);
      await world.database.rows('update position_step set step_order = -step_order where position_id = $1', [
        position,
      ]);
      const left = await decide(result, true);
      await moveTo(2);
      expect(await show()).toEqual([
        { step: -3, entered: left, ...open },
        { step: -1, entered: hour(1), left, outcome: 'advanced' },
      ]);
    });

    it('ignores tests and candidates without a position', async () => {
      const { show, take, decide, enrolment } = await enrolAtPosition();
      await decide(await take(1, 2, { is_test: true }), true);
      expect(await show()).toEqual([{ step: 1, entered: hour(1), ...open }]);
      const other = uuid();
      await insert('enrolment', { id: other, position_id: null });
      expect(
        await world.database.rows('select from enrolment_step where enrolment_id = $1', [other]),
      ).toHaveLength(0);
      expect(enrolment).not.toBe(other);
    });

    it('is derived from what is stored, for candidates who were there before', async () => {
      const { show, take, enrolment, moveTo } = await enrolAtPosition();
      await moveTo(2);
      await take(0, 2, { recruiter_go_next_round: true, decided_at: hour(4) });
      await take(1, 5, { recruiter_go_next_round: true, decided_at: hour(6) });
      await take(2, 7, { recruiter_go_next_round: false, updated_at: hour(8) });
      await world.database.rows('delete from enrolment_step where enrolment_id = $1', [enrolment]);
      await world.database.rows('select app.record_steps(merchant_id, id) from enrolment where id = $1', [
        enrolment,
      ]);
      expect(await show()).toEqual([
        { step: 1, entered: hour(1), left: hour(4), outcome: 'advanced' },
        { step: 2, entered: hour(4), left: hour(6), outcome: 'advanced' },
        { step: 3, entered: hour(6), left: hour(8), outcome: 'rejected' },
      ]);
    });
  });

  describe('enrolment_stage', () => {
    const stagesOf = (enrolment: string) =>
      world.database.rows<{ stage: string; entered_at: Date; left_at: Date | null }>(
        'select stage, entered_at, left_at from enrolment_stage where enrolment_id = $1 order by entered_at',
        [enrolment],
      );

    it('follows submits, decisions and reopening with the stage of the present step, without gaps', async () => {
      const { enrolment, take, decide, moveTo } = await enrolAtPosition();
      const results: string[] = [];
      const decideAt = (step: number, decision: boolean | null) => () =>
        decide(results[step] ?? '', decision);
      const submitAt = (step: 0 | 1 | 2) => async () => results.push(await take(step, step));
      const events: [stage: string, event: () => Promise<unknown>][] = [
        ['Interview 1st completed', submitAt(0)],
        ['Rejected', decideAt(0, false)],
        ['Interview 1st completed', decideAt(0, null)],
        ['Interview 2nd planned', decideAt(0, true)],
        ['Interview 2nd planned', () => moveTo(1)],
        ['Rejected', decideAt(0, false)],
        ['Interview 2nd planned', decideAt(0, true)],
        ['Interview 2nd completed', submitAt(1)],
        ['Interview 2nd completed', decideAt(0, null)],
        ['Interview 3rd planned', decideAt(1, true)],
        ['Interview 3rd planned', () => moveTo(2)],
        ['Interview 3rd completed', submitAt(2)],
        ['Interview 3rd planned', decideAt(2, true)],
        ['Rejected', decideAt(2, false)],
        ['Interview 3rd planned', () => world.asRecruiter((trx) => reopenResult(trx, results[2] ?? ''))],
      ];
      for (const [index, [stage, event]] of events.entries()) {
        await event();
        expect([index, (await stagesOf(enrolment)).at(-1)]).toMatchObject([index, { stage, left_at: null }]);
      }
      const kept = await stagesOf(enrolment);
      expect(kept).toHaveLength(events.length - 3);
      expect(kept.map(({ left_at }) => left_at).slice(0, -1)).toEqual(
        kept.map(({ entered_at }) => entered_at).slice(1),
      );
    });

    it('has one entry for a decision and a stage of one call, with the person, and none for learners and tests', async () => {
      const { enrolment, take } = await enrolAtPosition();
      const result = await take(0, 1);
      await world.asRecruiter(async (trx) => {
        await decideResult(trx, result, { recruiter_go_next_round: true });
        expect(await setStage(trx, result, 'Offer negotiations')).toBe(true);
        expect(await setStage(trx, result, 'Offer negotiations')).toBe(false);
      });
      expect((await stagesOf(enrolment)).map(({ stage }) => stage)).toEqual([
        'Interview 1st completed',
        'Offer negotiations',
      ]);
      expect(
        await world.database.rows(
          'select set_by from enrolment_stage where enrolment_id = $1 and left_at is null',
          [enrolment],
        ),
      ).toEqual([{ set_by: world.cell.profileId }]);
      const other = await enrolAtPosition();
      await other.take(0, 1, { is_test: true });
      await world.database.rows(`update interview set type = 'persona' where id = $1`, [other.steps[0]]);
      const learned = await other.take(0, 1);
      expect(await world.asRecruiter((trx) => setStage(trx, learned, 'Hired'))).toBeNull();
      expect(await stagesOf(other.enrolment)).toEqual([]);
    });

    it('takes changes of one candidate one after the other', async () => {
      const { enrolment, take } = await enrolAtPosition();
      const result = await take(0, 1);
      const wanted = [...stages].filter((stage) => stage.startsWith('Offer') || stage === 'Hired');
      await Promise.all(wanted.map((stage) => world.asRecruiter((trx) => setStage(trx, result, stage))));
      const found = await stagesOf(enrolment);
      expect(
        found
          .slice(1)
          .map(({ stage }) => stage)
          .toSorted(),
      ).toEqual(wanted.toSorted());
      expect(found.filter(({ left_at }) => left_at === null)).toHaveLength(1);
    });
  });

  describe('position_pipeline', () => {
    it('counts candidates where they are, and the conversion of every step that they reached', async () => {
      const { position, take, decide, moveTo } = await enrolAtPosition();
      await decide(await take(0, 2), true);
      await moveTo(1);
      const dataset = datasets.get('position_pipeline');
      const field = dataset?.dimensions.get('step_index');
      if (!dataset || !field) throw new Error('no dataset');
      const ids = ['candidates', 'advanced', 'step_conversion', 'oldest_days_in_step'];
      const block = blockOf({
        dataset,
        dimensions: [{ field, grain: null }],
        measures: ids.map((id) => shown(id, [], dataset)),
        sort: [{ column: 'step_index', dir: 'asc' }],
        period: null,
      });
      const { rows } = compileBlock(block, filtersOf({ positionIds: [position] }));
      const found = await world.api.read(world.cell.user, (trx) => trx.rows(rows));
      expect(found.map(({ c1, c2, c3, c4, c5 }) => [c1, c2, c3, c4, c5 === null])).toEqual([
        [1, 0, 0, 1, true],
        [2, 1, 0, 0, false],
      ]);
      expect(Number(found[1]?.c5)).toBeLessThan(1);
    });
  });

  it('has one present step for each candidate of a position in the world', async () => {
    const wrong = await world.database.rows(
      `select e.id from enrolment e left join enrolment_step k on k.enrolment_id = e.id and k.interview_id = e.interview_id
     where (e.position_id is not null) <> (k.enrolment_id is not null)`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('delivery retention', () => {
  let database: TestDatabase;
  let worker: Database;
  let schedule: string;
  beforeAll(async () => {
    database = await createDatabase();
    worker = openTestDatabase(database.workerUrl, 2);
    const [row] = await database.rows<{ id: string }>(
      `with r as (
       insert into report (merchant_id, title, creator_id) values ($1, 'Any', $2) returning id
     )
     insert into report_schedule (merchant_id, environment, report_id, creator_id, every, format, recipients)
     select $1, 'production', id, $2, 'week', 'pdf', array[$2]::uuid[] from r returning id`,
      [merchants.main.id, people.merchant.id],
    );
    schedule = row?.id ?? '';
  });
  afterEach(() => database.rows('truncate report_delivery, report_mail'));

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
      [merchants.main.id, schedule, name, age, isOpen, count, people.merchant.id],
    );
  const runs = () =>
    database.rows<{ name: string; state: string; hasFile: boolean; mail: string }>(
      `select trim(trailing '1' from d.workflow_id) as name, d.state, d.file is not null as "hasFile", m.state as mail
     from report_delivery d join report_mail m on m.delivery_id = d.id order by d.created_at`,
    );

  describe('runs of scheduled reports', () => {
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
});
