import { sample } from 'fast-check';
import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { definitionsOver } from '../../unit/reports/random-definition';
import { settle } from '../../unit/reports/repair';
import type { Cell } from '../platform/world';
import { seededRandom } from './random';
import { createReportWorld } from './report-world';
import type { ReportWorld } from './report-world';

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

  it('runs in Postgres, for 100 random definitions', async () => {
    const definitions = sample(definitionsOver(datasets).definition, { seed: 20_261_123, numRuns: 100 });
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
