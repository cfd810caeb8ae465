import { reopenResult } from '../../../db/results/result-decisions';
import { storeAnswers, collectResult } from '../../../db/results/results';
import { asLink, collected, interactionOf, startAsLink } from '../../../local/demo/candidate';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld, State, Taking } from '../results/result-world';
import { uuid } from '../platform/world';

/* Whatever the statement, a candidate's link can write the results of one interview and nothing else. */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});
afterAll(() => world.close());

const refused = { code: '42501' };
const run = ({ enrolment }: Pick<Taking, 'enrolment'>, text: string, values: unknown[] = []) =>
  asLink(world, enrolment, (trx) => trx.count({ text, values }));

const speak = (taken: Taking, columns: Record<string, unknown> = {}) => {
  const row = {
    result_id: taken.key.result_id,
    attempt: taken.key.attempt,
    step_order: 9,
    is_answer: true,
    view: 'with listening',
    ...columns,
  };
  return run(
    taken,
    `insert into result_question (${Object.keys(row).join(', ')})
     values (${Object.keys(row).map((_, place) => `$${place + 1}`).join(', ')})`,
    Object.values(row),
  ); // prettier-ignore
};

describe('the transcript', () => {
  it('accepts entries for the attempt in progress', async () => {
    expect(await speak(await world.states.started())).toBe(1);
  });

  it.each(['collected', 'failed', 'submitted', 'scored', 'reopened'] as State[])(
    'rejects entries for a result that is %s',
    async (state) => {
      await expect(speak(await world.states[state]())).rejects.toMatchObject(refused);
    },
  );

  it('rejects entries for another attempt or another candidate', async () => {
    const taken = await world.states.started();
    await expect(speak(taken, { attempt: 7 })).rejects.toMatchObject(refused);
    const { key } = await world.states.started();
    await expect(speak(taken, { result_id: key.result_id })).rejects.toMatchObject(refused);
  });

  it.each([
    ['score', 5],
    ['score_answer_ai', 5],
    ['ai_analysis_recruiter', 'Splendid.'],
    ['answer_assessment_raw_data', '{}'],
    ['merchant_id', uuid()],
    ['environment', 'demo'],
  ])('rejects %s', async (column, value) => {
    await expect(speak(await world.states.started(), { [column]: value })).rejects.toMatchObject(refused);
  });
});

describe('a result', () => {
  const begin = async (enrolment: string, columns: Record<string, unknown> = {}) => {
    const [own] = await world.database.rows<{ interview_id: string }>(
      'select interview_id from enrolment where id = $1',
      [enrolment],
    );
    const row = { interview_id: own?.interview_id, enrolment_id: enrolment, interview_status: 'started', ...columns };
    return run(
      { enrolment },
      `insert into interview_result (${Object.keys(row).join(', ')})
       values (${Object.keys(row).map((_, place) => `$${place + 1}`).join(', ')})`,
      Object.values(row),
    );
  }; // prettier-ignore

  it('begins in its own interview', async () => {
    expect(await begin(await world.enrol())).toBe(1);
  });

  it('does not begin in another interview of the merchant or in another state', async () => {
    const enrolment = await world.enrol();
    await expect(begin(enrolment, { interview_id: world.cell.taken.interview })).rejects.toMatchObject(
      refused,
    );
    await expect(begin(enrolment, { interview_status: 'completed' })).rejects.toMatchObject(refused);
    await expect(begin(enrolment, { enrolment_id: await world.enrol() })).rejects.toMatchObject(refused);
  });

  it.each([
    ['recruiter_go_next_round', true],
    ['recruiter_shortlist', true],
    ['user_feedback_recruiter', 'Splendid.'],
    ['score', 10],
    ['status', 'active'],
    ['processing_status', 'completed'],
    ['is_successful', true],
    ['charge', 'free'],
    ['attempt', 7],
    ['pdf_export_url', 'https://files.example/a.pdf'],
    ['recording_local_path', 'any'],
  ])('does not begin or change with %s', async (column, value) => {
    await expect(begin(await world.enrol(), { [column]: value })).rejects.toMatchObject(refused);
    const taken = await world.states.started();
    await expect(run(taken, `update interview_result set ${column} = $1`, [value])).rejects.toMatchObject(
      refused,
    );
  });

  it.each(['collected', 'failed', 'submitted', 'processing', 'failed to score', 'scored'] as State[])(
    'does not go back from %s and keeps its values',
    async (state) => {
      const taken = await world.states[state]();
      const before = await world.show(taken.key.result_id);
      for (const change of [`interview_status = 'started'`, `interview_status = 'failed'`, 'duration = 1'])
        expect(await run(taken, `update interview_result set ${change}`)).toBe(0);
      expect(await world.show(taken.key.result_id)).toEqual(before);
    },
  );

  it('cannot return to not started while it is in progress', async () => {
    await expect(
      run(await world.states.started(), 'update interview_result set interview_status = null'),
    ).rejects.toMatchObject(refused);
  });

  it.each(['started', 'failed', 'scored', 'reopened'] as State[])(
    'is not submitted when it is %s, and its links stay valid',
    async (state) => {
      const taken = await world.states[state]();
      const before = await world.show(taken.key.result_id);
      const submit = `select from app.submit_result($1, $2) as done where done`;
      expect(await run(taken, submit, [taken.key.result_id, taken.key.attempt])).toBe(0);
      expect(await world.show(taken.key.result_id)).toEqual(before);
    },
  );

  it('is not submitted for another candidate', async () => {
    const { key } = await world.states.collected();
    const stranger = { enrolment: await world.enrol() };
    const submit = `select from app.submit_result($1, $2) as done where done`;
    expect(await run(stranger, submit, [key.result_id, 1])).toBe(0);
    expect((await world.show(key.result_id))['status']).toBe('draft');
  });
});

describe('the generation of a candidate’s links', () => {
  it.each(['link_generation - 1', 'link_generation + 1'])('cannot be set to %s', async (generation) => {
    const taken = await world.states.submitted();
    await expect(run(taken, `update enrolment set link_generation = ${generation}`)).rejects.toMatchObject(
      refused,
    );
  });
});

describe('another attempt', () => {
  it('is taken like the first one', async () => {
    const { enrolment, key } = await world.states.scored();
    await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
    const again = await startAsLink(world, enrolment);
    if (!again) throw new Error('not begun');
    const outcome = await asLink(world, enrolment, async (trx) => [
      await storeAnswers(trx, again, [interactionOf('Again.', 1)]),
      await collectResult(trx, again, collected),
    ]);
    expect(outcome).toEqual([1, 'collected']);
  });
});
