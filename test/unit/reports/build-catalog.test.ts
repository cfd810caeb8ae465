import { misfit } from '../../../api/reports/language/block-shapes';
import { buildCatalog, visibleDatasets } from '../../../api/reports/language/build-catalog';
import { templatesFor } from '../../../api/reports/templates';
import type { Role } from '../../../db/platform/vocabulary';
import { datasets as allDatasets } from '../../../db/reports/datasets';
import { datasets } from './datasets.fixture';

const viewer = (role: Role) => ({ role, isUnlimited: false });

describe('buildCatalog', () => {
  it('lists the datasets with their fields', () => {
    const catalog = buildCatalog(datasets, viewer('merchant'));
    expect(catalog).toMatchObject({
      schema: 'platform.report/v1',
      block_types: ['kpi', 'line', 'bar', 'pie', 'funnel', 'table', 'text'],
      limits: { max_rows: 500, max_definition_bytes: 65_536 },
      can_share: true,
    });
    expect(catalog.block_shapes.find(({ type }) => type === 'kpi')).toMatchObject({
      dimensions: [0, 0],
      measures: [1, 4],
      default_limit: 1,
      keys: expect.not.arrayContaining(['totals', 'content_md']),
    });
    expect(catalog.datasets.map(({ id, snapshot }) => [id, snapshot])).toEqual([
      ['interview_results', false],
      ['position_pipeline', true],
      ['credits', false],
    ]);
    const fields = new Map(catalog.datasets[0]?.fields.map((field) => [field.id, field]));
    expect(fields.get('completed_at')).toMatchObject({
      kind: 'dimension',
      type: 'date',
      grains: ['hour', 'day', 'week', 'month', 'quarter', 'year'],
      table_only: false,
    });
    expect(fields.get('is_test')?.ops).toEqual(['eq', 'ne', 'is_null', 'not_null']);
    expect(fields.get('score_band')).toMatchObject({ ordered: true, values: ['0-4', '4-6', '6-8', '8-10'] });
    expect(fields.get('last_completed_at')).toMatchObject({ kind: 'measure', table_only: true });
    expect(fields.get('last_completed_at')).not.toHaveProperty('grains');
    expect(JSON.stringify(catalog)).not.toContain('r.position_id');
    // Candidates skip stages, so their order makes no funnel.
    const stage = allDatasets.get('ats_pipeline')?.dimensions.get('stage');
    expect(stage && misfit('funnel', stage, [])).toMatch(/steps/);
  });

  it('shows hiring managers fewer datasets, and lets them share none', () => {
    const catalog = buildCatalog(datasets, viewer('merchant_selection'));
    expect(catalog.can_share).toBe(false);
    expect(catalog.datasets.map(({ id }) => id)).not.toContain('credits');
  });

  it('leaves out credits if the plan of the account charges nothing', () => {
    expect([...visibleDatasets(datasets, { role: 'merchant_owner', isUnlimited: true }).keys()]).toEqual([
      'interview_results',
      'position_pipeline',
    ]);
  });
});

describe('templatesFor', () => {
  it('leaves out templates whose datasets the role does not include', () => {
    const titles = (role: Role) => templatesFor(viewer(role)).map(({ definition }) => definition.title);
    expect(titles('merchant')).toContain('Credits');
    expect(titles('merchant_selection')).toEqual(titles('merchant').filter((title) => title !== 'Credits'));
  });
});
