import type { Statement } from '../../../db/platform/statement';
import type { Condition } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import { compileRecords } from '../../../db/reports/compile-records';
import type { RecordRow, RecordSelection } from '../../../db/reports/compile-records';
import type { Grain } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets';
import type { Cell } from '../platform/world';
import { seededRandom } from './random';
import { blockOf, createReportWorld, dimension, filtersOf, measure, periodOf, shown } from './report-world';
import type { ReportWorld } from './report-world';

/* Tests that each number in a report block equals the number of records that are listed for it. */

const random = seededRandom(7);
const start = Date.parse('2026-03-01T00:00:00Z');
let world: ReportWorld;
let cell: Cell;
beforeAll(async () => {
  world = await createReportWorld(random, {
    rows: 200,
    instants: () => start + random.below(60 * 86_400) * 1_000,
  });
  [cell] = world.cells;
});

const spring = periodOf('2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z');
const read = <Row>(statement: Statement<Row>) =>
  world.api
    .read(cell.user, (trx) => trx.rows(statement))
    .catch((error: unknown) => {
      throw new Error(`${String(error)}\n${statement.text}`);
    });
const records = (
  selection: Pick<RecordSelection, 'block'> & Partial<RecordSelection>,
): Promise<RecordRow[]> =>
  read(compileRecords({ filters: filtersOf(), row: [], measure: null, limit: 500, offset: 0, ...selection }));
const valueOf = (row: BlockRow, at: number) => row[`c${at + 1}`] ?? null;

const counts = [...datasets.values()].flatMap((dataset) =>
  [...dataset.measures.values()]
    .filter(({ aggregate }) => aggregate.kind === 'count')
    .map((each) => [dataset.id, each.id] as const),
);

describe('compileRecords', () => {
  it.each(counts)(
    'lists as many rows of %s as %s counts in each row of a block',
    async (datasetId, measureId) => {
      const dataset = datasets.get(datasetId);
      if (!dataset) throw new Error(datasetId);
      const counted = shown(measureId, [], dataset);
      let numbers = 0;
      for (const field of dataset.dimensions.values()) {
        const grain: Grain | null = field.type === 'date' ? 'week' : null;
        const block = blockOf({
          dataset,
          dimensions: [{ field, grain }],
          measures: [counted],
          sort: [{ column: measureId, dir: 'desc' }],
          period: dataset.snapshot ? null : spring,
          limit: 5,
        });
        for (const row of await read(compileBlock(block, filtersOf()).rows)) {
          const chosen = [{ field, grain, value: valueOf(row, 0) }];
          const [first] = await records({ block, row: chosen, measure: counted, limit: 1 });
          expect([field.id, valueOf(row, 0), first?.total]).toEqual([
            field.id,
            valueOf(row, 0),
            valueOf(row, 1),
          ]);
          numbers += Number(first?.total);
        }
      }
      // Only interview_results is sure to have rows for every measure. The test data may have no rows for other
      // datasets, for example no credit entries.
      expect(numbers).toBeGreaterThanOrEqual(datasetId === 'interview_results' ? 1 : 0);
    },
  );

  it.each(['hour', 'day', 'month', 'year'] as const)('accepts the labels of a block by %s', async (grain) => {
    const field = dimension('completed_at');
    const counted = shown('started');
    const timezone = 'America/Sao_Paulo';
    const period = periodOf('2026-03-01T03:00:00Z', '2026-03-10T03:00:00Z');
    const block = blockOf({ dimensions: [{ field, grain }], measures: [counted], period, limit: 500 });
    const filters = filtersOf({ timezone });
    const rows = await read(compileBlock(block, filters).rows);
    let sum = 0;
    for (const row of rows) {
      const [first] = await records({
        block,
        filters,
        row: [{ field, grain, value: valueOf(row, 0) }],
        measure: counted,
        limit: 1,
      });
      expect(first?.total).toBe(valueOf(row, 1));
      sum += first?.total ?? 0;
    }
    expect(sum).toBeGreaterThan(0);
  });

  it('applies the conditions of the block and of the measure, and lists for a rate the rows that it divides by', async () => {
    const where: Condition[] = [
      { kind: 'field', field: dimension('is_voice_only'), op: 'eq', values: [false] },
    ];
    const filtered = { ...shown('shortlisted'), where };
    const rate = shown('shortlist_rate');
    const completed = shown('completed');
    const block = blockOf({
      dimensions: [{ field: dimension('interview_type'), grain: null }],
      measures: [filtered, rate, completed],
      where: [{ kind: 'field', field: dimension('attempt'), op: 'gte', values: [1] }],
      period: spring,
    });
    for (const row of await read(compileBlock(block, filtersOf()).rows)) {
      const chosen = [{ field: dimension('interview_type'), grain: null, value: valueOf(row, 0) }];
      const [[one], [base]] = [
        await records({ block, row: chosen, measure: filtered, limit: 1 }),
        await records({ block, row: chosen, measure: rate, limit: 1 }),
      ];
      expect([one?.total, base?.total]).toEqual([valueOf(row, 1), valueOf(row, 3)]);
    }
    expect(measure('shortlist_rate').aggregate.kind).toBe('ratio');
  });

  it('returns attempts newest first, in pages that have every row once', async () => {
    const block = blockOf({ measures: [shown('started')], period: spring });
    const whole = await records({ block });
    const pages = [];
    for (let offset = 0; offset < whole.length; offset += 7)
      pages.push(...(await records({ block, limit: 7, offset })));
    expect(pages).toEqual(whole);
    expect(whole[0]?.total).toBe(whole.length);
    const keys = whole.map(({ interview_result_id, attempt }) => `${interview_result_id}/${attempt}`);
    expect(new Set(keys).size).toBe(whole.length);
    const times = whole.map(({ occurred_at }) => occurred_at ?? '');
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await records({ block, offset: 1_000_000 })).toMatchObject([
      { total: whole.length, is_row: null },
    ]);
  });
});
