import type { Caller, Database } from '../../../db/platform/database';
import type { CheckedBlock } from '../../../db/reports/checked-report';
import { compileBlock, findFirstInstant } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets';
import { expensiveScans, vacuum } from '../platform/plan-cost';
import { putRow, uuid } from '../platform/world';
import type { Cell } from '../platform/world';
import { seededRandom } from './random';
import { blockOf, createReportWorld, datasetOf, filtersOf, hostile, periodOf, shown } from './report-world';
import type { ReportWorld } from './report-world';

const start = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;
let world: ReportWorld;
let cell: Cell;
beforeAll(async () => {
  const random = seededRandom(42);
  world = await createReportWorld(random, {
    rows: 100,
    instants: () => start + random.below(180 * 86_400) * 1_000,
  });
  [cell] = world.cells;
});

const year = periodOf('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
const all = [...datasets.values()];
const run = (block: CheckedBlock, caller = cell.user, filters = filtersOf()): Promise<BlockRow[]> =>
  world.api.read(caller, (trx) => trx.rows(compileBlock(block, filters).rows));
/** Runs many blocks in one transaction. */
const runAll = (
  database: Pick<Database, 'read'>,
  caller: Caller,
  blocks: readonly CheckedBlock[],
): Promise<BlockRow[][]> =>
  database.read(caller, async (trx) => {
    const found: BlockRow[][] = [];
    for (const block of blocks) found.push(await trx.rows(compileBlock(block, filtersOf()).rows));
    return found;
  });
const firstRow = async (dataset: Dataset, ids: string[], more: Partial<CheckedBlock> = {}) => {
  const [row] = await run(
    blockOf({ dataset, measures: ids.map((id) => shown(id, [], dataset)), period: year, ...more }),
  );
  return Object.fromEntries(ids.map((id, at) => [id, row?.[`c${at + 1}`]]));
};
const dimensionBlock = (dataset: Dataset, field: Dimension) =>
  blockOf({
    dataset,
    dimensions: [{ field, grain: field.type === 'date' ? 'month' : null }],
    sort: [{ column: field.id, dir: 'asc' }],
    period: dataset.snapshot ? null : year,
  });

describe.each(all.map((dataset) => [dataset.id, dataset] as const))('%s', (_, dataset) => {
  const fields: (Dimension | Measure)[] = [...dataset.dimensions.values(), ...dataset.measures.values()];

  it('has every field for people, service keys and scheduled runs', async () => {
    const scheduled = { kind: 'report_schedule', scheduleId: cell.taken['schedule'] ?? '' } as const;
    const blocks = fields.map((field) =>
      field.kind === 'dimension'
        ? dimensionBlock(dataset, field)
        : blockOf({ dataset, measures: [shown(field.id, [], dataset)], period: year }),
    );
    // Only the numbers of rows are compared, because values such as the days in a step grow while the test runs.
    const [ofPerson, ofKey, ofSchedule] = await Promise.all(
      [
        runAll(world.api, cell.user, blocks),
        runAll(world.api, cell.service, blocks),
        runAll(world.worker, scheduled, blocks),
      ].map(async (found) => (await found).map((rows) => rows.length)),
    );
    expect([ofKey, ofSchedule]).toEqual([ofPerson, ofPerson]);
    expect(fields.filter((_, at) => ofPerson?.[at] === 0)).toEqual([]);
    for (const field of fields) {
      expect(field.description).toMatch(/^[^\n]{10,200}\.$/);
      const values = field.kind === 'dimension' ? (field.values ?? []) : [];
      expect([field.id, new Set(values).size]).toEqual([field.id, values.length]);
    }
  });

  it('finds its first row', async () => {
    const { first } = await world.api.read(cell.user, (trx) => trx.one(findFirstInstant(dataset)));
    expect(typeof first).toBe(dataset.snapshot ? 'object' : 'string');
  });

  it('treats values that look like SQL as text', async () => {
    const texts = [...dataset.dimensions.values()].filter(({ type, values }) => type === 'text' && !values);
    const cases = texts.flatMap((field) =>
      (['eq', 'ne', 'contains', 'not_contains', 'starts_with'] as const).flatMap((op) =>
        hostile.map((value) => ({ field, op, value })),
      ),
    );
    const blocks = cases.map(({ field, op, value }) => ({
      ...dimensionBlock(dataset, field),
      where: [{ kind: 'field', field, op, values: [value] } as const],
    }));
    const found = await runAll(world.api, cell.user, blocks);
    for (const [at, { op, value }] of cases.entries()) {
      const block = blocks[at];
      expect(block && compileBlock(block, filtersOf()).rows.values).toContainEqual(
        expect.stringContaining(op === 'eq' || op === 'ne' ? value : ''),
      );
      const shownTexts = found[at]?.map((row) => row.c1) ?? [];
      if (op === 'eq') expect(shownTexts.filter((text) => text !== value)).toEqual([]);
      if (op === 'ne') expect(shownTexts).not.toContain(value);
    }
  });

  it('has the rows of the merchant and the environment only', async () => {
    const field = dataset.dimensions.get('interview_id') ?? dataset.dimensions.get('position_id');
    if (!field) throw new Error('no id');
    const seen = await Promise.all(
      world.cells.map(async (each) => {
        const rows = await run(dimensionBlock(dataset, field), each.user, filtersOf({ includeTest: true }));
        return new Set(rows.map((row) => row.c1).filter((id) => id !== null));
      }),
    );
    const table = field.id === 'interview_id' ? 'interview' : 'position';
    for (const [at, { merchantId, environment }] of world.cells.entries()) {
      const own = await world.database.rows<{ id: string }>(
        `select id from ${table} where merchant_id = $1 and environment = $2`,
        [merchantId, environment],
      );
      const ids = new Set(own.map(({ id }) => id));
      expect([...(seen[at] ?? [])].filter((id) => !ids.has(String(id)))).toEqual([]);
    }
    // A filter with ids of another merchant finds no rows.
    const [, , stranger] = seen;
    const filter = { positionIds: [...(stranger ?? [])].map(String) };
    if (field.id === 'position_id')
      expect(await run(dimensionBlock(dataset, field), cell.user, filtersOf(filter))).toEqual([]);
    else
      expect(
        await run(dimensionBlock(dataset, field), cell.user, filtersOf({ interviewIds: filter.positionIds })),
      ).toEqual([]);
  });
});

describe('credits', () => {
  it('add up to the change of the balance, and count what was not paid', async () => {
    const dataset = datasetOf('credits');
    const ids = ['granted', 'consumed', 'refunded', 'expired', 'net', 'interviews_charged'];
    const before = await firstRow(dataset, ids);
    const result_id = cell.taken.result;
    const rows = [
      { kind: 'grant', amount: 10, bucket: 'extra' },
      { kind: 'renewal', amount: 5.5, bucket: 'monthly' },
      // As floating-point numbers, these two charges would not add up to exactly -0.3.
      { kind: 'charge', amount: -0.1, bucket: 'monthly', result_id, attempt: 1 },
      { kind: 'charge', amount: -0.2, bucket: 'extra', result_id, attempt: 1 },
      { kind: 'refund', amount: 1, bucket: 'extra', result_id, attempt: 1 },
      { kind: 'expiry', amount: -0.5, bucket: 'monthly' },
    ];
    for (const row of rows)
      await putRow(world.database, 'credit_entry', cell, { created_at: '2026-05-01T12:00:00Z', ...row });
    const after = await firstRow(dataset, ids);
    expect(ids.map((id) => Number(after[id]) - Number(before[id]))).toEqual([15.5, 0.3, 1, 0.5, 15.7, 1]);
    const [owed] = await world.database.rows<{ count: number }>(
      `select count(*)::int from unpaid_attempt where merchant_id = $1 and $2 = 'production' and due_at < '2027-01-01'`,
      [cell.merchantId, cell.environment],
    );
    expect(await firstRow(dataset, ['interviews_without_credits'])).toEqual({
      interviews_without_credits: owed?.count,
    });
  });

  it('are hidden from hiring managers, also in the database', async () => {
    expect(datasetOf('credits').hiddenFromHiringManagers).toBe(true);
    const [profileId, sessionId] = [uuid(), uuid()];
    await putRow(world.database, 'profile', cell, { id: profileId, role: 'merchant_selection' });
    await putRow(world.database, 'session', cell, { id: sessionId, profile_id: profileId });
    const caller = { ...cell.user, sessionId, profileId, role: 'merchant_selection' } as Cell['user'];
    const seen = await world.api.read(caller, (trx) => trx.rows({ text: 'select id from credit_entry' }));
    expect(seen).toEqual([]);
  });
});

describe('coaching_sessions', () => {
  it.each(['coaching', 'persona'])(
    'compare a repeated %s with its first attempt and with the one before',
    async (type) => {
      const interview = uuid();
      await putRow(world.database, 'interview', cell, { id: interview, type });
      const result_id = uuid();
      const feedback = [
        { score: 4, steps_given: 4, steps_fixed: 0 },
        { score: 5, steps_given: 2, steps_fixed: 3 },
        { score: 8.5, steps_given: null, steps_fixed: null },
      ];
      for (const [index, given] of feedback.entries())
        await putRow(world.database, 'report_attempt', cell, {
          result_id,
          interview_id: interview,
          attempt: index + 1,
          instant: '2026-03-01',
          started_at: '2026-03-01',
          ended_at: '2026-03-01',
          interview_status: 'completed',
          ...given,
        });
      const ids = [
        'sessions',
        'completed',
        'best_score',
        'avg_score_gain',
        'repeat_rate',
        'steps_given',
        'steps_fixed',
        'fix_rate',
      ];
      const [row] = await run(
        blockOf({
          dataset: datasetOf('coaching_sessions'),
          measures: ids.map((id) => shown(id, [], datasetOf('coaching_sessions'))),
          period: year,
        }),
        cell.user,
        filtersOf({ interviewIds: [interview] }),
      );
      expect(ids.map((_, at) => row?.[`c${at + 1}`])).toEqual([3, 3, 8.5, 2.75, 2 / 3, 6, 3, 0.75]);
    },
  );
});

describe('position_pipeline', () => {
  it('counts candidates by their decision, and positions without candidates', async () => {
    const dataset = datasetOf('position_pipeline');
    const ids = [
      'candidates',
      'awaiting_decision',
      'advanced',
      'rejected',
      'open_positions',
      'step_conversion',
    ];
    const read = () => firstRow(dataset, ids, { period: null });
    const before = await read();
    expect(Number(before['open_positions'])).toBeGreaterThan(Number(before['candidates']));
    await world.database.rows(
      `update interview_result set status = 'active', interview_status = 'completed', processing_status = 'completed'
       where id = any ($1)`,
      [[cell.taken.result, cell.free.result]],
    );
    await world.database.rows('update interview_result set recruiter_go_next_round = true where id = $1', [
      cell.taken.result,
    ]);
    expect(await read()).toEqual({ ...before, awaiting_decision: 1, advanced: 1, step_conversion: 0.5 });
  });
});

describe('the covering index', () => {
  it('serves 30 days by week of a merchant with 26,000 attempts without reading the table', async () => {
    const { rows } = world.database;
    await rows('set session_replication_role = replica');
    await rows(
      `insert into report_attempt (merchant_id, environment, result_id, attempt, interview_id, language, is_test, instant,
         started_at, ended_at, status, interview_status, is_shortlisted, has_risk_flags, score)
       select $1, $2, uuidv7(), 1, $3, 'en', false, t, t, t, 'active', 'completed', n % 5 = 0, false, n % 10
       from generate_series(1, 26000) n cross join lateral (select timestamptz '2026-06-30' - n * interval '40 minutes' as t)`,
      [cell.merchantId, cell.environment, cell.taken.interview],
    );
    await rows('set session_replication_role = origin');
    await vacuum(rows, 'report_attempt');
    const block = blockOf({
      type: 'line',
      dimensions: [
        { field: [...datasetOf('interview_results').dimensions.values()][0] as Dimension, grain: 'week' },
      ],
      measures: ['completed', 'avg_score', 'shortlisted', 'started', 'candidates', 'avg_duration'].map((id) =>
        shown(id),
      ),
      period: periodOf(new Date(Date.parse('2026-06-30') - 30 * dayMs).toISOString(), '2026-06-30T00:00:00Z'),
    });
    const scans = await expensiveScans(
      (work) => world.api.read(cell.user, work),
      compileBlock(block, filtersOf({ timezone: 'Europe/Amsterdam' })).rows,
    );
    expect(scans).toMatchObject([
      {
        'Node Type': 'Index Only Scan',
        'Index Name': 'report_attempt__merchant_id_environment_instant',
      },
    ]);
    expect(scans[0]?.['Heap Fetches']).toBeLessThan(50);
    expect(scans[0]?.['Actual Rows']).toBeLessThan(1_300);
  });
});
