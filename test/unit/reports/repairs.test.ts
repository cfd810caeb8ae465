import { checkReport } from '../../../api/reports/check-definition';
import { issueCodes } from '../../../api/reports/issue';
import type { Issue, IssueCode } from '../../../api/reports/issue';
import { datasets } from './datasets.fixture';
import { repair } from './repair';

/* Tests that each code of an issue occurs, and that an agent can repair each issue with nothing but the issue. */

type Json = Record<string, unknown>;
const now = new Date('2026-11-23T12:00:00Z');
const line: Json = {
  id: 'trend',
  type: 'line',
  dataset: 'interview_results',
  dimensions: [{ field: 'completed_at', grain: 'week' }],
  measures: ['completed'],
};
const table: Json = {
  id: 'rows',
  type: 'table',
  dataset: 'interview_results',
  dimensions: ['department'],
  measures: ['completed'],
};
const kpi: Json = { id: 'number', type: 'kpi', dataset: 'interview_results', measures: ['completed'] };
const snapshot: Json = {
  id: 'now',
  type: 'bar',
  dataset: 'position_pipeline',
  dimensions: ['department'],
  measures: ['candidates'],
};
const report = (blocks: unknown, more: Json = {}): Json => ({
  schema: 'platform.report/v1',
  title: 'Hiring',
  blocks,
  ...more,
});
const block = (base: Json, more: Json) => report([{ ...base, ...more }]);
const where = (...conditions: unknown[]) => block(kpi, { where: conditions });
const filters = (value: unknown) => report([kpi], { filters: value });
const period = (value: unknown) => filters({ period: value });
const is = (field: string, op: string, ...value: unknown[]) =>
  value.length > 0 ? { field, op, value: value[0] } : { field, op };
const check = (sent: { definition: unknown; requestFilters?: unknown; blockId?: unknown }) =>
  checkReport({
    datasets,
    now,
    merchantZone: 'Europe/Amsterdam',
    firstRowAt: () => new Date('2020-02-01T00:00:00Z'),
    ...sent,
    blockId: sent.blockId as string | undefined,
  });
const issuesOf = (sent: Parameters<typeof check>[0]) => {
  const result = check(sent);
  return result.ok ? [] : result.issues;
};

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};
const conditions = (count: number) => Array.from({ length: count }, () => is('attempt', 'gt', 1));

/** Each case is the code and the path of the first issue of a definition, and the definition. */
const cases: [IssueCode, path: string, definition: unknown][] = [
  ['bad_value', '', null],
  ['bad_value', '', deep(10_000)],
  ['bad_value', 'title', report([kpi], { title: deep(10_000) })],
  ['bad_schema', 'schema', { title: 'Hiring', blocks: [kpi] }],
  ['bad_schema', 'schema', report([kpi], { schema: 'platform.report/v2' })],
  ['bad_value', 'title', report([kpi], { title: undefined })],
  ['bad_value', 'title', report([kpi], { title: ' ' })],
  ['bad_value', 'title', report([kpi], { title: 'a\0b' })],
  ['bad_value', 'title', report([kpi], { title: 'a\uD800b' })],
  ['bad_value', 'title', report([kpi], { title: 'x'.repeat(201) })],
  ['unknown_key', 'tilte', report([kpi], { title: undefined, tilte: 'Hiring' })],
  ['unknown_key', 'zebra', report([kpi], { zebra: deep(10_000) })],
  ['unknown_key', '["a.b"]', report([kpi], { 'a.b': 1 })],
  ['unknown_key', '__proto__', JSON.parse(JSON.stringify(report([kpi])).replace('{', '{"__proto__":{"a":1},'))],
  ['unknown_key', 'constructor', report([kpi], { constructor: 1 })],
  ['bad_value', 'blocks', report([])],
  ['bad_value', 'blocks', report(undefined)],
  ['too_many', 'blocks[12]', report(Array.from({ length: 13 }, (_, index) => ({ ...kpi, id: `b${index}` })))],
  ['too_many', 'blocks[0]', block(kpi, { where: ['x'.repeat(70_000)] })],
  ['too_many', 'title', report([kpi], { title: 'é'.repeat(32_760) })],
  ['bad_value', 'blocks[0]', report(['kpi'])],
  ['bad_value', 'blocks[0].id', block(kpi, { id: 'Number' })],
  ['bad_value', 'blocks[0].id', block(kpi, { id: undefined })],
  ['duplicate_id', 'blocks[1].id', report([kpi, kpi])],
  ['unknown_value', 'blocks[0].type', block(kpi, { type: 'kpis' })],
  ['bad_value', 'blocks[0].type', block(kpi, { type: undefined })],
  ['bad_value', 'blocks[0].width', block(kpi, { width: 13 })],
  ['unknown_dataset', 'blocks[0].dataset', block(kpi, { dataset: 'interview_result' })],
  ['unknown_dataset', 'blocks[0].dataset', block(kpi, { dataset: '__proto__' })],
  ['bad_value', 'blocks[0].dataset', block(kpi, { dataset: undefined })],
  ['unknown_measure', 'blocks[0].measures[0]', block(kpi, { measures: ['avg_scor'] })],
  ['unknown_measure', 'blocks[0].measures[0]', block(kpi, { measures: ['constructor'] })],
  ['wrong_kind', 'blocks[0].measures[0]', block(kpi, { measures: ['department'] })],
  ['bad_value', 'blocks[0].measures', block(kpi, { measures: 'completed' })],
  ['block_shape', 'blocks[0].measures', block(kpi, { measures: [] })],
  ['block_shape', 'blocks[0].measures', block(kpi, { measures: undefined })],
  ['duplicate_id', 'blocks[0].measures[1]', block(kpi, { measures: ['completed', 'completed'] })],
  ['table_only_field', 'blocks[0].type', block(kpi, { measures: ['last_completed_at'] })],
  ['bad_value', 'blocks[0].measures[0].as', block(kpi, { measures: [{ ratio: ['completed', 'started'], as: 'A b' }] })],
  ['duplicate_id', 'blocks[0].measures[1].as', block(kpi, { measures: ['completed', { ratio: ['completed', 'started'], as: 'completed' }] })],
  ['bad_value', 'blocks[0].measures[0].ratio', block(kpi, { measures: [{ ratio: ['completed'], as: 'a' }] })],
  ['bad_value', 'blocks[0].measures[0]', block(kpi, { measures: [{ measure: 'completed', as: 'a' }] })],
  ['wrong_kind', 'blocks[0].measures[0].where[0].field', block(kpi, { measures: [{ measure: 'completed', where: [is('started', 'gt', 1)], as: 'a' }] })],
  ['block_shape', 'blocks[0].dimensions[0]', block(kpi, { dimensions: ['department'] })],
  ['block_shape', 'blocks[0].measures[4]', block(kpi, { measures: ['started', 'completed', 'shortlisted', 'avg_score', 'avg_coverage'] })],
  ['too_many', 'blocks[0].dimensions[6]', block(table, { dimensions: ['department', 'decision', 'score_band', 'position_name', 'attempt', 'is_test', 'position_id'] })],
  ['block_shape', 'blocks[0].measures', report([{ id: 'a', type: 'table', dataset: 'credits' }])],
  ['unknown_dimension', 'blocks[0].dimensions[0]', block(table, { dimensions: ['departmen'] })],
  ['wrong_kind', 'blocks[0].dimensions[0]', block(table, { dimensions: ['completed'] })],
  ['bad_value', 'blocks[0].dimensions[0]', block(table, { dimensions: [5] })],
  ['duplicate_id', 'blocks[0].dimensions[1]', block(table, { dimensions: ['department', 'department'] })],
  ['unknown_grain', 'blocks[0].dimensions[0]', block(line, { dimensions: ['completed_at'] })],
  ['unknown_grain', 'blocks[0].dimensions[0].grain', block(line, { dimensions: [{ field: 'completed_at' }] })],
  ['unknown_grain', 'blocks[0].dimensions[0].grain', block(line, { dimensions: [{ field: 'completed_at', grain: 'weeks' }] })],
  ['unknown_grain', 'blocks[0].dimensions[0].grain', block(table, { dimensions: [{ field: 'department', grain: 'week' }] })],
  ['block_shape', 'blocks[0].dimensions', block(line, { dimensions: ['department'] })],
  ['block_shape', 'blocks[0].dimensions', block(line, { dimensions: ['department', { field: 'started_at', grain: 'day' }] })],
  ['block_shape', 'blocks[0].dimensions', block(line, { dimensions: [] })],
  ['block_shape', 'blocks[0].dimensions[1]', block(line, { dimensions: [...(line['dimensions'] as []), 'is_test'] })],
  ['block_shape', 'blocks[0].measures[1]', block(line, { dimensions: [...(line['dimensions'] as []), 'department'], measures: ['completed', 'started'] })],
  ['block_shape', 'blocks[0].type', block(snapshot, { type: 'line' })],
  ['block_shape', 'blocks[0].dimensions[0].field', block(line, { type: 'pie' })],
  ['block_shape', 'blocks[0].dimensions[0]', block(table, { type: 'funnel' })],
  ['block_shape', 'blocks[0].measures', block(kpi, { type: 'funnel' })],
  ['block_shape', 'blocks[0].content_md', block(kpi, { content_md: 'Text' })],
  ['block_shape', 'blocks[0].dataset', report([{ id: 'a', type: 'text', content_md: '', dataset: 'credits' }])],
  ['bad_value', 'blocks[0].content_md', report([{ id: 'a', type: 'text' }])],
  ['block_shape', 'blocks[0].content_md', report([{ id: 'a', type: 'text', content_md: 'x'.repeat(4_001) }])],
  ['bad_value', 'blocks[0].where', block(kpi, { where: is('department', 'eq', 'IT') })],
  ['unknown_dimension', 'blocks[0].where[0].field', where(is('departement', 'eq', 'IT'))],
  ['table_only_field', 'blocks[0].type', where(is('position_name', 'eq', 'IT'))],
  ['unknown_op', 'blocks[0].where[0].op', where(is('department', '=', 'IT'))],
  ['op_not_allowed_for_type', 'blocks[0].where[0].op', where(is('decision', 'contains', 'adv'))],
  ['unknown_value', 'blocks[0].where[0].value', where(is('decision', 'eq', 'Advanced'))],
  ['unknown_value', 'blocks[0].where[0].value[1]', where(is('decision', 'in', ['advance', 'x']))],
  ['bad_value', 'blocks[0].where[0].value', where(is('decision', 'in', 'advance'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('decision', 'eq', ['advance']))],
  ['bad_value', 'blocks[0].where[0]', where(is('department', 'eq'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('department', 'eq', 'a\0b'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('department', 'contains', '\uDC00x'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('department', 'is_null', true))],
  ['bad_value', 'blocks[0].where[0]', where(is('position_id', 'eq', 'x'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('is_test', 'eq', 'false'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('attempt', 'eq', 1.5))],
  ['bad_value', 'blocks[0].where[0].value', where(is('attempt', 'eq', '2'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('attempt', 'between', [2, 1]))],
  ['bad_value', 'blocks[0].where[0]', where(is('attempt', 'between', 2))],
  ['bad_value', 'blocks[0].where[0]', where(is('attempt', 'between', ['5', null]))],
  ['bad_value', 'blocks[0].where[0].op', where(is('department', 'eq', ['IT', 'HR']))],
  ['bad_value', 'blocks[0].where', block(kpi, { where: 'department' })],
  ['bad_value', 'blocks[0].where[0]', where(is('avg_score', 'gt', null))],
  ['bad_value', 'blocks[0].where[0]', where(is('avg_score', 'gt', 'NaN'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('completed_at', 'gt', '2026-02-30'))],
  ['bad_value', 'blocks[0].where[0].value', where(is('completed_at', 'gt', '2026-02-28T00:00:00Z'))],
  ['too_many', 'blocks[0].where[0].value[200]', where(is('attempt', 'in', Array.from({ length: 201 }, (_, index) => index)))],
  ['too_many', 'blocks[0].where[20]', where(...conditions(21))],
  ['block_shape', 'blocks[0].where[0]', where({ any: [] })],
  ['block_shape', 'blocks[0].where[0]', where({ any: [is('attempt', 'gt', 1), is('started', 'gt', 1)] })],
  ['block_shape', 'blocks[0].where[0].any[0].all[0]', where({ any: [{ all: [{ any: conditions(2) }] }] })],
  ['bad_value', 'blocks[0].where[0]', where(deep(10_000))],
  ['unknown_value', 'blocks[0].compare', block(kpi, { compare: 'previous_month' })],
  ['compare_not_available', 'blocks[0].compare', block(snapshot, { compare: 'previous_year' })],
  ['compare_not_available', 'blocks[0].compare', block(kpi, { compare: 'previous_year', period: { preset: 'all_time' } })],
  ['sort_not_selected', 'blocks[0].sort[0].field', block(table, { sort: [{ field: 'started', dir: 'desc' }] })],
  ['unknown_value', 'blocks[0].sort[0].dir', block(table, { sort: [{ field: 'completed', dir: 'down' }] })],
  ['duplicate_id', 'blocks[0].sort[1]', block(table, { sort: [{ field: 'completed', dir: 'asc' }, { field: 'completed', dir: 'desc' }] })],
  ['limit_out_of_range', 'blocks[0].limit', block(table, { limit: 501 })],
  ['bad_value', 'blocks[0].limit', block(table, { limit: '50' })],
  ['block_shape', 'blocks[0].period', block(snapshot, { period: { preset: 'today' } })],
  ['block_shape', 'blocks[0].goal', block(table, { goal: 5 })],
  ['bad_value', 'blocks[0].goal', block(kpi, { goal: '5' })],
  ['block_shape', 'blocks[0].others', block(line, { others: true })],
  ['too_many_buckets', 'blocks[0].dimensions[0].grain', block(line, { dimensions: [{ field: 'completed_at', grain: 'hour' }] })],
  ['too_many_buckets', 'blocks[0].dimensions[0].grain', block(line, { dimensions: [{ field: 'completed_at', grain: 'day' }, 'decision'], period: { preset: 'last_180_days' } })],
  ['unknown_key', 'filters.positions', filters({ positions: [] })],
  ['bad_value', 'filters', filters('last_30_days')],
  ['bad_value', 'filters.position_ids[0]', filters({ position_ids: ['x'] })],
  ['too_many', 'filters.interview_ids[200]', filters({ interview_ids: Array.from({ length: 201 }, () => '01a1fcf7-b13e-74de-bd85-c2fc187618e9') })],
  ['bad_value', 'filters.include_test', filters({ include_test: 'true' })],
  ['bad_timezone', 'filters.timezone', filters({ timezone: 'Europe/Amsterdm' })],
  ['bad_timezone', 'filters.timezone', filters({ timezone: '+02:00' })],
  ['unknown_dimension', 'filters.where[0].field', filters({ where: [is('departmen', 'eq', 'IT')] })],
  ['wrong_kind', 'filters.where[0].field', filters({ where: [is('completed', 'eq', 1)] })],
  ['unknown_value', 'filters.where[0]', report([kpi, snapshot], { filters: { where: [is('decision', 'eq', 'reject')] } })],
  ['bad_value', 'filters.period', period('last_7_days')],
  ['bad_value', 'filters.period.preset', period({ from: '2026-01-01', to: '2026-01-31' })],
  ['unknown_preset', 'filters.period.preset', period({ preset: 'last_30_day' })],
  ['bad_period', 'filters.period.from', period({ preset: 'last_30_days', from: '2026-01-01' })],
  ['bad_period', 'filters.period.to', period({ preset: 'custom', from: '2026-01-01' })],
  ['bad_period', 'filters.period.from', period({ preset: 'custom', from: '1999-12-31', to: '2026-01-31' })],
  ['bad_period', 'filters.period', period({ preset: 'custom', from: '2026-02-01', to: '2026-01-31' })],
]; // prettier-ignore

describe('an issue', () => {
  it.each(cases)('%s at %j is repaired by what it says', (code, path, definition) => {
    const isSame = (issue: Issue) => issue.code === code && issue.path === path;
    const issue = issuesOf({ definition }).find(isSame);
    if (!issue) throw new Error(JSON.stringify(issuesOf({ definition })));
    let sent = repair({ definition }, issue);
    expect(issuesOf(sent).some(isSame)).toBe(false);
    // Repair the remaining issues one at a time. Up to 40 repairs must leave a valid report.
    for (let round = 0; round < 40; round += 1) {
      const [next] = issuesOf(sent);
      if (!next) break;
      sent = repair(sent, next);
    }
    expect(issuesOf(sent)).toEqual([]);
  });

  it.each(cases)('%s at %j is repaired from the last issue to the first', (_code, _path, definition) => {
    let sent: { definition: unknown } = { definition };
    for (let round = 0; round < 10; round += 1) {
      const seen = new Set<string>();
      for (const issue of issuesOf(sent).toReversed())
        if (!seen.has(issue.path)) {
          seen.add(issue.path);
          sent = repair(sent, issue);
        }
    }
    expect(issuesOf(sent)).toEqual([]);
  });

  it('exists for every code', () => {
    expect([...new Set(cases.map(([code]) => code))].sort()).toEqual([...issueCodes].sort());
  });
});

describe('filters of a request', () => {
  const hours = block(line, {
    dimensions: [{ field: 'completed_at', grain: 'hour' }],
    period: undefined,
  });
  const day = { filters: { period: { preset: 'today' } } };
  it.each([
    ['too_many_buckets', 'filters.period', { ...hours, ...day }, { period: { preset: 'last_90_days' } }],
    [
      'compare_not_available',
      'filters.period.preset',
      block(kpi, { compare: 'previous_year' }),
      { period: { preset: 'all_time' } },
    ],
    ['bad_timezone', 'filters.timezone', report([kpi]), { timezone: 'Mars' }],
    ['too_many', 'filters', report([kpi]), { zebra: 'x'.repeat(70_000) }],
  ])('are named in %s at %s', (code, path, definition, requestFilters) => {
    const sent = { definition, requestFilters };
    const [issue] = issuesOf(sent);
    if (!issue) throw new Error('no issue');
    expect([issue.code, issue.path, issue.source]).toEqual([code, path, 'request']);
    expect(issuesOf(repair(sent, issue))).toEqual([]);
  });

  it('are named when a block does not exist', () => {
    const sent = { definition: report([kpi]), blockId: 'x' };
    const [issue] = issuesOf(sent);
    if (!issue) throw new Error('no issue');
    expect([issue.code, issue.path, issue.valid]).toEqual(['unknown_value', 'block_id', ['number']]);
    expect(issuesOf(repair(sent, issue))).toEqual([]);
  });
});

describe('a suggestion', () => {
  const condition = { field: 'department', op: 'eq', value: 'Engineering' };
  const customPeriod = (from: unknown, to: unknown) => period({ preset: 'custom', from, to });
  /** Returns the path and the suggestion of each issue that has a suggestion. */
  const suggestions = (definition: unknown) =>
    issuesOf({ definition }).map(({ path, suggestion }) => [path, suggestion]);

  it.each([
    ['previous_quarter', 'last_quarter'], ['prev_quarter', 'last_quarter'], ['quarter', 'this_quarter'],
    ['lastQuarter', 'last_quarter'], ['ytd', 'this_year'], ['MTD', 'this_month'], ['last_60_days', 'last_90_days'],
    ['last_45_days', 'last_90_days'], ['last_6_months', 'last_180_days'], ['past_week', 'last_7_days'],
    ['past_12_months', 'last_12_months'], ['last_yaer', 'last_year'], ['last_2_years', undefined], ['easter', undefined],
  ])('for the preset %s is %s', (sent, meant) => {
    expect(suggestions(period({ preset: sent }))).toEqual([['filters.period.preset', meant]]);
  }); // prettier-ignore

  it.each([
    ['2026-09-31', '2026-09-30', ['2026-09-30']],
    ['2026-9-1', '2026-09-01', ['2026-09-01']],
    ['2026/09/01', '2026-09-01', ['2026-09-01']],
    ['2026-09-01T00:00:00Z', '2026-09-01', ['2026-09-01']],
    ['31/12/2025', '2025-12-31', ['2025-12-31']],
    ['01/09/2026', undefined, ['2026-09-01', '2026-01-09']],
    ['soon', undefined, ['2026-11-23']],
  ])('for the date %s is %s', (sent, meant, valid) => {
    const [issue] = issuesOf({ definition: customPeriod(sent, '2026-11-23') });
    expect([issue?.code, issue?.suggestion, issue?.valid]).toEqual(['bad_period', meant, valid]);
  });

  it.each([
    ['metrics', 'measures'], ['group_by', 'dimensions'], ['groupBy', 'dimensions'], ['breakdown', 'dimensions'],
    ['order_by', 'sort'], ['orderBy', 'sort'], ['top', 'limit'], ['kind', 'type'], ['chart_type', 'type'], ['name', 'title'],
  ])('for the key %s of a block is %s, and nothing else is reported', (sent, meant) => {
    const full: Json = { ...table, title: 'Rows', sort: [{ field: 'completed', dir: 'desc' }], limit: 5 };
    const { [meant]: value, ...rest } = full;
    expect(suggestions(report([{ ...rest, [sent]: value }]))).toEqual([[`blocks[0].${sent}`, meant]]);
  }); // prettier-ignore

  it.each([
    [{ type: 'chart' }, 'blocks[0].type', 'bar'],
    [{ type: 'column' }, 'blocks[0].type', 'bar'],
    [{ type: 'number' }, 'blocks[0].type', 'kpi'],
    [{ type: 'bar', dimensions: ['position_name'] }, 'blocks[0].type', 'table'],
    [
      { dimensions: ['completed_at:month'] },
      'blocks[0].dimensions[0]',
      { field: 'completed_at', grain: 'month' },
    ],
    [{ dimensions: 'department, decision' }, 'blocks[0].dimensions', ['department', 'decision']],
    [{ sort: 'completed desc' }, 'blocks[0].sort', [{ field: 'completed', dir: 'desc' }]],
    [{ sort: ['-completed'] }, 'blocks[0].sort[0]', { field: 'completed', dir: 'desc' }],
    [{ sort: [{ field: 'completed', direction: 'descending' }] }, 'blocks[0].sort[0].direction', 'dir'],
    [{ sort: [{ field: 'completed', order: 'DESC' }] }, 'blocks[0].sort[0].order', 'dir'],
    [{ sort: [{ field: 'completed', dir: 'descending' }] }, 'blocks[0].sort[0].dir', 'desc'],
    [{ sort: [{ field: 'completed', dir: 'DESC' }] }, 'blocks[0].sort[0].dir', 'desc'],
    [{ where: { department: 'Engineering' } }, 'blocks[0].where', [condition]],
    [{ where: 'department = Engineering' }, 'blocks[0].where', [condition]],
    [{ where: [{ department: 'Engineering' }] }, 'blocks[0].where[0]', condition],
    [{ where: 'attempt >= 2' }, 'blocks[0].where', [{ field: 'attempt', op: 'gte', value: 2 }]],
    [{ where: 'something else' }, 'blocks[0].where', undefined],
    [{ measures: ['p50_score'] }, 'blocks[0].measures[0]', undefined],
    [{ measures: [{ ratio: ['completed', 'started'], name: 'a' }] }, 'blocks[0].measures[0].name', 'as'],
  ])('for %j is at %s: %j', (more, path, meant) => {
    expect(suggestions(block(table, more))).toEqual([[path, meant]]);
  });

  it('for filters as JSON text is the object', () => {
    const sent = { period: { preset: 'last_quarter' } };
    expect(suggestions(filters(JSON.stringify(sent)))).toEqual([['filters', sent]]);
    expect(suggestions(filters({ tz: 'UTC' }))).toEqual([['filters.tz', 'timezone']]);
  });

  it('for a definition that is not an object keeps its blocks', () => {
    const definition = report([kpi]);
    expect(suggestions(JSON.stringify(definition))).toEqual([['', definition]]);
    expect(suggestions([kpi])).toMatchObject([['', { blocks: [kpi] }]]);
  });

  it('does not exist for a condition without a value, whose sentence says what it needs', () => {
    const [issue] = issuesOf({ definition: where(is('department', 'eq')) });
    expect([issue?.path, issue?.valid, issue?.error]).toEqual([
      'blocks[0].where[0]',
      [],
      'block "number", where[0]: the operator "eq" needs a `value`, which must be a text. Send it, or delete the condition',
    ]);
  });
});
