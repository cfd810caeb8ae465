import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { createWorld, insertOf, rowOf } from '../platform/world';
import type { World } from '../platform/world';
import { blockOf, filtersOf, periodOf } from './report-world';

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
    const [found] = await world.api.read(cell.user, (trx) => trx.rows(compileBlock(block, filtersOf()).rows));
    expect(Object.fromEntries(measures.map(({ as }, at) => [as, found?.[`c${at + 1}`]]))).toEqual(expected);
  });
});
