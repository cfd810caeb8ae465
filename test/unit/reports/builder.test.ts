import {
  changeBlock,
  duplicateBlock,
  moveBlock,
  removeBlock,
  resizeBlock,
  titleOf,
} from '../../../api/reports/builder/edits';
import type { BlockDraft, DefinitionDraft } from '../../../api/reports/builder/edits';
import { addBlock, fitBlock } from '../../../api/reports/builder/fit-block';
import { createHistory, redo, addVersion, undo } from '../../../api/reports/builder/history';
import { whyNotFitting } from '../../../api/reports/language/block-shapes';
import { buildCatalog, visibleDatasets } from '../../../api/reports/language/build-catalog';
import { checkReport } from '../../../api/reports/language/check-definition';
import { curlOf } from '../../../api/reports/pages/curl';
import { templates, templatesFor } from '../../../api/reports/templates';
import type { Role } from '../../../db/platform/vocabulary';
import { datasets } from '../../../db/reports/datasets/index';
import { datasets as few } from './datasets.fixture';

/* Tests those functions of the builder's browser script that change a report definition. */

const catalog = buildCatalog(datasets, { role: 'merchant_owner', isUnlimited: false });
const report = (...blocks: BlockDraft[]) => ({ schema: 'platform.report/v1', title: 'Hiring', blocks });
const three = report({ id: 'a', type: 'text' }, { id: 'b', type: 'text' }, { id: 'c', type: 'text' });
const idsOf = ({ blocks }: DefinitionDraft) => blocks.map(({ id }) => id).join('');
const issuesOf = (definition: unknown) => {
  const checked = checkReport({
    definition,
    datasets,
    now: new Date(),
    merchantZone: 'UTC',
    firstRowAt: () => new Date(0),
  });
  return checked.ok ? [] : checked.issues.map(({ error }) => error);
};

describe('the builder', () => {
  it('moves, duplicates and removes blocks without changing the definition it was given', () => {
    const before = JSON.stringify(three);
    expect(idsOf(moveBlock(three, 0, 2))).toBe('bca');
    expect(idsOf(moveBlock(three, 2, -5))).toBe('cab');
    expect(moveBlock(three, 7, 0)).toBe(three);
    expect(duplicateBlock(three, 1).blocks.map(({ id }) => id)).toEqual(['a', 'b', 'b-2', 'c']);
    expect(duplicateBlock(duplicateBlock(three, 1), 2).blocks.map(({ id }) => id)).toContain('b-3');
    expect(idsOf(removeBlock(three, 1))).toBe('ac');
    expect(JSON.stringify(three)).toBe(before);
  });

  it('keeps widths between 1 and 12, and leaves out keys without a value', () => {
    expect(resizeBlock(three, 0, 40).blocks[0]).toMatchObject({ width: 12 });
    expect(resizeBlock(three, 0, 0).blocks[0]).toMatchObject({ width: 1 });
    const changed = changeBlock(three, 0, { title: 'A', where: [], limit: undefined });
    expect(changed.blocks[0]).toEqual({ id: 'a', type: 'text', title: 'A' });
  });

  it('leaves a definition without the block unchanged, and names blocks whose title is not a text', () => {
    expect(changeBlock(three, 7, { title: 'A' })).toBe(three);
    const broken = { ...three, blocks: {} as BlockDraft[] };
    expect(resizeBlock(broken, 0, 3)).toBe(broken);
    const untitled = { id: 'a', title: {} as string };
    expect([untitled, { id: 'a', title: 'A' }, {}].map(titleOf)).toEqual(['a', 'A', 'Block']);
  });

  it('adds a block of every type to every dataset that the language accepts', () => {
    for (const { id: dataset } of catalog.datasets)
      for (const type of catalog.block_types) {
        const { blocks } = addBlock(report({ id: 'x', type: 'table', dataset, measures: [] }), type, catalog);
        expect([dataset, type, issuesOf({ ...report(), blocks: blocks.slice(-1) })]).toEqual([
          dataset,
          type,
          [],
        ]);
      }
  });

  it('changes the type and the dataset of any block to one that the language accepts', () => {
    const all = [...templates.values()].flatMap(({ definition }) => definition.blocks);
    const rich = {
      id: 'rich',
      type: 'bar',
      dataset: 'interview_results',
      dimensions: [{ field: 'completed_at', grain: 'month' }, 'department'],
      measures: ['completed', 'avg_score'],
      where: [{ field: 'attempt', op: 'eq', value: 1 }],
      sort: [{ field: 'department', dir: 'asc' }],
      compare: 'previous_year',
      others: true,
      goal: 3,
    };
    for (const block of [...all, rich] as BlockDraft[])
      for (const type of catalog.block_types) {
        expect([block['id'], type, issuesOf(report(fitBlock({ ...block, type }, catalog)))]).toEqual([
          block['id'],
          type,
          [],
        ]);
        for (const { id: dataset } of catalog.datasets)
          expect(fitBlock({ ...block, type, dataset }, catalog)).toMatchObject(
            type === 'text' ? { type } : { dataset },
          );
      }
  });

  it('undoes and redoes, and takes what is typed in one place as one step', () => {
    let history = createHistory('1');
    for (const text of ['2', '2a', '2ab']) history = addVersion(history, text, 'title');
    history = addVersion(history, '3');
    expect([undo(history).now, undo(undo(history)).now, undo(undo(undo(history))).now]).toEqual([
      '2ab',
      '1',
      '1',
    ]);
    expect(redo(undo(history)).now).toBe('3');
    expect(addVersion(undo(history), '4').future).toEqual([]);
  });

  it('quotes the definition in the curl command', () => {
    expect(curlOf('http://x', `{"title": "It's"}`)).toContain(`It'\\''s`);
  });
});

const viewer = (role: Role) => ({ role, isUnlimited: false });

describe('buildCatalog', () => {
  it('lists the datasets with their fields', () => {
    const catalog = buildCatalog(few, viewer('merchant'));
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
      ['coaching_sessions', false],
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
    const stage = datasets.get('ats_pipeline')?.dimensions.get('stage');
    expect(stage && whyNotFitting('funnel', stage, [])).toMatch(/steps/);
  });

  it('shows hiring managers fewer datasets, and lets them share none', () => {
    const catalog = buildCatalog(few, viewer('merchant_selection'));
    expect(catalog.can_share).toBe(false);
    expect(catalog.datasets.map(({ id }) => id)).not.toContain('credits');
  });

  it('leaves out credits if the plan of the account charges nothing', () => {
    expect([...visibleDatasets(few, { role: 'merchant_owner', isUnlimited: true }).keys()]).toEqual([
      'interview_results',
      'position_pipeline',
      'coaching_sessions',
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
