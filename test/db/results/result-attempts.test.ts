import { readMerchantStatus } from '../../../db/account/merchant-status';
import type { MerchantStatusRow } from '../../../db/account/merchant-status';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import {
  storeAnswers,
  collectResult,
  failResult,
  recordScores,
  startResult,
  submitResult,
} from '../../../db/results/results';
import {
  asLink,
  collected,
  interactionOf,
  scores,
  startAsLink,
  takeInterview,
} from '../../../local/demo/candidate';
import { createResultWorld } from './result-world';
import type { ResultWorld, Row } from './result-world';
import { insertOf, rowOf, uuid } from '../platform/world';

/* Tests who can begin an attempt, what it costs, and what is kept of it (docs/results.md#attempts). */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});
afterAll(() => world.close());

describe('starting an interview', () => {
  const start = (enrolment: string, link: { is_test: boolean; link_generation: number }) =>
    asLink(world, enrolment, (trx) => startResult(trx, link));

  it.each([
    ['active', true, true],
    ['draft', false, true],
    ['preparing', false, true],
    ['archived', false, false],
    ['completed', false, false],
    ['deleted', false, false],
  ])(
    'depends on its status: %s can be started: %s, with a test link: %s',
    async (status, open, openToTest) => {
      for (const [is_test, opens] of [
        [false, open],
        [true, openToTest],
      ] as const) {
        const started = await start(await world.enrol({ status }), { is_test, link_generation: 1 });
        expect([is_test, started !== undefined]).toEqual([is_test, opens]);
      }
    },
  );

  it.each([
    ['was yesterday', -1, false],
    ['is today', 0, true],
    ['is tomorrow', 1, true],
  ])('is possible until its last day, also with a test link: the last day %s', async (_, days, opens) => {
    const dayFromNow = () => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const startsOfOneDay = async (): Promise<boolean[]> => {
      const interview_available_till = dayFromNow();
      const started: boolean[] = [];
      for (const is_test of [false, true]) {
        const enrolment = await world.enrol({ interview_available_till });
        started.push((await start(enrolment, { is_test, link_generation: 1 })) !== undefined);
      }
      // If midnight passed meanwhile, the outcome may belong to either day, so the test repeats.
      return dayFromNow() === interview_available_till ? started : startsOfOneDay();
    };
    expect(await startsOfOneDay()).toEqual([opens, opens]);
  });

  it('depends on the end of the position and not of its step', async () => {
    const ended = '2026-01-01T10:00:00.000Z';
    for (const [till, opens] of [
      [ended, false],
      [null, true],
    ] as const) {
      const enrolment = await world.enrol({ interview_available_till: ended });
      const position = uuid();
      const { text, values } = insertOf('position', {
        ...rowOf('position', world.cell, world.cell.taken, position),
        interview_available_till: till,
      });
      await world.database.rows(text, values);
      await world.database.rows('update enrolment set position_id = $2 where id = $1', [enrolment, position]);
      expect((await start(enrolment, { is_test: false, link_generation: 1 })) !== undefined).toBe(opens);
    }
  });

  it('is rejected for a link of another generation', async () => {
    const enrolment = await world.enrol();
    for (const link_generation of [0, 2])
      expect(await start(enrolment, { is_test: false, link_generation })).toBeUndefined();
  });

  it('creates two results for a test link and another link', async () => {
    const enrolment = await world.enrol();
    const [one, two] = [await startAsLink(world, enrolment), await startAsLink(world, enrolment, true)];
    expect(one && two && one.result_id !== two.result_id).toBe(true);
  });

  it('creates one attempt when it happens twice at the same time', async () => {
    const enrolment = await world.enrol();
    const both = await Promise.all([startAsLink(world, enrolment), startAsLink(world, enrolment)]);
    expect(both.filter((key) => key !== undefined)).toHaveLength(1);
  });
});

describe('other callers', () => {
  it('cannot change a result with the link of another candidate, which starts its own', async () => {
    const { key } = await world.states.started();
    const stranger = await world.enrol();
    const before = await world.show(key.result_id);
    expect(
      await asLink(world, stranger, async (trx) => [
        await storeAnswers(trx, key, [interactionOf('Mine.', 2)]),
        await collectResult(trx, key, collected),
        await failResult(trx, key, 'failed', null),
      ]),
    ).toEqual([0, undefined, false]);
    expect(await world.show(key.result_id)).toEqual(before);
    expect((await startAsLink(world, stranger))?.result_id).not.toBe(key.result_id);
  });

  it('cannot decide on or reopen a result of another merchant or environment', async () => {
    const { key } = await world.states.scored();
    const before = await world.show(key.result_id);
    for (const stranger of [world.cells[1], world.cells[2]])
      expect(
        await world.api.write(stranger.user, async (trx) => [
          await decideResult(trx, key.result_id, { recruiter_shortlist: true }),
          await reopenResult(trx, key.result_id),
        ]),
      ).toEqual(['unknown', false]);
    expect(await world.show(key.result_id)).toEqual(before);
  });
});

describe('a decision', () => {
  it('changes nothing when it repeats the current values', async () => {
    const { key } = await world.states.scored();
    const given = {
      recruiter_go_next_round: false,
      user_feedback_recruiter: 'No.',
      recruiter_risks: [{ key: 'a', severity: 'issue', confidence: 0.5 }],
      recruiter_shortlist: false,
    };
    const decide = (fields: typeof given | { recruiter_risks: null }) =>
      world.asRecruiter((trx) => decideResult(trx, key.result_id, fields));
    expect(await decide(given)).toEqual(['recruiter_go_next_round', 'recruiter_risks', 'user_feedback_recruiter']);
    const before = await world.show(key.result_id);
    expect(await decide(given)).toEqual([]);
    expect(await world.show(key.result_id)).toEqual(before);
    expect(await decide({ recruiter_risks: null })).toEqual(['recruiter_risks']);
    expect(await decide({ recruiter_risks: null })).toEqual([]);
    expect((await world.show(key.result_id))['recruiter_risks']).toBeNull();
  }); // prettier-ignore
});

describe('an interview with result_view none', () => {
  it('is submitted and charged once by the last answer', async () => {
    const enrolment = await world.enrol({ result_view: 'none' });
    const key = await takeInterview(world, { enrolment, until: 'started' });
    expect(await asLink(world, enrolment, (trx) => collectResult(trx, key, collected))).toBe('submitted');
    expect(await world.show(key.result_id)).toMatchObject({
      status: 'active',
      interview_status: 'completed',
      processing_status: 'queued',
      is_successful: true,
      charge: 'charged',
      link_generation: 2,
    });
    expect(await asLink(world, enrolment, (trx) => submitResult(trx, key))).toBe(false);
  });
});

describe('an attempt that is over', () => {
  it('moves to the history unchanged, and the next one is answered separately', async () => {
    const { enrolment, key } = await world.states.scored();
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true, recruiter_shortlist: true }));
    const { interactions: _, link_generation: __, ...finished } = await world.show(key.result_id);
    await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
    const [history] = await world.database.rows<{ attempt: number; fields: Row }>(
      'select attempt, fields from interview_result_attempt where result_id = $1',
      [key.result_id],
    );
    expect(history).toEqual({ attempt: 1, fields: { ...finished, link_generation: null } });
    expect(await world.show(key.result_id)).toMatchObject({ attempt: 2, recruiter_shortlist: true, recruiter_go_next_round: null });
    expect(await takeInterview(world, { enrolment, answers: ['Now better.'] })).toEqual({ ...key, attempt: 2 });
    const spoken = await world.database.rows(
      'select attempt, answer, score::float from result_question where result_id = $1 order by attempt',
      [key.result_id],
    );
    expect(spoken).toEqual([
      { attempt: 1, answer: 'We measured both ways and kept the better one.', score: 4 },
      { attempt: 2, answer: 'Now better.', score: 4 },
    ]);
    expect(await world.asRecruiter((trx) => reopenResult(trx, key.result_id))).toBe(true);
    expect((await world.show(key.result_id))['attempt']).toBe(3);
  }); // prettier-ignore
});

describe('credits', () => {
  const charges = (id: string) =>
    world.database.rows<{ attempt: number; amount: number }>(
      `select attempt, -sum(amount)::float as amount from credit_entry where result_id = $1 and kind = 'charge'
       group by attempt order by attempt`,
      [id],
    );

  it.each([
    ['more than 30 seconds, when they are collected', 301, [1], [1]],
    ['up to 30 seconds, when they are submitted', 300, [], [1]],
  ])('are charged once for an interview of %s', async (_, duration, atCollecting, atSubmitting) => {
    const enrolment = await world.enrol();
    const key = await takeInterview(world, { enrolment, until: 'collected', collected: { duration } });
    const amounts = async () => (await charges(key.result_id)).map(({ amount }) => amount);
    expect(await amounts()).toEqual(atCollecting);
    await asLink(world, enrolment, (trx) => submitResult(trx, key));
    expect(await amounts()).toEqual(atSubmitting);
    await world.writeAsWorker((trx) => recordScores(trx, key, scores, []));
    expect(await amounts()).toEqual(atSubmitting);
  });

  it('are charged again for another attempt', async () => {
    const { enrolment, key } = await world.states.reopened();
    await takeInterview(world, { enrolment });
    expect(await charges(key.result_id)).toEqual([
      { attempt: 1, amount: 1 },
      { attempt: 2, amount: 1 },
    ]);
  });

  it('are not charged for a test and a failed attempt', async () => {
    const test = await takeInterview(world, { enrolment: await world.enrol(), is_test: true });
    const { key: failed } = await world.states.failed();
    for (const { result_id } of [test, failed]) {
      expect(await charges(result_id)).toEqual([]);
      expect((await world.show(result_id))['charge']).toBe('free');
    }
  });

  it('stay counted as a debt after a reopen, and the next attempt adds its own', async () => {
    const poor = world.cells[2];
    const owed = async () => {
      const [status] = await world.api.query<MerchantStatusRow>(poor.user, readMerchantStatus);
      return status?.counts.without_credits ?? 0;
    };
    const before = await owed();
    const enrolment = await world.enrol({}, poor);
    const { result_id } = await takeInterview(world, { enrolment });
    expect((await owed()) - before).toBe(1);
    await world.api.write(poor.user, (trx) => reopenResult(trx, result_id));
    expect((await owed()) - before).toBe(1);
    await takeInterview(world, { enrolment });
    expect((await owed()) - before).toBe(2);
  });
});

describe('recording scores', () => {
  it.each([
    { strengths_concerns: { strengths: 'Calm', concerns: [] } },
    { strengths_concerns: { strengths: [{ text: 'Calm' }], concerns: [] } },
    { hiring_reasons: { reasons_to_hire: [1] } },
  ])('rejects analyses like %j and records nothing', async (ai_analysis_other) => {
    const { key } = await world.states.submitted();
    const before = await world.show(key.result_id);
    await expect(
      world.writeAsWorker((trx) => recordScores(trx, key, { ...scores, ai_analysis_other }, [])),
    ).rejects.toThrow('expected');
    expect(await world.show(key.result_id)).toEqual(before);
  });
});

describe('answers', () => {
  it('reject a recording that is no file of the store or of another result', async () => {
    const { enrolment, key } = await world.states.started();
    const other = await world.states.started();
    const { merchantId, environment } = world.cell;
    const answer = (recording_local_path: string) =>
      asLink(world, enrolment, (trx) =>
        storeAnswers(trx, key, [{ ...interactionOf('Spoken.', 2), recording_local_path }]),
      );
    const pathOf = (result: string) => `${merchantId}/${environment}/${result}/1/answer-2.webm`;
    await expect(answer('../answer.webm')).rejects.toThrow('Not a path of the object store');
    await expect(answer(pathOf(other.key.result_id))).rejects.toMatchObject({ code: '42501' });
    expect(await answer(pathOf(key.result_id))).toBe(1);
  });

  it('keep the first version when the same step is answered twice', async () => {
    const { enrolment, key } = await world.states.started();
    const again = interactionOf('Another answer.', 1);
    expect(await asLink(world, enrolment, (trx) => storeAnswers(trx, key, [again]))).toBe(0);
    const { interactions } = await world.show(key.result_id);
    expect(interactions).toMatchObject([{ answer: 'We measured both ways and kept the better one.' }]);
  });
});
