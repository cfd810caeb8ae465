import { assert, property } from 'fast-check';
import { checkReport, checkStoredReport } from '../../../api/reports/language/check-definition';
import type { PlacedBlock, ReportInput } from '../../../api/reports/language/checked';
import { maxIssues } from '../../../api/reports/language/issue';
import type { Condition } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { Aggregate } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets';
import { anyInput, definitionsOver, marker } from './random-definition';
import { settle } from './repair';

const seed = 20_261_123;
const random = definitionsOver(datasets);
const inputOf = (definition: unknown, requestFilters?: unknown): ReportInput => ({
  definition,
  requestFilters,
  datasets,
  now: new Date('2026-11-23T12:00:00Z'),
  merchantZone: 'Europe/Amsterdam',
  firstRowAt: () => new Date('2024-02-01T00:00:00Z'),
});

const all = [...datasets.values()];
const fields = new Set<unknown>(
  all.flatMap((each) => [...each.dimensions.values(), ...each.measures.values()]),
);
const aggregates = new Set<Aggregate>(
  all.flatMap(({ measures }) => [...measures.values()].map(({ aggregate }) => aggregate)),
);
const fieldsOf = (condition: Condition): unknown[] =>
  condition.kind === 'field' ? [condition.field] : condition.of.flatMap(fieldsOf);
const isOfTable = (aggregate: Aggregate): boolean =>
  aggregates.has(aggregate) ||
  (aggregate.kind === 'ratio' && aggregates.has(aggregate.of) && aggregates.has(aggregate.by));

/**
 * Expects that the parts of a block that become SQL, such as fields and aggregates, are objects of `datasets`. Also
 * checks the columns and the limit.
 */
function expectKnown(block: PlacedBlock): void {
  if (block.type === 'text') return;
  expect(datasets.get(block.dataset.id)).toBe(block.dataset);
  const conditions = [...block.where, ...block.having, ...block.measures.flatMap(({ where }) => where)];
  for (const { field } of block.dimensions) expect(fields.has(field)).toBe(true);
  for (const { measure } of block.measures) expect(isOfTable(measure.aggregate)).toBe(true);
  for (const field of conditions.flatMap(fieldsOf)) expect(fields.has(field)).toBe(true);
  const columns = [...block.dimensions.map(({ field }) => field.id), ...block.measures.map(({ as }) => as)];
  expect(new Set(columns).size).toBe(columns.length);
  expect(columns).toEqual(expect.arrayContaining(block.sort.map(({ column }) => column)));
  expect(block.sort.length).toBeGreaterThan(0);
  expect(block.limit).toBeGreaterThanOrEqual(1);
  expect(block.limit).toBeLessThanOrEqual(500);
}

describe('checkReport with random definitions', () => {
  it('accepts only fields of the datasets', () => {
    assert(
      property(random.definition, random.filters, (definition, filters) => {
        const result = checkReport(inputOf(definition, filters));
        if (result.ok) for (const block of result.report.blocks) expectKnown(block);
        else {
          expect(result.issues.length).toBeGreaterThan(0);
          expect(result.issues.length).toBeLessThanOrEqual(maxIssues);
        }
      }),
      { seed, numRuns: 50 },
    );
  });

  it('is led by repairs of the first issue to a report whose SQL has no text of the caller', () => {
    const values: unknown[] = [];
    assert(
      property(random.definition, random.filters, (definition, requestFilters) => {
        const { blocks, checkedFilters } = settle(inputOf(definition, requestFilters));
        for (const block of blocks) {
          expectKnown(block);
          if (block.type === 'text') continue;
          for (const statement of Object.values(compileBlock(block, checkedFilters))) {
            for (const text of [marker, 'Europe/', 'Asia/', '--'])
              expect(statement?.text ?? '').not.toContain(text);
            values.push(...(statement?.values ?? []).flat());
          }
        }
      }),
      { seed, numRuns: 25 },
    );
    expect(values.some((value) => String(value).includes(marker))).toBe(true);
  });

  it('returns blocks of a stored report that are ready or say why not', () => {
    assert(
      property(random.definition, (definition) => {
        const result = checkStoredReport(inputOf(definition));
        if (!result.ok) return;
        for (const entry of result.report.blocks)
          if (entry.ok) expectKnown(entry.block);
          else expect(entry.error).not.toBe('');
      }),
      { seed, numRuns: 50 },
    );
  });

  it('never throws', () => {
    assert(
      property(anyInput, anyInput, (definition, filters) => {
        checkReport(inputOf(definition, filters));
        checkReport(inputOf({ schema: 'platform.report/v1', title: 'A', filters, blocks: definition }));
      }),
      { seed, numRuns: 50 },
    );
  });
});
