import { rollUpDays } from '../../../activities/reports/roll-up-days';
import { dayAt, startOfDay } from '../../../api/reports/language/calendar';
import type { CheckedBlock } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import { compileRollup, columnsFor } from '../../../db/reports/day-sums';
import { openParameters } from '../../../db/reports/parameters';
import { findRunSettings } from '../../../db/reports/run-settings';
import type { Cell } from '../platform/world';
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
  ({ aggregate }) => columnsFor(aggregate) !== null,
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
  rollUpDays(world.worker, {
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
  const start = (instant: string) => new Date(startOfDay(dayAt(new Date(instant), zone), zone)).toISOString();
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
    for (let turn = 1; turn <= 60; turn++) {
      for (let each = 0; each < 3; each++) await change();
      if (turn % 15 === 1) await setZone(random.pick(zones));
      if (random.chance(0.4)) await rollUp();
      days += await compare(3);
    }
    expect(days).toBeGreaterThan(500);
  });

  it('gives the numbers of the attempts while they change and days are summed up', async () => {
    const over = new AbortController();
    const whileRunning = async (work: () => Promise<unknown>) => {
      while (!over.signal.aborted) await work();
    };
    const others = [change, change, rollUp, rollUp].map((work) => whileRunning(work));
    let days = 0;
    try {
      for (let turn = 0; turn < 30; turn++) days += await compare(2);
    } finally {
      over.abort();
      await Promise.all(others);
    }
    await rollUp();
    expect(days + (await compare(5))).toBeGreaterThan(100);
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
      return compileRollup(selection, rollup, openParameters(filters.timezone)) !== null;
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
