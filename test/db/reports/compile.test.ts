import { sample } from 'fast-check';
import type { Statement } from '../../../db/platform/statement';
import type { CheckedBlock, Condition, PeriodRange } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import { compileRecords } from '../../../db/reports/compile-records';
import type { RecordRow, RecordSelection } from '../../../db/reports/compile-records';
import type { Grain } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets';
import { definitionsOver } from '../../unit/reports/random-definition';
import { settle } from '../../unit/reports/repair';
import type { Cell } from '../platform/world';
import { evaluateBlock } from './naive-block';
import type { Attempt } from './naive-fields';
import { seededRandom } from './random';
import { isShortGrain, randomBlock, randomFilters } from './random-block';
import {
  blockOf,
  createReportWorld,
  datasetOf,
  dimension,
  filtersOf,
  hostile,
  measure,
  periodOf,
  shown,
} from './report-world';
import type { ReportWorld } from './report-world';

describe('compile block', () => {
  /* Runs random blocks over random attempts in Postgres and in an evaluator in memory, and compares the results. */

  /** Time zones, and the times at which their clocks change. In Sao Paulo, the clocks change at midnight. */
  const zones: [zone: string, changes: string[]][] = [
    ['Europe/Amsterdam', ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']],
    ['America/New_York', ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z']],
    ['Australia/Lord_Howe', ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z']],
    ['America/Sao_Paulo', ['2018-02-18T02:00:00Z', '2018-11-04T03:00:00Z']],
  ];
  const hourMs = 3_600_000;
  const blocksPerZone = 25;

  const valuesOf = ({ bucket, ...columns }: BlockRow, count: number) => [
    Array.from({ length: count }, (_, at) => (columns as Record<string, unknown>)[`c${at + 1}`]),
    bucket,
  ];

  describe.each(zones)('compileBlock in %s', (zone, changes) => {
    const random = seededRandom(zones.findIndex(([name]) => name === zone) + 1);
    let world: ReportWorld;
    let cell: Cell;
    let attempts: Attempt[];
    beforeAll(async () => {
      const times = changes.map((change) => Date.parse(change));
      world = await createReportWorld(random, {
        // Each generated time is at most half an hour, 3 hours, a week or 100 days away from a change of the clocks.
        instants: () =>
          random.pick(times) +
          random.below(1_000) +
          (random.below(3_600) - 1_800) * 1_000 * random.pick([1, 6, 24 * 14, 24 * 200]),
      });
      [cell] = world.cells;
      attempts = await world.attemptsOf(cell);
    });

    const run = (statement: Statement<BlockRow>) => world.api.read(cell.user, (trx) => trx.rows(statement));
    const around = (block: CheckedBlock): PeriodRange => {
      const change = Date.parse(random.pick(changes));
      const isShort = block.dimensions.some(({ grain }) => isShortGrain(grain));
      const reach = isShort ? 8 * 24 : random.pick([30, 24 * 30, 24 * 400]);
      const at = (hours: number) => new Date(change + hours * hourMs).toISOString();
      const from = at(-random.below(reach) - random.pick([0, 0.5]));
      return { from: !isShort && random.chance(0.15) ? null : from, to: at(1 + random.below(reach)) };
    };

    it(`returns what an evaluator in memory does, for ${blocksPerZone} random blocks`, async () => {
      for (let each = 0; each < blocksPerZone; each++) {
        const situation = { random, attempts, zone };
        const made = randomBlock(situation);
        const filters = randomFilters(situation);
        const range = around(made);
        const previous = range.from === null ? null : around(made);
        const block: CheckedBlock = {
          ...made,
          period: { ...range, previous, preset: 'custom', firstDay: null, lastDay: '2026-01-01' },
          compare: previous && random.chance(0.2) ? 'previous_period' : null,
          ...(made.dimensions.length > 0 && random.chance(0.3) ? { totals: true, others: true } : {}),
        };
        const compiled = compileBlock(block, filters);
        for (const value of hostile)
          expect(compiled.rows.text).not.toContain(value.length > 2 ? value : '\0');
        const count = block.dimensions.length + block.measures.length;
        const rowsOf = async (statement: Statement<BlockRow>) => {
          const rows = await run(statement).catch((error: unknown) => {
            throw new Error(`${String(error)}\n${statement.text}`);
          });
          return rows.map((row) => valuesOf(row, count));
        };
        const expectSame = (actual: unknown[], wanted: unknown[], statement: Statement, of: PeriodRange) => {
          if (JSON.stringify(actual) !== JSON.stringify(wanted))
            expect({ each, actual, text: statement.text, values: statement.values, range: of }).toEqual({
              actual: wanted,
            });
        };
        const evaluate = (of: PeriodRange, limit: number) =>
          evaluateBlock(attempts, block, filters, of, limit);
        const expectRows = async (statement: Statement<BlockRow>, of: PeriodRange, limit: number) => {
          const { rows, buckets } = evaluate(of, limit);
          const wanted = rows.map((row, at) => [row, buckets[at]]);
          expectSame(await rowsOf(statement), wanted, statement, of);
        };
        await expectRows(compiled.rows, range, block.limit + 1);
        if (compiled.previous && previous) await expectRows(compiled.previous, previous, 501);
        const { rest } = evaluate(range, 1);
        const { totals, previousTotals, others } = compiled;
        if (totals) expectSame(await rowsOf(totals), [[rest(0), null]], totals, range);
        if (previousTotals && previous)
          expectSame(
            await rowsOf(previousTotals),
            [[evaluate(previous, 1).rest(0), null]],
            previousTotals,
            previous,
          );
        if (others) expectSame(await rowsOf(others), [[rest(block.limit), null]], others, range);
      }
    });
  });
});

describe('compile records', () => {
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
  const recordsOf = (selection: Pick<RecordSelection, 'block'> & Partial<RecordSelection>) =>
    compileRecords({
      filters: filtersOf(),
      row: [],
      measure: null,
      limit: 500,
      offset: 0,
      place: null,
      ...selection,
    });
  const records = (selection: Parameters<typeof recordsOf>[0]) => read(recordsOf(selection));
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
        const dataset = datasetOf(datasetId);
        const counted = shown(measureId, [], dataset);
        const numbers: { field: string; value: unknown; count: unknown; total: number }[] = [];
        await world.api.read(cell.user, async (trx) => {
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
            for (const row of await trx.rows(compileBlock(block, filtersOf()).rows)) {
              const value = valueOf(row, 0);
              const listed = recordsOf({ block, row: [{ field, grain, value }], measure: counted, limit: 1 });
              const [first] = await trx.rows(listed);
              numbers.push({ field: field.id, value, count: valueOf(row, 1), total: first?.total ?? 0 });
            }
          }
        });
        expect(numbers.filter(({ count, total }) => count !== total)).toEqual([]);
        // Only interview_results is sure to have rows for every measure. The test data may have no rows for other
        // datasets, for example no credit entries.
        const sum = numbers.reduce((before, { total }) => before + total, 0);
        expect(sum).toBeGreaterThanOrEqual(datasetId === 'interview_results' ? 1 : 0);
      },
    );

    it.each(['hour', 'day', 'month', 'year'] as const)(
      'accepts the labels of a block by %s',
      async (grain) => {
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
      },
    );

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
      const pages: RecordRow[] = [];
      for (let offset = 0; offset < whole.length; offset += 7)
        pages.push(...(await records({ block, limit: 7, offset })));
      const keysOf = (rows: RecordRow[]) =>
        rows.map(({ interview_result_id, attempt }) => `${interview_result_id}/${attempt}`);
      const keys = keysOf(whole);
      expect(keysOf(pages)).toEqual(keys);
      expect(whole[0]?.total).toBe(whole.length);
      expect(new Set(keys).size).toBe(whole.length);
      const times = whole.map(({ occurred_at }) => occurred_at ?? '');
      expect(times).toEqual(times.toSorted().toReversed());
      expect(await records({ block, offset: 1_000_000 })).toMatchObject([
        { total: whole.length, place: null },
      ]);
    });
  });
});

describe('random definitions', () => {
  /* Tests that Postgres can run every definition that the validator accepts. */

  describe('a report that was accepted', () => {
    let world: ReportWorld;
    let cell: Cell;
    beforeAll(async () => {
      const random = seededRandom(5);
      const now = Date.parse('2026-11-23T12:00:00Z');
      world = await createReportWorld(random, { instants: () => now - random.below(400 * 24) * 3_600_000 });
      [cell] = world.cells;
    });

    it('runs in Postgres, for 40 random definitions', async () => {
      const definitions = sample(definitionsOver(datasets).definition, { seed: 20_261_123, numRuns: 40 });
      let rows = 0;
      for (const definition of definitions) {
        const { blocks, checkedFilters } = settle({
          definition,
          datasets,
          now: new Date('2026-11-23T12:00:00Z'),
          merchantZone: 'Europe/Amsterdam',
          firstRowAt: () => new Date('2025-10-01T00:00:00Z'),
        });
        for (const block of blocks) {
          if (block.type === 'text') continue;
          for (const statement of Object.values(compileBlock(block, checkedFilters))) {
            if (!statement) continue;
            const found = await world.api
              .read(cell.user, (trx) => trx.rows(statement))
              .catch((error: unknown) => {
                throw new Error(`${String(error)}\n${statement.text}\n${JSON.stringify(definition)}`);
              });
            rows += found.length;
          }
        }
      }
      expect(rows).toBeGreaterThan(0);
    });
  });
});
