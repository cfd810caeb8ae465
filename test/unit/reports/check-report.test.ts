import { errorBody } from '../../../api/platform/http/error-reply';
import { parseSent, readBodyInput } from '../../../api/platform/http/read-input';
import { fieldsValidatedLater } from '../../../api/platform/operation/define-operation';
import { checkReport, checkStoredReport } from '../../../api/reports/language/check-definition';
import type { PlacedBlock, ReportInput } from '../../../api/reports/language/checked';
import { reportCreate } from '../../../api/reports/report-create';
import { reportFiltersSave } from '../../../api/reports/report-filters-save';
import { reportPreview } from '../../../api/reports/report-preview';
import { reportUpdate } from '../../../api/reports/report-update';
import { toDefinitionError } from '../../../api/reports/runs/run-report';
import { datasets } from './datasets.fixture';

/* Tests the content of checked reports and the sentences of issues. */

type Json = Record<string, unknown>;
const results = { dataset: 'interview_results', measures: ['completed'] };
const kpi: Json = { id: 'number', type: 'kpi', ...results };
const week = { field: 'completed_at', grain: 'week' };
const snapshot: Json = {
  id: 'now',
  type: 'table',
  dataset: 'position_pipeline',
  measures: ['candidates'],
};
const inputOf = (blocks: unknown, more: Json = {}, rest: Partial<ReportInput> = {}): ReportInput => ({
  definition: { schema: 'platform.report/v1', title: ' Hiring ', blocks, ...more },
  datasets,
  now: new Date('2026-11-23T12:00:00Z'),
  merchantZone: 'Europe/Amsterdam',
  ...rest,
});

const reportOf = (...args: Parameters<typeof inputOf>) => {
  const result = checkReport(inputOf(...args));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.report;
};
const blockOf = (block: Json, more?: Json): Exclude<PlacedBlock, { type: 'text' }> => {
  const [ready] = reportOf([{ id: 'a', ...block }], more).blocks;
  if (!ready || ready.type === 'text') throw new Error('no block with data');
  return ready;
};
const errorsOf = (...args: Parameters<typeof inputOf>) => {
  const result = checkReport(inputOf(...args));
  return result.ok ? [] : result.issues.map(({ error }) => error);
};

describe('a checked block', () => {
  it('has the defaults of its type', () => {
    const block = blockOf({ type: 'bar', ...results, dimensions: ['department'] });
    expect(block).toMatchObject({
      id: 'a',
      type: 'bar',
      title: null,
      limit: 50,
      compare: null,
      width: null,
      goal: null,
      notApplied: [],
      sort: [
        { column: 'completed', dir: 'desc' },
        { column: 'department', dir: 'asc' },
      ],
      period: {
        preset: 'last_30_days',
        from: '2026-10-24T22:00:00.000Z',
        to: '2026-11-23T23:00:00.000Z',
        firstDay: '2026-10-25',
        lastDay: '2026-11-23',
        previous: null,
      },
    });
    expect(block).not.toHaveProperty('totals');
  });

  it.each([
    ['kpi', {}, 1, ['completed desc']],
    ['line', { dimensions: [week, 'department'] }, 500, ['completed_at asc', 'department asc']],
    ['bar', { dimensions: [week] }, 500, ['completed_at asc']],
    ['pie', { dimensions: ['decision'] }, 12, ['completed desc', 'decision asc']],
    ['funnel', { dimensions: ['score_band'] }, 20, ['score_band asc']],
    ['table', { dimensions: ['department'], measures: [] }, 100, ['department asc']],
    [
      'table',
      { dimensions: ['department'], sort: [{ field: 'department', dir: 'desc' }] },
      100,
      ['department desc'],
    ],
  ])('of type %s with %j has limit %d and sort %j', (type, more, limit, sort) => {
    const block = blockOf({ type, ...results, ...more });
    expect(block.limit).toBe(limit);
    expect(block.sort.map(({ column, dir }) => `${column} ${dir}`)).toEqual(sort);
  });

  it('separates conditions on rows from conditions on groups', () => {
    const row = { field: 'attempt', op: 'gt', value: 1 };
    const group = { field: 'completed', op: 'between', value: [1, 5] };
    const either = { any: [row, { field: 'is_test', op: 'eq', value: false }] };
    const { where, having } = blockOf({ type: 'kpi', ...results, where: [either, { all: [group, row] }] });
    expect(where.map(({ kind }) => kind)).toEqual(['any', 'field']);
    expect(having).toMatchObject([{ kind: 'field', op: 'between', values: [1, 5] }]);
  });

  it('keeps hostile texts as values only', () => {
    const value = "__proto__'; drop table x; -- %_\\";
    const { where } = blockOf({
      type: 'kpi',
      ...results,
      where: [{ field: 'department', op: 'contains', value }],
    });
    expect(where).toEqual([
      { kind: 'field', field: datasets.get('interview_results')?.dimensions.get('department'), op: 'contains', values: [value] },
    ]); // prettier-ignore
  });

  it('may have the id __proto__', () => {
    expect(reportOf([{ ...kpi, id: '__proto__' }]).blocks[0]?.id).toBe('__proto__');
  });

  it('has filtered measures and ratios', () => {
    const where = [{ field: 'decision', op: 'eq', value: 'advance' }];
    const { measures } = blockOf({
      type: 'kpi',
      dataset: 'interview_results',
      measures: [
        { measure: 'completed', where, as: 'advanced_ones' },
        { ratio: ['shortlisted', 'completed'], as: 'share' },
      ],
    });
    expect(measures).toMatchObject([
      { as: 'advanced_ones', label: 'Advanced ones', measure: { id: 'completed' }, where: [{ op: 'eq' }] },
      {
        as: 'share',
        label: 'Shortlisted / Completed',
        measure: { id: 'share', format: 'percent', aggregate: { kind: 'ratio', of: { kind: 'count' } } },
        where: [],
      },
    ]);
  });

  it('keeps its own period', () => {
    const { period } = blockOf(
      { type: 'kpi', ...results, period: { preset: 'today' }, compare: 'previous_period' },
      { filters: { period: { preset: 'last_year' } } },
    );
    expect(period).toMatchObject({ preset: 'today', previous: { from: '2026-11-21T23:00:00.000Z' } });
  });

  it('begins all_time with the first row of its dataset', () => {
    const line = { id: 'a', type: 'line', ...results, dimensions: [{ field: 'completed_at', grain: 'day' }] };
    const input = (firstRowAt: Date | null) =>
      inputOf(
        [line],
        { filters: { period: { preset: 'all_time' } } },
        { firstRowAt: (dataset) => (dataset === 'interview_results' ? firstRowAt : null) },
      );
    expect(checkReport(input(new Date('2026-01-01T00:00:00Z')))).toMatchObject({
      ok: true,
      report: { blocks: [{ period: { from: '2025-12-31T23:00:00.000Z', firstDay: '2026-01-01' } }] },
    });
    expect(checkReport(input(null))).toMatchObject({ ok: true });
    expect(checkReport(input(new Date('2024-01-01T00:00:00Z')))).toMatchObject({
      ok: false,
      issues: [{ code: 'too_many_buckets', valid: ['week', 'month', 'quarter', 'year'] }],
    });
  });
});

describe('the filters of a report', () => {
  it('are merged by key: its own, the saved ones, those of the request', () => {
    const own = { period: { preset: 'last_year' }, timezone: 'Asia/Tokyo', include_test: true };
    const id = '01A1FCF7-B13E-74DE-BD85-C2FC187618E9';
    const report = reportOf([kpi], { filters: own }, {
      savedFilters: { timezone: 'UTC', position_ids: [id] },
      requestFilters: { period: { preset: 'today' }, position_ids: [] },
    }); // prettier-ignore
    expect(report.title).toBe('Hiring');
    expect(report.filters).toEqual({ period: { preset: 'today' }, timezone: 'UTC', include_test: true });
    expect(report.checkedFilters).toEqual({
      timezone: 'UTC',
      includeTest: true,
      positionIds: null,
      interviewIds: null,
    });
  });

  it('are named where a dataset cannot apply them', () => {
    const where = [
      { field: 'department', op: 'eq', value: 'IT' },
      { field: 'attempt', op: 'eq', value: 1 },
    ];
    const filters = { period: { preset: 'today' }, include_test: true, where };
    const [first, second] = reportOf([kpi, snapshot], { filters }).blocks;
    expect([first?.notApplied, second?.notApplied]).toEqual([
      [],
      ['period', 'include_test', 'where.attempt'],
    ]);
    expect(second).toMatchObject({ period: null, where: [{ field: { id: 'department' } }] });
  });

  it('accept only time zones that Postgres knows', () => {
    const zones = new Set(['Europe/Amsterdam', 'UTC']);
    expect(errorsOf([kpi], { filters: { timezone: 'Asia/Tokyo' } }, { zones })).toEqual([
      'filters.timezone: must be an IANA time zone, such as Europe/Amsterdam, not "Asia/Tokyo"; valid: Europe/Amsterdam, UTC.',
    ]);
  });
});

describe('an issue', () => {
  it('of a period hides how many buckets another period would have', () => {
    const line = { ...kpi, type: 'line', dimensions: [{ ...week, grain: 'hour' }] };
    const wrong = { period: { preset: 'todya' } };
    expect(errorsOf([{ ...line, ...wrong }])).toHaveLength(1);
    expect(errorsOf([line], { filters: wrong })).toHaveLength(1);
    expect(errorsOf([line], {}, { requestFilters: wrong })).toHaveLength(1);
  });
});

describe('the sentence of an issue', () => {
  it.each([
    [
      { measures: ['avg_scor'] },
      'block "number", measures[0]: unknown measure "avg_scor" in dataset "interview_results"; did you mean "avg_score"? valid: started, completed, shortlisted, avg_coverage, avg_score, avg_duration.',
    ],
    [
      { measures: ['shortlisted / completed'] },
      'block "number", measures[0]: must be the id of a measure. A ratio is {"ratio": [a, b], "as": name}; for example {"ratio":["shortlisted","completed"],"as":"shortlisted_per_completed"}.',
    ],
    [
      { where: [{ field: 'avg_coverage', op: 'gt', value: 50 }] },
      'block "number", where[0].value: must be a fraction from 0 to 1, such as 0.5 for 50 %; did you mean 0.5? valid: 0.5.',
    ],
    [{ limit: 501 }, 'block "number", limit: must be a whole number from 1 to 500; for example 500.'],
    [
      { where: [{ field: 'decision', op: 'contains', value: 'a' }] },
      'block "number", where[0].op: operator "contains" is not available for "decision" of type text with listed values; valid: eq, ne, in, not_in, is_null, not_null.',
    ],
    [{ dimensions: ['department'] }, 'block "number", dimensions[0]: a kpi must not have dimensions.'],
    [{ id: 'A' }, 'blocks[0].id: must be 1 to 40 characters of a-z, 0-9, _ and -; for example "block-1".'],
    [
      { type: 'line', dimensions: [{ ...week, grain: 'hour' }] },
      'block "number", dimensions[0].grain: the period last_30_days has 721 buckets of grain "hour", more than 500; valid: day, week, month, quarter, year.',
    ],
  ])('for %j is: %s', (more, sentence) => {
    expect(errorsOf([{ ...kpi, ...more }])).toEqual([sentence]);
  });

  it('suggests the grain that was asked for elsewhere in the block', () => {
    const result = checkReport(
      inputOf([{ ...kpi, type: 'line', dimensions: ['completed_at'], grain: 'week' }]),
    );
    const issue = result.ok ? null : result.issues.find(({ code }) => code === 'unknown_grain');
    expect(issue?.valid[0]).toEqual({ field: 'completed_at', grain: 'week' });
  });

  it('is short, whatever the caller sent', () => {
    const long = 'x'.repeat(10_000);
    const [error] = errorsOf([{ ...kpi, measures: [long] }]);
    expect(error?.length).toBeLessThan(600);
    expect(errorsOf([{ ...kpi, [long]: 1 }])[0]?.length).toBeLessThan(600);
  });

  it('is one of at most 20', () => {
    expect(
      errorsOf([kpi], Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`z${at}`, 1]))),
    ).toHaveLength(20);
  });
});

describe('a stored report', () => {
  const gone = { ...kpi, id: 'gone', title: 'Gone', measures: ['avg_scor'] };
  const text = { id: 'text', type: 'text', content_md: '' };

  it('runs the blocks whose fields still exist', () => {
    const result = checkStoredReport(inputOf([kpi, gone]));
    expect(result).toMatchObject({
      ok: true,
      report: {
        blocks: [
          { ok: true, block: { id: 'number' } },
          { ok: false, id: 'gone', title: 'Gone', issues: [{ code: 'unknown_measure' }] },
        ],
      },
    });
  });

  it('has only the block that was asked for', () => {
    expect(checkStoredReport(inputOf([kpi, gone], {}, { blockId: 'gone' }))).toMatchObject({
      report: { blocks: [{ ok: false, id: 'gone' }] },
    });
    expect(checkStoredReport(inputOf([kpi], {}, { blockId: 'x' }))).toMatchObject({
      ok: false,
      issues: [{ path: 'block_id', valid: ['number'] }],
    });
  });

  it('fails in every block with data when its filters or the saved ones are wrong', () => {
    const result = checkStoredReport(inputOf([kpi, text], {}, { savedFilters: { timezone: 'Mars' } }));
    expect(result).toMatchObject({
      report: {
        blocks: [
          { ok: false, error: expect.stringContaining('filters.timezone of the saved filters') },
          { ok: true },
        ],
      },
    });
  });

  it('fails in the block that the filters of the request make impossible', () => {
    const line = {
      id: 'hours',
      type: 'line',
      ...results,
      dimensions: [{ field: 'completed_at', grain: 'hour' }],
    };
    const requestFilters = { period: { preset: 'last_year' } };
    const result = checkStoredReport(inputOf([kpi, line], {}, { requestFilters }));
    expect(result).toMatchObject({
      report: {
        blocks: [{ ok: true }, { ok: false, issues: [{ source: 'request', path: 'filters.period' }] }],
      },
    });
  });

  it('is refused when the filters of the request are malformed', () => {
    const requestFilters = { period: { preset: 'last_yaer' } };
    expect(checkStoredReport(inputOf([kpi], {}, { requestFilters }))).toMatchObject({
      ok: false,
      issues: [{ source: 'request', suggestion: 'last_year' }],
    });
  });
});

/**
 * Returns a definition as text. `1e999` is valid JSON, but JSON.parse makes it Infinity, which no reply and no row
 * can contain.
 */
const definition = (block: string) =>
  `{"schema":"platform.report/v1","title":"Any","blocks":[{"id":"b","type":"table","dataset":"interview_results",
    "dimensions":["department"],"measures":["completed"],${block}}]}`;
const facts = {
  environment: 'production' as const,
  webhookTargets: { allowedRanges: [], allowedPorts: [], allowHttp: false },
};

describe('a value in a definition that Postgres or JSON cannot hold', () => {
  it.each([
    ['"limit":1e999', 'blocks[0].limit', 'must be a whole number from 1 to 500'],
    ['"limit":1e300', 'blocks[0].limit', 'must be a whole number from 1 to 500'],
    ['"where":[{"field":"completed","op":"gt","value":-1e999}]', 'blocks[0].where[0]', 'must be a'],
    ['"title":"a\\u0000b"', 'blocks[0].title', 'must not contain a NUL character'],
  ])('has details: %s', (block, path, sentence) => {
    const sent = readBodyInput(`{"definition":${definition(block)}}`, fieldsValidatedLater(reportPreview));
    const parsed = parseSent(reportPreview, sent, facts);
    if (parsed.error) throw parsed.error;
    const checked = checkReport({
      definition: parsed.value.definition,
      datasets,
      now: new Date(),
      merchantZone: 'UTC',
    });
    const body = errorBody(toDefinitionError(checked.ok ? [] : checked.issues), 'an-id');
    expect(body.details).toMatchObject([{ path, block_id: 'b', error: expect.stringContaining(sentence) }]);
    expect(body.name).toBe(path);
  });

  it.each([
    [reportPreview, ['definition', 'filters']],
    [reportCreate, ['definition']],
    [reportUpdate, ['definition']],
    [reportFiltersSave, ['filters']],
  ])('is left to the checks of reports by every operation that takes one', (operation, fields) => {
    expect(fieldsValidatedLater(operation)).toEqual(fields);
  });
});
