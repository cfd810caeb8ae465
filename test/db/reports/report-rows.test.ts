import { updateDaySums } from '../../../activities/reports/roll-up-days';
import { dayAt, startOfDay } from '../../../api/reports/language/calendar';
import type { CheckedBlock } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import { daySumColumnsFor, compileFromDaySums } from '../../../db/reports/day-sums';
import { openParameters } from '../../../db/reports/parameters';
import { findRunSettings } from '../../../db/reports/run-settings';
import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { coachStatuses, processingStatuses } from '../../../db/results/vocabulary';
import { takeInterview } from '../../../local/demo/candidate';
import { putRow, uuid } from '../platform/world';
import type { Cell } from '../platform/world';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld, Row } from '../results/result-world';
import { seededRandom } from './random';
import {
  blockOf,
  copyAttempt,
  createReportWorld,
  dimension,
  filtersOf,
  interviewResults,
  shown,
} from './report-world';
import type { ReportWorld } from './report-world';

describe('report days', () => {
  /* Compares reports that read the stored sums of each day with reports that read the attempts in the same snapshot. */

  const dayMs = 86_400_000;
  const random = seededRandom(20_261_124);
  /**
   * Returns a random time of the last two years. It is often in the last days, for which there are no sums by day yet.
   */
  const anyInstant = () =>
    Date.now() - random.below(random.pick([3, 30, 700]) * 24 * 60) * 60_000 - random.below(60_000);
  const instantText = () => new Date(anyInstant()).toISOString();

  const summed = [...interviewResults.measures.values()].filter(
    ({ aggregate }) => daySumColumnsFor(aggregate) !== null,
  );

  let world: ReportWorld;
  let cell: Cell;
  beforeAll(async () => {
    world = await createReportWorld(random, { rows: 400, instants: anyInstant });
    [cell] = world.cells;
    await world.database.rows('delete from report_rollup');
    await world.database.rows('delete from report_day');
  });

  const rollUp = () =>
    updateDaySums(world.worker, {
      signal: new AbortController().signal,
      onError: (error) => {
        throw error;
      },
    });

  const zones = ['Europe/Amsterdam', 'America/Sao_Paulo', 'Pacific/Apia', 'UTC'];
  const setZone = (zone: string) =>
    world.database.rows('update merchant set time_zone = $2 where id = $1', [cell.merchantId, zone]);

  function randomBlock(): CheckedBlock {
    const grain = random.pick(['day', 'week', 'month', 'quarter', 'year', null] as const);
    const daysAgo = (days: number) => Date.now() - days * dayMs;
    const from = daysAgo(1 + random.below(random.pick([5, grain === 'day' ? 300 : 720])));
    const to = random.chance(0.5)
      ? daysAgo(random.pick([-1, 1, 2, 3]))
      : from + random.below(random.pick([4, 300])) * dayMs;
    const measures = random.some(summed, 1 + random.below(5)).map(({ id }) => shown(id));
    return blockOf({
      type: grain === null ? 'kpi' : random.pick(['line', 'table'] as const),
      dimensions: grain === null ? [] : [{ field: dimension('completed_at'), grain }],
      measures,
      sort: [{ column: measures[0]?.as ?? '', dir: 'asc' }],
      ...(grain === null || random.chance(0.5) ? {} : { totals: true as const }),
      period: {
        preset: 'custom',
        firstDay: null,
        lastDay: '2026-01-01',
        previous: null,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
      },
    });
  }

  /** Returns the block. If it has a period, each end of the period is moved to the start of its local day. */
  function wholeDays(block: CheckedBlock, zone: string): CheckedBlock {
    const { period } = block;
    const start = (instant: string) =>
      new Date(startOfDay(dayAt(new Date(instant), zone), zone)).toISOString();
    return period?.from
      ? { ...block, period: { ...period, from: start(period.from), to: start(period.to) } }
      : block;
  }

  const rounded = (rows: readonly BlockRow[]) =>
    rows
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) =>
          typeof value === 'number' ? Number(value.toPrecision(10)) : value,
        ),
      )
      .toSorted();

  /**
   * Runs random blocks with and without the stored sums in one snapshot and compares the results. Returns how many rows
   * of stored sums there were.
   */
  const compare = (count: number): Promise<number> =>
    world.api.snapshot(
      cell.user,
      async (trx) => {
        const { rollup, time_zone } = await trx.one(findRunSettings);
        const zone = time_zone ?? 'UTC';
        for (let each = 0; each < count; each++) {
          const block = wholeDays(randomBlock(), zone);
          const filters = filtersOf({ timezone: zone, includeTest: random.chance(0.3) });
          const [fast, slow] = [compileBlock(block, filters, rollup), compileBlock(block, filters)];
          for (const part of ['rows', 'totals'] as const) {
            const [one, other] = [fast[part], slow[part]];
            if (!one || !other) continue;
            const wanted = rounded(await trx.rows(other));
            expect({ rows: rounded(await trx.rows(one)), block }).toEqual({ rows: wanted, block });
          }
        }
        const [found] = await trx.rows<{ count: number }>({
          text: 'select count(*)::int as count from report_day',
        });
        return rollup ? (found?.count ?? 0) : 0;
      },
      new AbortController().signal,
    );

  async function change(): Promise<void> {
    const { rows } = world.database;
    const one = `(merchant_id, result_id, attempt) in (
    select merchant_id, result_id, attempt from report_attempt where merchant_id = '${cell.merchantId}'
      and environment = '${cell.environment}' order by md5(result_id::text || $1::text) limit 3)`;
    const seed = String(random.next());
    const set = (assignment: string, ...values: unknown[]) =>
      rows(`update report_attempt set ${assignment} where ${one}`, [seed, ...values]);
    const kinds: (() => Promise<unknown>)[] = [
      () => set('score = $2', random.pick([null, 3.7, 8.25])),
      () => set('instant = $2, ended_at = $2', instantText()),
      () => set('is_test = not is_test'),
      () => set(`interview_status = $2, decision = null`, random.pick(['completed', 'abandoned', null])),
      () => set('decision = $2, decided_at = now(), is_shortlisted = not is_shortlisted', random.chance(0.5)),
      () => set('profile_id = $2, position_id = $3', cell.taken.candidate, cell.taken.position),
      () => rows(`delete from report_attempt where ${one}`, [seed]),
      () => copyAttempt(world, cell, 'score is not null', { instant: instantText() }),
    ];
    await random.pick(kinds)();
  }

  describe('report_day', () => {
    it('has a column for each count, sum and average of attempts', () => {
      const others = [...interviewResults.measures.values()].filter((each) => !summed.includes(each));
      expect(others.map(({ id }) => id)).toEqual([
        'candidates',
        'median_score',
        'p90_score',
        'median_duration',
        'last_completed_at',
      ]);
    });

    it('gives the numbers of the attempts after random changes, days and time zones', async () => {
      let days = 0;
      for (let turn = 1; turn <= 24; turn++) {
        for (let each = 0; each < 3; each++) await change();
        if (turn % 6 === 1) await setZone(random.pick(zones));
        if (random.chance(0.4)) await rollUp();
        days += await compare(3);
      }
      expect(days).toBeGreaterThan(150);
    });

    it('gives the numbers of the attempts while they change and days are summed up', async () => {
      const over = new AbortController();
      const whileRunning = async (work: () => Promise<unknown>) => {
        while (!over.signal.aborted) await work();
      };
      const others = [change, change, rollUp, rollUp].map((work) => whileRunning(work));
      let days = 0;
      try {
        for (let turn = 0; turn < 12; turn++) days += await compare(2);
      } finally {
        over.abort();
        await Promise.all(others);
      }
      await rollUp();
      expect(days + (await compare(5))).toBeGreaterThan(40);
    });

    it('is not read for what it does not have', () => {
      const rollup = { time_zone: 'UTC', until: '2026-11-01', changed_days: [] };
      const { period: any } = randomBlock();
      const periodOf = (from: string, to: string) =>
        any && { ...any, from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` };
      const period = periodOf('2026-09-01', '2026-10-01');
      const dates = { dimensions: [{ field: dimension('completed_at'), grain: 'day' as const }] };
      const isRead = (more: Partial<CheckedBlock>, filters = filtersOf()) => {
        const block = blockOf({ measures: [shown('completed')], period, ...more });
        const selection = { block, measures: block.measures, filters, range: block.period };
        return compileFromDaySums(selection, rollup, openParameters(filters.timezone)) !== null;
      };
      expect(isRead(dates)).toBe(true);
      expect(isRead({ ...dates, period: periodOf('2026-10-31', '2026-11-05') })).toBe(true);
      expect(isRead({ ...dates, period: periodOf('2026-11-02', '2026-11-05') })).toBe(false);
      expect(isRead({ measures: [shown('candidates')] })).toBe(false);
      expect(isRead({ measures: [shown('median_score')] })).toBe(false);
      expect(isRead({ dimensions: [{ field: dimension('completed_at'), grain: 'hour' }] })).toBe(false);
      expect(isRead({ dimensions: [{ field: dimension('interview_id'), grain: null }] })).toBe(false);
      expect(isRead({ dimensions: [{ field: dimension('started_at'), grain: 'day' }] })).toBe(false);
      expect(isRead(dates, filtersOf({ timezone: 'Europe/Paris' }))).toBe(false);
      expect(isRead(dates, filtersOf({ positionIds: [] }))).toBe(false);
      expect(isRead(dates, filtersOf({ interviewIds: [] }))).toBe(false);
    });

    it('is hidden from hiring managers', async () => {
      const { user } = cell;
      if (user.kind !== 'user_session') throw new Error('a cell has a user');
      const role = 'merchant_selection' as const;
      await world.database.rows('update profile set role = $2 where id = $1', [cell.profileId, role]);
      const [settings] = await world.api.query({ ...user, role }, findRunSettings);
      await world.database.rows('update profile set role = $2 where id = $1', [cell.profileId, user.role]);
      expect(settings).toMatchObject({ role, rollup: null });
    });
  });
});

describe('report attempts', () => {
  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const outcomes: Record<string, string> = {
    started: 'started',
    completed: 'completed',
    'completed, stopped early': 'completed',
    abandoned: 'abandoned',
    failed: 'failed',
    'terminated, no speech detected': 'failed',
  };
  const instantOf = (value: unknown): number | null => (typeof value === 'string' ? Date.parse(value) : null);
  const numberOf = (value: unknown, factor = 1): number | null =>
    value === null ? null : Number(value) * factor;

  type Takeaways = { next_steps: unknown[]; fixed?: unknown[] };

  /** Computes the row of report_attempt that an attempt must have. `evidence` is the verified share of its last scoring. */
  function expectedRow(fields: Row, enrolment: Row | null, interview: Row, evidence: number | null) {
    const { max_score: max = 10 } = (interview['result_scoring'] ?? {}) as { max_score?: number };
    const outcome = outcomes[String(fields['interview_status'])] ?? null;
    const risks = fields['recruiter_risks'];
    const { takeaways = null } = (fields['ai_analysis_other'] ?? {}) as { takeaways?: Takeaways };
    return {
      merchant_id: fields['merchant_id'],
      environment: fields['environment'],
      result_id: fields['id'],
      attempt: fields['attempt'],
      interview_id: fields['interview_id'],
      position_id: enrolment?.['position_id'] ?? null,
      profile_id: enrolment?.['profile_id'] ?? null,
      source: enrolment?.['source'] ?? null,
      language: interview['platform_language_code'],
      is_test: fields['is_test'],
      instant: instantOf(fields['ended_at'] ?? fields['started_at'] ?? fields['created_at']),
      started_at: instantOf(fields['started_at']),
      ended_at: instantOf(fields['ended_at']),
      submitted_at: instantOf(fields['submitted_at']),
      decided_at: instantOf(fields['decided_at']),
      status: fields['status'],
      interview_status: fields['interview_status'],
      processing_status: fields['processing_status'],
      outcome,
      decision: fields['recruiter_go_next_round'],
      is_undecided:
        fields['status'] === 'active' &&
        fields['processing_status'] === 'completed' &&
        outcome === 'completed' &&
        fields['recruiter_go_next_round'] === null,
      is_shortlisted: fields['recruiter_shortlist'],
      has_risk_flags: Array.isArray(risks) && risks.length > 0,
      score: numberOf(fields['score'], 10 / max),
      recruiter_score: numberOf(fields['ai_analysis_recruiter_score']),
      pronunciation: numberOf(fields['score_pronunciation']),
      words_per_minute: numberOf(fields['score_words_per_minute']),
      coverage: numberOf(fields['ai_interview_coverage_percentage'], 0.01),
      duration: numberOf(fields['duration'], 0.1),
      evidence_verified: evidence,
      steps_given: takeaways && takeaways.next_steps.length,
      steps_fixed: takeaways && (takeaways.fixed ?? []).length,
    };
  }

  const rounded = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
      ]),
    );
  const byKey = (rows: Row[]) =>
    rows
      .map(rounded)
      .toSorted((one, other) =>
        `${String(one['result_id'])} ${String(one['attempt'])}` <
        `${String(other['result_id'])} ${String(other['attempt'])}`
          ? -1
          : 1,
      );

  async function expectRowsOfAttempts(): Promise<number> {
    const { rows } = world.database;
    const made = await rows<{ fields: Row; enrolment: Row | null; interview: Row; evidence: number | null }>(
      `select f.fields, to_jsonb(e) as enrolment, to_jsonb(i) as interview, (
       select s.verified_share::float8 from score_record s
       where s.result_id = f.id and s.attempt = (f.fields ->> 'attempt')::integer and s.state = 'scored'
       order by s.run desc limit 1
     ) as evidence from (
       select merchant_id, id, enrolment_id, to_jsonb(r) as fields from interview_result r
       union all
       select a.merchant_id, r.id, r.enrolment_id, a.fields
       from interview_result_attempt a join interview_result r on r.id = a.result_id
       where a.fields <> '{}'
     ) f left join enrolment e on e.id = f.enrolment_id join interview i on i.id = (f.fields ->> 'interview_id')::uuid`,
    );
    const expected = made.map((one) => expectedRow(one.fields, one.enrolment, one.interview, one.evidence));
    const actual = await rows<{ row: Row }>('select to_jsonb(a) as row from report_attempt a');
    const times = ['instant', 'started_at', 'ended_at', 'submitted_at', 'decided_at'];
    expect(
      byKey(
        actual.map(({ row }) => ({
          ...row,
          ...Object.fromEntries(times.map((key) => [key, instantOf(row[key])])),
        })),
      ),
    ).toEqual(byKey(expected));
    return actual.length;
  }

  describe('report_attempt', () => {
    it('has one row for each attempt of the seed and of the world', async () => {
      expect(await expectRowsOfAttempts()).toBeGreaterThan(200);
    });

    it('follows random writes, decisions, reopens and deletes', async () => {
      const random = seededRandom(20_261_123);
      const { rows } = world.database;
      const maxScores = [undefined, { max_score: 5 }, { max_score: 20 }, { early_stop: true }];
      const feedback = [{ next_steps: [{}, {}], fixed: ['one'] }, { next_steps: [] }].map((takeaways) => ({
        takeaways,
      }));
      const taken: string[] = [];
      const plain: string[] = [];
      const update = (id: string, column: string, value: unknown) =>
        rows(`update interview_result set ${column} = $2 where id = $1`, [id, value]);
      const steps: Record<string, () => Promise<unknown>> = {
        take: async () => {
          const enrolment = await world.enrol({ result_scoring: random.pick(maxScores) ?? null });
          const until = random.pick(['started', 'collected', 'submitted', 'scored'] as const);
          const is_test = random.chance(0.2);
          taken.push((await takeInterview(world, { enrolment, until, is_test })).result_id);
        },
        decide: () =>
          world.asRecruiter((trx) =>
            decideResult(trx, random.pick(taken), {
              recruiter_go_next_round: random.pick([true, false, null]),
              recruiter_shortlist: random.chance(0.5),
              recruiter_risks: random.pick([null, [], [{ key: 'a', severity: 'issue' }]]),
            }),
          ),
        reopen: () => world.asRecruiter((trx) => reopenResult(trx, random.pick(taken))),
        retake: async () => {
          const [due] = await rows<{ enrolment_id: string }>(
            'select enrolment_id from interview_result where id = any ($1) and attempt > 1 and interview_status is null and not is_test limit 1',
            [taken],
          );
          if (due) await takeInterview(world, { enrolment: due.enrolment_id });
        },
        score: () =>
          rows(
            `insert into score_record (merchant_id, environment, result_id, attempt, run, state, verified_share)
           select r.merchant_id, r.environment, r.id, r.attempt, 1 + coalesce(max(s.run), 0), $2, $3 from interview_result r
           left join score_record s on s.result_id = r.id and s.attempt = r.attempt where r.id = $1 group by r.merchant_id, r.id`,
            [
              random.pick(taken),
              random.pick(['scored', 'scored', 'failed']),
              random.pick([null, 0, 0.75, 1]),
            ],
          ),
        'give feedback': () =>
          update(random.pick(taken), 'ai_analysis_other', random.pick<Row | null>([null, {}, ...feedback])),
        'erase scoring': () => rows('delete from score_record where result_id = $1', [random.pick(taken)]),
        insert: async () => {
          const id = uuid();
          await putRow(world.database, 'interview_result', world.cell, {
            id,
            enrolment_id: null,
            interview_status: random.pick([null, ...coachStatuses]),
            charge: random.pick([null, 'charged', 'free']),
            created_at: `2026-0${1 + random.below(9)}-10`,
          });
          plain.push(id);
        },
        update: () => {
          const [column, value] = random.pick<[string, unknown]>([
            ['interview_status', random.pick([null, ...coachStatuses])],
            ['processing_status', random.pick([null, ...processingStatuses])],
            ['status', random.pick(['draft', 'active'])],
            ['recruiter_go_next_round', random.pick([true, false, null])],
            ['score', random.pick([null, 3.5, 4, 9.9])],
            ['score_pronunciation', random.pick([null, 70])],
            ['score_words_per_minute', random.pick([null, 128.5])],
            ['ai_analysis_recruiter_score', random.pick([null, 6.1])],
            ['ai_interview_coverage_percentage', random.pick([null, 55])],
            ['duration', random.pick([null, 1234])],
            ['started_at', random.pick([null, '2026-03-29T00:30:00Z'])],
            ['ended_at', random.pick([null, '2026-03-29T01:30:00Z'])],
            ['submitted_at', random.pick([null, '2026-03-29T01:31:00Z'])],
            ['charge', random.pick([null, 'charged', 'free'])],
            ['is_test', random.chance(0.5)],
            ['recruiter_shortlist', random.chance(0.5)],
            ['recruiter_risks', random.pick([null, '[]', '{}', '[{"key": "a"}]'])],
            ['ai_analysis', 'No report reads it.'],
          ]);
          return update(random.pick(plain), column, value);
        },
        'move a candidate': () =>
          rows(
            `update enrolment set profile_id = $2 where id = (select enrolment_id from interview_result where id = $1)`,
            [random.pick(taken), random.pick([world.cell.taken.candidate, world.cell.free.candidate])],
          ),
        delete: async () => {
          const [id] = plain.splice(random.below(plain.length), 1);
          await rows('delete from interview_result where id = $1', [id]);
        },
        'delete history': () =>
          rows(
            `delete from interview_result_attempt a using (
             select result_id, attempt from interview_result_attempt where result_id = any ($1) limit 1
           ) one where a.result_id = one.result_id and a.attempt = one.attempt`,
            [taken],
          ),
      };
      await steps['take']?.();
      await steps['insert']?.();
      const weighed = [...Object.keys(steps), 'update', 'update', 'reopen', 'insert', 'retake'];
      for (let turn = 1; turn <= 250; turn++) {
        const step = random.pick(weighed);
        if (step === 'delete' && plain.length < 2) continue;
        await steps[step]?.();
        if (turn % 25 === 0) await expectRowsOfAttempts();
      }
      expect(await expectRowsOfAttempts()).toBeGreaterThan(250);
    });

    it('records an earlier attempt that was never the current one', async () => {
      const { key } = await world.states.scored();
      await world.database.rows('update interview_result set attempt = 3 where id = $1', [key.result_id]);
      await world.database.rows(
        `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
       select merchant_id, environment, id, 2, to_jsonb(r) || '{"attempt": 2}' from interview_result r where id = $1`,
        [key.result_id],
      );
      const attempts = await world.database.rows(
        'select attempt from report_attempt where result_id = $1 order by attempt',
        [key.result_id],
      );
      expect(attempts).toEqual([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
      await world.database.rows(`delete from report_attempt where result_id = $1 and attempt = 1`, [
        key.result_id,
      ]);
      await expectRowsOfAttempts();
    });

    it('keeps the scale of a score when the maximum of the interview changes', async () => {
      const enrolment = await world.enrol({ result_scoring: { max_score: 20 } });
      const { result_id } = await takeInterview(world, { enrolment, scores: { score: 15 } });
      const scoreOf = async () =>
        (await world.database.rows('select score from report_attempt where result_id = $1', [result_id]))[0];
      expect(await scoreOf()).toEqual({ score: 7.5 });
      await world.database.rows(
        `update interview set result_scoring = '{"max_score": 100}'
       where id = (select interview_id from interview_result where id = $1)`,
        [result_id],
      );
      await world.asRecruiter((trx) => decideResult(trx, result_id, { recruiter_shortlist: true }));
      expect(await scoreOf()).toEqual({ score: 7.5 });
      await world.database.rows('update interview_result set score = 16 where id = $1', [result_id]);
      expect(await scoreOf()).toEqual({ score: 8 });
    });
  });

  describe('decided_at', () => {
    it('is set by a decision, and null after it is taken back or the result is reopened', async () => {
      const { key } = await world.states.scored();
      const decide = (recruiter_go_next_round: boolean | null) =>
        world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round }));
      const decidedAt = async () => (await world.show(key.result_id))['decided_at'];
      expect(await decidedAt()).toBeNull();
      await decide(false);
      const first = await decidedAt();
      expect(first).not.toBeNull();
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_shortlist: true }));
      expect(await decidedAt()).toBe(first);
      await decide(true);
      expect(Date.parse(String(await decidedAt()))).toBeGreaterThan(Date.parse(String(first)));
      await decide(null);
      expect(await decidedAt()).toBeNull();
      await decide(true);
      await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
      expect(await decidedAt()).toBeNull();
    });
  });
});
