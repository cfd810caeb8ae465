import { readMerchantStatus } from '../../../db/account/merchant-status';
import type { MerchantStatusRow } from '../../../db/account/merchant-status';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { listResults } from '../../../db/results/result-list';
import { recordPdf } from '../../../db/results/results';
import { failAttempt } from '../../../db/taking/attempt-work';
import {
  answerTurn,
  beginAttempt,
  finishAttempt,
  getAttempt,
  submitAttempt,
} from '../../../db/taking/attempts';
import {
  readNewestLink,
  queryWithLink,
  recordScores,
  demoScores,
  takeInterview,
  typedAnswer,
} from '../../../local/demo/candidate';
import { meetAtRow } from '../../harness/platform/row-lock';
import { insertOf, rowOf, uuid } from '../platform/world';
import { createResultWorld, stateNames } from './result-world';
import type { ResultWorld, Row, State, Taking } from './result-world';

describe('results', () => {
  /* Tests the states of a result (docs/results.md#states): every transition in every state. */

  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const changesOf = (before: Row, after: Row): string[] =>
    Object.keys(after)
      .filter((column) => column !== 'updated_at' && column !== 'revision')
      .filter((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))
      .toSorted();

  const submitted: State[] = ['submitted', 'processing', 'failed to score', 'scored'];
  const scoreColumns = [
    'ai_analysis',
    'ai_analysis_other',
    'ai_analysis_recruiter',
    'ai_analysis_recruiter_score',
    'ai_analysis_recruiter_why_hire',
    'ai_analysis_recruiter_why_not_hire',
    'score',
    'score_answer',
    'score_pronunciation',
    'score_sentiment',
    'score_simulation',
    'score_text',
    'score_words_per_minute',
  ];
  const interactionScores = (id: string) => ({
    id,
    ai_analysis: 'Better.',
    ai_analysis_recruiter: 'Two examples.',
    score_answer_ai: 5,
    score_answer_ai_simulation: 5,
    answer_assessment_raw_data: [1],
  });

  /**
   * For each transition, the states in which it is allowed (`from`), its result in all other states (`refusal`), and
   * every column that it changes (`changes`).
   */
  /** The columns that change when an attempt ends. */
  const columnsOfAnEnd = [
    'ai_completion_reason',
    'ai_interview_coverage_percentage',
    'charge',
    'duration',
    'ended_at',
    'interview_status',
  ];
  const transitions: Record<
  string,
  {
    from: State[];
    run: (taken: Taking) => Promise<unknown>;
    refusal: unknown;
    changes: string[] | ((state: State) => string[]);
  }
> = {
  begin: {
    from: ['failed', 'reopened'],
    run: async ({ enrolment }) =>
      (await queryWithLink(world, enrolment, beginAttempt({ consentVersion: '1', language: null }))).outcome === 'begun',
    refusal: false,
    // A new attempt that follows one without a result has the same language, so this column does not change.
    changes: (state) =>
      [
        ...(state === 'failed'
          ? [...columnsOfAnEnd, 'attempt', 'is_successful']
          : ['consent_language', 'interview_status']),
        'consent_version',
        'consented_at',
        'deadline_at',
        'interactions',
        'last_active_at',
        'started_at',
      ].toSorted(),
  },
  answer: {
    from: ['started'],
    run: async ({ enrolment }) => {
      const { attempt } = await queryWithLink(world, enrolment, getAttempt);
      const turn = attempt?.turn?.turn_id ?? uuid();
      return (await queryWithLink(world, enrolment, answerTurn(turn, typedAnswer('More.')))).outcome === 'stored';
    },
    refusal: false,
    changes: ['interactions', 'last_active_at'],
  },
  collect: {
    from: ['started'],
    run: async ({ enrolment }) => {
      const { attempt } = await queryWithLink(world, enrolment, getAttempt);
      const { outcome } = await queryWithLink(world, enrolment, finishAttempt);
      return attempt?.state === 'running' && outcome === 'collected';
    },
    refusal: false,
    changes: columnsOfAnEnd,
  },
  submit: {
    from: ['collected'],
    run: async ({ enrolment }) => (await queryWithLink(world, enrolment, submitAttempt)).outcome === 'submitted',
    refusal: false,
    changes: ['charge', 'is_successful', 'link_generation', 'processing_status', 'scoring_run', 'status', 'submitted_at'],
  },
  fail: {
    from: ['started'],
    run: async ({ key }) => {
      const silence = failAttempt(key.result_id, key.attempt, 'terminated, no speech detected', 'no_speech');
      return (await world.writeAsWorker((trx) => trx.one(silence))).failed;
    },
    refusal: false,
    changes: columnsOfAnEnd,
  },
  'begin scoring': {
    from: ['submitted', 'processing'],
    run: ({ key }) => world.beginScoring(key),
    refusal: false,
    changes: (state) => (state === 'processing' ? [] : ['processing_status']),
  },
  'fail to score': {
    from: ['submitted', 'processing'],
    run: ({ key }) => world.failScoring(key),
    refusal: false,
    changes: ['processing_status'],
  },
  'record scores': {
    from: submitted,
    run: async ({ key }) => {
      const [spoken] = await world.database.rows<{ id: string }>(
        'select id from result_question where result_id = $1',
        [key.result_id],
      );
      const anew = { ...demoScores, score: 3.3 };
      return world.writeAsWorker((trx) => recordScores(trx, key, anew, [interactionScores(spoken?.id ?? '')]));
    },
    refusal: false,
    changes: (state) =>
      state === 'scored'
        ? ['interactions', 'score']
        : [...scoreColumns, 'interactions', 'processing_status'].toSorted(),
  },
  'record the PDF': {
    from: submitted,
    run: ({ key }) => world.writeAsWorker((trx) => recordPdf(trx, key, 'https://files.example/a.pdf')),
    refusal: 'gone',
    changes: ['pdf_export_url', 'pdf_made_at'],
  },
  'fail the PDF': {
    from: submitted,
    run: ({ key }) => world.writeAsWorker((trx) => recordPdf(trx, key, null)),
    refusal: 'gone',
    changes: ['pdf_failed_at'],
  },
  decide: {
    from: submitted,
    run: ({ key }) => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true })),
    refusal: 'not_submitted',
    changes: ['decided_at', 'recruiter_go_next_round'],
  },
  note: {
    from: ['started', 'collected', 'failed', 'reopened', ...submitted],
    run: ({ key }) =>
      world.asRecruiter((trx) =>
        decideResult(trx, key.result_id, {
          user_feedback_recruiter: 'Call back.',
          recruiter_shortlist: true,
          recruiter_risks: [{ key: 'notice', severity: 'warning' }],
        }),
      ),
    refusal: undefined,
    changes: ['recruiter_risks', 'recruiter_shortlist', 'user_feedback_recruiter'],
  },
  reopen: {
    from: ['scored'],
    run: ({ key }) => world.asRecruiter((trx) => reopenResult(trx, key.result_id)),
    refusal: false,
    changes: [
      ...scoreColumns,
      'ai_completion_reason',
      'ai_interview_coverage_percentage',
      'attempt',
      'charge',
      'consent_language',
      'consent_version',
      'consented_at',
      'deadline_at',
      'duration',
      'ended_at',
      'extra_attempts',
      'interview_status',
      'is_successful',
      'last_active_at',
      'link_generation',
      'processing_status',
      'started_at',
      'status',
      'submitted_at',
    ].toSorted(),
  },
}; // prettier-ignore

  describe('transitions', () => {
    /** An attempt in each state for the transitions that are rejected in it, because they leave it unchanged. */
    const unchanged = new Map<State, Taking>();
    const unchangedIn = async (state: State): Promise<Taking> => {
      const taken = unchanged.get(state) ?? (await world.states[state]());
      unchanged.set(state, taken);
      return taken;
    };

    it.each(Object.entries(transitions))(
      '%s is allowed or rejected in each state as documented',
      async (_, rule) => {
        const [found, expected]: [Row, Row] = [{}, {}];
        for (const state of stateNames) {
          const isAllowed = rule.from.includes(state);
          const taken = await (isAllowed ? world.states[state]() : unchangedIn(state));
          const before = await world.show(taken.key.result_id);
          const answer = await rule.run(taken);
          const changes = changesOf(before, await world.show(taken.key.result_id));
          const isRefusal = [undefined, false, 0, 'unknown', 'not_submitted', 'gone'].includes(
            answer as string,
          );
          found[state] = isAllowed ? { isRefusal, changes } : { answer, changes };
          const wanted = Array.isArray(rule.changes) ? rule.changes : rule.changes(state);
          expected[state] = isAllowed
            ? { isRefusal: false, changes: wanted }
            : { answer: rule.refusal, changes: [] };
        }
        expect(found).toEqual(expected);
      },
    );

    it('are all rejected for an earlier attempt', async () => {
      const { enrolment, key } = await world.states.reopened();
      const [old] = await world.database.rows<{ id: string }>(
        'select id from result_question where result_id = $1 and attempt = 1 limit 1',
        [key.result_id],
      );
      await queryWithLink(world, enrolment, beginAttempt({ consentVersion: '1', language: null }));
      const before = await world.show(key.result_id);
      const stale = { ...key, attempt: 1 };
      expect(
        await queryWithLink(world, enrolment, answerTurn(old?.id ?? '', typedAnswer('technical_error'))),
      ).toMatchObject({
        outcome: 'unknown_turn',
      });
      expect(
        await world.writeAsWorker(async (trx) => [
          (await trx.one(failAttempt(key.result_id, 1, 'failed', 'technical_error'))).failed,
          await recordScores(trx, stale, demoScores, []),
          await recordPdf(trx, stale, 'https://files.example/a.pdf'),
        ]),
      ).toEqual([false, false, 'gone']);
      expect([await world.beginScoring(stale), await world.failScoring(stale)]).toEqual([false, false]);
      expect(await world.show(key.result_id)).toEqual(before);
    });
  });

  describe('two concurrent transitions', () => {
    it.each(['begin', 'submit', 'fail', 'reopen'])('have one winner: %s', async (transition) => {
    const rule = transitions[transition];
    const state = rule?.from[0];
    if (!rule || !state) throw new Error(transition);
    const taken = await world.states[state]();
    const answers = await meetAtRow(world.database, 'interview_result', { key: 'id', id: taken.key.result_id }, [
      () => rule.run(taken),
      () => rule.run(taken),
    ]);
    expect(answers.filter((answer) => answer === rule.refusal)).toHaveLength(1);
  }); // prettier-ignore
  });
});

describe('result attempts', () => {
  /* Tests who can begin an attempt, what it costs, what the history keeps of it, and how lists order it (docs/results.md#attempts). */

  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  describe('starting an interview', () => {
    const begin = beginAttempt({ consentVersion: '1', language: null });
    const opens = async (enrolment: string, isTest = false) =>
      (await queryWithLink(world, enrolment, begin, isTest)).outcome === 'begun';

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
    ])(
      'is possible until its last day, also with a test link: the last day %s',
      async (_, days, expected) => {
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
      },
    );

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
        await world.database.rows('update enrolment set position_id = $2 where id = $1', [
          enrolment,
          position,
        ]);
        expect(await opens(enrolment)).toBe(expected);
      }
    });

    it('is rejected for a link of another generation', async () => {
      const link = await readNewestLink(world, await world.enrol());
      const beginWith = (generation: number) =>
        world.api.write({ ...link, generation }, (trx) => trx.one(begin));
      expect(await beginWith(0)).toEqual({ outcome: 'closed', attempt: null });
      await expect(beginWith(2)).rejects.toMatchObject({ code: 'PA401' });
    });

    it('creates two results for a test link and another link', async () => {
      const enrolment = await world.enrol();
      const one = await queryWithLink(world, enrolment, begin);
      const two = await queryWithLink(world, enrolment, begin, true);
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
      await queryWithLink(world, enrolment, finishAttempt);
      const amounts = async () => (await charges(key.result_id)).map(({ amount }) => amount);
      expect(await amounts()).toEqual(atCollecting);
      await queryWithLink(world, enrolment, submitAttempt);
      expect(await amounts()).toEqual(atSubmitting);
      await world.writeAsWorker((trx) => recordScores(trx, key, demoScores, []));
      expect(await amounts()).toEqual(atSubmitting);
    });

    it('stay counted as a debt after a reopen, and the next attempt adds its own', async () => {
      const poor = world.cells[2];
      const owed = async () => {
        const [status] = await world.api.query<MerchantStatusRow>(poor.user, readMerchantStatus);
        return status?.without_credits ?? 0;
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
});

describe('result revision', () => {
  /*
   * Webhook bodies are ordered by `revision`. The database increases it with every change of a result, whoever makes
   * the change.
   */

  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const revisionOf = async (id: string) => Number((await world.show(id))['revision']);

  describe('the revision of a result', () => {
    it('rises with each step of an interview, with scores, decisions, the PDF and a reopen', async () => {
      const seen: number[] = [];
      for (const state of ['started', 'collected', 'submitted', 'scored'] as const)
        seen.push(await revisionOf((await world.states[state]()).key.result_id));
      const { key } = await world.states.scored();
      const changes = [
        () => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true })),
        () => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_shortlist: true })),
        () => world.writeAsWorker((trx) => recordPdf(trx, key, 'https://files.example/1.pdf')),
        () => world.writeAsWorker((trx) => recordPdf(trx, key, null)),
        () => world.asRecruiter((trx) => reopenResult(trx, key.result_id)),
      ];
      for (const change of changes) {
        await change();
        seen.push(await revisionOf(key.result_id));
      }
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('differs for two changes at the same time', async () => {
      const { key } = await world.states.submitted();
      const before = await revisionOf(key.result_id);
      await meetAtRow<unknown>(world.database, 'interview_result', { key: 'id', id: key.result_id }, [
        () => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_shortlist: true })),
        () => world.writeAsWorker((trx) => recordPdf(trx, key, 'https://files.example/1.pdf')),
      ]);
      expect(await revisionOf(key.result_id)).toBe(before + 2);
    });

    it('is set by the database and not by a caller', async () => {
      const { key } = await world.states.scored();
      await expect(
        world.asRecruiter((trx) =>
          trx.count({
            text: 'update interview_result set revision = $2 where id = $1',
            values: [key.result_id, 1],
          }),
        ),
      ).rejects.toMatchObject({ code: '42501' });
      const before = await revisionOf(key.result_id);
      await world.database.rows('update interview_result set revision = 1, duration = $2 where id = $1', [
        key.result_id,
        before,
      ]);
      expect(await revisionOf(key.result_id)).toBe(before + 1);
    });
  });
});
