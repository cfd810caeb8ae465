import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { reopenResult } from '../../../db/results/result-decisions';
import { insertOf, rowOf, uuid } from '../platform/world';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld } from '../results/result-world';
import { blockOf, filtersOf, shown } from './report-world';

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
