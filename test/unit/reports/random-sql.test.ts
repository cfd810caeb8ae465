import { assert, property } from 'fast-check';
import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { definitionsOver, marker } from './random-definition';
import { settle } from './repair';

/* Compiles random definitions to SQL with the datasets of the product. */

describe('the SQL of a report', () => {
  it('contains no text of the caller', () => {
    const { definition, filters } = definitionsOver(datasets);
    const values: unknown[] = [];
    assert(
      property(definition, filters, (sent, requestFilters) => {
        const report = settle({
          definition: sent,
          requestFilters,
          datasets,
          now: new Date('2026-11-23T12:00:00Z'),
          merchantZone: 'Europe/Amsterdam',
        });
        for (const block of report.blocks) {
          if (block.type === 'text') continue;
          for (const statement of Object.values(compileBlock(block, report.checkedFilters))) {
            for (const text of [marker, 'Europe/', 'Asia/', '--'])
              expect(statement?.text ?? '').not.toContain(text);
            values.push(...(statement?.values ?? []).flat());
          }
        }
      }),
      { seed: 20_261_123, numRuns: 25 },
    );
    expect(values.some((value) => String(value).includes(marker))).toBe(true);
  });
});
