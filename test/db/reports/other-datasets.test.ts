import { stages } from '../../../db/platform/vocabulary';
import { compileBlock } from '../../../db/reports/compile-block';
import { decideResult, reopenResult, setStage } from '../../../db/results/result-decisions';
import { createWorld, putRow, uuid } from '../platform/world';
import type { World } from '../platform/world';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld } from '../results/result-world';
import { blockOf, datasetOf, dimension, filtersOf, periodOf, shown } from './report-world';

describe('invitations', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  const dataset = datasetOf('invitations');

  it('are counted by what happened after they were sent', async () => {
    const [cell] = world.cells;
    const { taken, free } = cell;
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
    for (const row of rows)
      await putRow(world.database, 'invitation', cell, { invited_at: '2026-01-01', ...row });
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
    const measures = [...dataset.measures.keys()].map((id) => shown(id, [], dataset));
    const period = periodOf('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z');
    const block = blockOf({ dataset, measures, period });
    const [found] = await world.api.read(cell.user, (trx) => trx.rows(compileBlock(block, filtersOf()).rows));
    expect(Object.fromEntries(measures.map(({ as }, at) => [as, found?.[`c${at + 1}`]]))).toEqual(expected);
  });

  it('count for the channel of the message that accompanied the mail, unless it failed', async () => {
    const [cell] = world.cells;
    const { enrolment: enrolment_id } = cell.free;
    const [at, mail_id] = ['2026-02-01', uuid()];
    const put = (table: string, changes: object) =>
      putRow(world.database, table, cell, { enrolment_id, ...changes });
    await put('invitation', { type: 'candidate', invited_at: at });
    await put('mail', { id: mail_id, created_at: at });
    await put('message', { mail_id });
    const block = blockOf({
      dataset,
      dimensions: [{ field: dimension('channel', dataset), grain: null }],
      measures: [shown('sent', [], dataset)],
      period: periodOf(at, `${at}T12:00:00Z`),
    });
    for (const [state, channel] of [
      ['delivered', 'sms'],
      ['undelivered', 'email'],
    ]) {
      await world.database.rows('update message set state = $2 where mail_id = $1', [mail_id, state]);
      const found = await world.api.read(cell.user, (trx) => trx.rows(compileBlock(block, filtersOf()).rows));
      expect(found).toMatchObject([{ c1: channel, c2: 1 }]);
    }
  });
});

describe('enrolment steps', () => {
  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const hour = (number: number) => `2026-05-01T${String(number).padStart(2, '0')}:00:00.000Z`;
  const insert = (table: string, row: Record<string, unknown>) =>
    putRow(world.database, table, world.cell, row);

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
      const dataset = datasetOf('position_pipeline');
      const ids = ['candidates', 'advanced', 'step_conversion', 'oldest_days_in_step'];
      const block = blockOf({
        dataset,
        dimensions: [{ field: dimension('step_index', dataset), grain: null }],
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
