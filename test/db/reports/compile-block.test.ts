import type { Statement } from '../../../db/platform/statement';
import type { CheckedBlock, PeriodRange } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { BlockRow } from '../../../db/reports/compile-block';
import type { Cell } from '../platform/world';
import { evaluateBlock } from './naive-block';
import type { Attempt } from './naive-fields';
import { seededRandom } from './random';
import { isShortGrain, randomBlock, randomFilters } from './random-block';
import { createReportWorld, hostile } from './report-world';
import type { ReportWorld } from './report-world';

/* Runs random blocks over random attempts in Postgres and in an evaluator in memory, and compares the results. */

/** Time zones, and the times at which their clocks change. In Sao Paulo, the clocks change at midnight. */
const zones: [zone: string, changes: string[]][] = [
  ['Europe/Amsterdam', ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']],
  ['America/New_York', ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z']],
  ['Australia/Lord_Howe', ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z']],
  ['America/Sao_Paulo', ['2018-02-18T02:00:00Z', '2018-11-04T03:00:00Z']],
];
const hourMs = 3_600_000;
const blocksPerZone = 60;

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
      for (const value of hostile) expect(compiled.rows.text).not.toContain(value.length > 2 ? value : '\0');
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
      const evaluate = (of: PeriodRange, limit: number) => evaluateBlock(attempts, block, filters, of, limit);
      const expectRows = async (statement: Statement<BlockRow>, of: PeriodRange, limit: number) => {
        const { rows, buckets } = evaluate(of, limit);
        const wanted = rows.map((row, at) => [row, buckets[at]]);
        expectSame(await rowsOf(statement), wanted, statement, of);
      };
      await expectRows(compiled.rows, range, block.limit + 1);
      if (compiled.previous && previous) await expectRows(compiled.previous, previous, 500);
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
