import { checkReport } from '../../../api/reports/language/check-definition';
import { issueCodes } from '../../../api/reports/language/issue';
import type { Issue } from '../../../api/reports/language/issue';
import { datasets } from './datasets.fixture';
import { repair } from './repair';
import { line, table, kpi, report, block, where, filters, period, is, cases } from './repairs.fixture';
import type { Json } from './repairs.fixture';

/* Tests that each issue code occurs, and that an AI agent that knows only the issue can repair it. */

const now = new Date('2026-11-23T12:00:00Z');
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

describe('an issue', () => {
  it.each(cases)('%s at %j is repaired by what it says', (code, path, definition) => {
    const isSame = (issue: Issue) => issue.code === code && issue.path === path;
    const issue = issuesOf({ definition }).find(isSame);
    if (!issue) throw new Error(JSON.stringify(issuesOf({ definition })));
    let sent = repair({ definition }, issue);
    expect(issuesOf(sent).some(isSame)).toBe(false);
    // The remaining issues are repaired one at a time. After at most 40 repairs, the report must be valid.
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
      'block "number", where[0]: the operator "eq" needs a `value`, which must be a text. Send it, or delete the condition.',
    ]);
  });
});
