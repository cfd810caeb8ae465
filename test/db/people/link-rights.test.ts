import { submitAttempt } from '../../../db/taking/attempts';
import { linkOf, onLink } from '../../../local/demo/candidate';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld } from '../results/result-world';

/*
 * With a link, a candidate can change only their own attempt, and only with the functions for links (docs/taking.md).
 */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});

const refused = { code: '42501' };
const run = async (enrolment: string, text: string, values: unknown[] = []) => {
  const link = await linkOf(world, enrolment);
  return world.api.write(link, (trx) => trx.rows({ text, values }));
};

describe('a candidate’s link', () => {
  it.each([
    'select id from interview_result',
    'select id from result_question',
    'select place from attempt_step',
    'select candidate_expectations_json from interview',
    'select candidate_expectations_json from question',
    `update interview_result set interview_status = 'completed'`,
    `update result_question set answer = 'Splendid.'`,
    'update enrolment set link_generation = link_generation + 1',
    'delete from result_question',
  ])('may not %s', async (text) => {
    const { enrolment } = await world.states.started();
    await expect(run(enrolment, text)).rejects.toMatchObject(refused);
  });

  it.each([
    [`app.ask_next_turn(gen_random_uuid(), 1, gen_random_uuid(), 'next_planned', null)`],
    [`app.set_transcript(gen_random_uuid(), 'Splendid.', 'done')`],
    [`app.fail_attempt(gen_random_uuid(), 1, 'failed', 'Any.')`],
    ['app.close_due_attempts(1)'],
    ['app.charge_result(gen_random_uuid())'],
    ['app.submit_collected(null::interview_result)'],
    ['app.reopen_result(gen_random_uuid())'],
  ])('may not call %s', async (call) => {
    const { enrolment } = await world.states.started();
    await expect(run(enrolment, `select ${call}`)).rejects.toMatchObject(refused);
  });

  it('does not submit the result of another candidate', async () => {
    const { key } = await world.states.collected();
    const stranger = await world.enrol();
    expect(await onLink(world, stranger, submitAttempt)).toEqual({
      outcome: 'not_collected',
      attempt: null,
    });
    expect(await world.show(key.result_id)).toMatchObject({ status: 'draft' });
  });
});
