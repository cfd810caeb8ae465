import { readMerchantStatus } from '../../../db/account/merchant-status';
import type { MerchantStatusRow } from '../../../db/account/merchant-status';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { listResults } from '../../../db/results/result-list';
import { recordScores } from '../../../db/results/results';
import { beginAttempt, finishAttempt, submitAttempt } from '../../../db/taking/attempts';
import { linkOf, onLink, scores, takeInterview } from '../../../local/demo/candidate';
import { insertOf, rowOf, uuid } from '../platform/world';
import { createResultWorld } from './result-world';
import type { ResultWorld, Row } from './result-world';

/* Tests who can begin an attempt, what it costs, what the history keeps of it, and how lists order it (docs/results.md#attempts). */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});

describe('starting an interview', () => {
  const begin = beginAttempt({ consentVersion: '1', language: null });
  const opens = async (enrolment: string, isTest = false) =>
    (await onLink(world, enrolment, begin, isTest)).outcome === 'begun';

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
      for (const [isTest, expected] of [
        [false, open],
        [true, openToTest],
      ] as const)
        expect([isTest, await opens(await world.enrol({ status }), isTest)]).toEqual([isTest, expected]);
    },
  );

  it.each([
    ['was yesterday', -1, false],
    ['is today', 0, true],
    ['is tomorrow', 1, true],
  ])('is possible until its last day, also with a test link: the last day %s', async (_, days, expected) => {
    const dayFromNow = () => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const startsOfOneDay = async (): Promise<boolean[]> => {
      const interview_available_till = dayFromNow();
      const started: boolean[] = [];
      for (const is_test of [false, true]) {
        const enrolment = await world.enrol({ interview_available_till });
        started.push(await opens(enrolment, is_test));
      }
      // If midnight has passed since the attempts began, the outcome may be that of either day, so the test repeats
      // them.
      return dayFromNow() === interview_available_till ? started : startsOfOneDay();
    };
    expect(await startsOfOneDay()).toEqual([expected, expected]);
  });

  it('depends on the end of the position and not of its step', async () => {
    const ended = '2026-01-01T10:00:00.000Z';
    for (const [till, expected] of [
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
      expect(await opens(enrolment)).toBe(expected);
    }
  });

  it('is rejected for a link of another generation', async () => {
    const link = await linkOf(world, await world.enrol());
    const beginWith = (generation: number) =>
      world.api.write({ ...link, generation }, (trx) => trx.one(begin));
    expect(await beginWith(0)).toEqual({ outcome: 'closed', attempt: null });
    await expect(beginWith(2)).rejects.toMatchObject({ code: 'PA401' });
  });

  it('creates two results for a test link and another link', async () => {
    const enrolment = await world.enrol();
    const one = await onLink(world, enrolment, begin);
    const two = await onLink(world, enrolment, begin, true);
    expect([one.outcome, two.outcome]).toEqual(['begun', 'begun']);
    expect(one.attempt?.result_id).not.toBe(two.attempt?.result_id);
  });
});

describe('other callers', () => {
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
    expect(history).toEqual({ attempt: 1, fields: { ...finished, link_generation: 1 } });
    expect(await world.show(key.result_id)).toMatchObject({ attempt: 2, recruiter_shortlist: true, recruiter_go_next_round: null });
    expect(await takeInterview(world, { enrolment, answers: ['Now better.'] })).toEqual({ ...key, attempt: 2 });
    const spoken = await world.database.rows(
      `select attempt, array_agg(answer order by step_order) as answers from result_question
       where result_id = $1 and score = 4 group by attempt order by attempt`,
      [key.result_id],
    );
    const usual = 'We measured both ways and kept the better one.';
    expect(spoken).toEqual([
      { attempt: 1, answers: [usual, usual, usual] },
      { attempt: 2, answers: ['Now better.', null] },
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
    ['more than 30 seconds, when they are collected', 31, [1], [1]],
    ['up to 30 seconds, when they are submitted', 0, [], [1]],
  ])('are charged once for an interview of %s', async (_, seconds, atCollecting, atSubmitting) => {
    const enrolment = await world.enrol();
    const key = await takeInterview(world, { enrolment, until: 'started' });
    await world.lengthen(key.result_id, seconds);
    await onLink(world, enrolment, finishAttempt);
    const amounts = async () => (await charges(key.result_id)).map(({ amount }) => amount);
    expect(await amounts()).toEqual(atCollecting);
    await onLink(world, enrolment, submitAttempt);
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

describe('a list by score', () => {
  it('compares the shares of the highest score that each attempt could get, on every page', async () => {
    const made: [max: number | null, score: number | null][] = [
      [100, 60],
      [null, 7.5],
      [5, 4],
      [20, 15],
      [5, null],
    ];
    const ids: string[] = [];
    for (const [max_score, score] of made) {
      const enrolment = await world.enrol({ result_scoring: max_score && { max_score } });
      ids.push((await takeInterview(world, { enrolment, scores: { score } })).result_id);
    }
    const order_by = 'score';
    const read = (limit: number, offset: number) =>
      world.asRecruiter((trx) => trx.rows(listResults({ order_by, limit, offset })));
    const pages: string[] = [];
    const [{ total } = { total: 0 }] = await read(1, 0);
    for (let offset = 0; offset < total; offset += 2)
      pages.push(...(await read(2, offset)).map(({ interview_result_id: id }) => id ?? ''));
    // The shares are 0.8, 0.75 twice, the newest first, and 0.6.
    expect(pages.filter((id) => ids.includes(id))).toEqual([ids[2], ids[3], ids[1], ids[0], ids[4]]);
  });
});
