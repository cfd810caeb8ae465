import { checkReport } from '../../../api/reports/language/check-definition';
import type { ReportInput } from '../../../api/reports/language/checked';
import type { ReadRows } from '../../../api/reports/runs/read-rows';
import { runBlocks } from '../../../api/reports/runs/run-blocks';
import { sharedRunKey, toDefinitionError } from '../../../api/reports/runs/run-report';
import type { Requester } from '../../../db/platform/database';
import { datasets } from './datasets.fixture';

/* Tests what a run of a report returns for given rows from Postgres. */

const now = new Date('2026-11-23T12:00:00Z');
const input: Omit<ReportInput, 'definition'> = { datasets, now, merchantZone: 'UTC' };

/** Runs a block. `replies` contains the rows that each statement returns, in the order of the statements. */
async function run(block: object, replies: object[][], more: Partial<ReportInput> = {}) {
  const definition = {
    schema: 'platform.report/v1',
    title: 'Hiring',
    blocks: [{ id: 'a', dataset: 'interview_results', measures: ['completed'], ...block }],
  };
  const checked = checkReport({ ...input, ...more, definition });
  const ready = checked.ok ? checked.report.blocks[0] : undefined;
  if (!checked.ok || !ready || ready.type === 'text') throw new Error(JSON.stringify(checked));
  const left = [...replies];
  const read = ((statements: readonly unknown[]) =>
    Promise.resolve(statements.map(() => left.shift() ?? []))) as ReadRows;
  const { checkedFilters: filters } = checked.report;
  const options = { filters, rollup: null, now, endsAt: Date.now() + 10_000 };
  const [outcome] = await runBlocks(read, [ready], options);
  if (!outcome || !('data' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.data;
}

const week = { field: 'completed_at', grain: 'week' };
const buckets = (count: number, ...series: string[]) =>
  Array.from({ length: count }, (_, bucket) => ({ c1: `week ${bucket}`, bucket })).flatMap((row): object[] =>
    series.length === 0 ? [{ ...row, c2: 5 }] : series.map((c2) => ({ ...row, c2, c3: 5 })),
  );

describe('the error of a wrong definition', () => {
  it('says how many more issues there are than the first', () => {
    const wrong = { schema: 'platform.report/v1', title: 'Hiring', blocks: [{ zebra: 1, giraffe: 2 }] };
    const checked = checkReport({ ...input, definition: wrong });
    const issues = checked.ok ? [] : checked.issues;
    expect(issues.length).toBeGreaterThan(2);
    const { message, errors } = toDefinitionError(issues);
    expect(message).toBe(`${issues[0]?.error} (\`details\` has ${issues.length - 1} more issues)`);
    expect(errors.slice(1).map(({ error }) => error)).toEqual(issues.slice(1).map(({ error }) => error));
    expect(toDefinitionError(issues.slice(0, 1)).message).toBe(issues[0]?.error);
  });
});

describe('the rows to compare with', () => {
  const line = { type: 'line', dimensions: [week], compare: 'previous_period' };
  const thisQuarter = { ...line, period: { preset: 'this_quarter' } };

  it('are as many as the period has dates, null where the earlier period has fewer', async () => {
    // The quarter so far, 1 October to 23 November, touches 9 calendar weeks. The previous period, 1 July to 23
    // August, touches 8 weeks.
    const { rows, previous } = await run(thisQuarter, [buckets(9), buckets(8)]);
    expect([rows.length, rows.at(-1)?.['partial']]).toEqual([9, true]);
    expect(previous?.rows).toHaveLength(9);
    expect(previous?.rows.slice(-2)).toEqual([
      { completed_at: 'week 7', completed: 5 },
      { completed_at: null, completed: null },
    ]);
  });

  it('are cut where the earlier period has more dates', async () => {
    // From 26 October 2026, a Monday, the period has 4 weeks. In 2025, 26 October is a Sunday, so the same dates
    // touch 5 weeks.
    const sunday = new Date('2026-11-29T12:00:00Z');
    const period = { preset: 'custom', from: '2026-10-26', to: '2026-11-22' };
    const block = { ...line, compare: 'previous_year', period };
    const { previous } = await run(block, [buckets(4), buckets(5)], { now: sunday });
    expect(previous?.rows).toHaveLength(4);
  });

  it('have every date in each series', async () => {
    const block = { ...thisQuarter, dimensions: [week, 'department'] };
    const { previous } = await run(block, [buckets(9, 'HR', 'IT'), buckets(8, 'IT', 'QA')]);
    expect(previous?.rows).toHaveLength(18);
    expect(previous?.rows.slice(-2)).toEqual([
      { completed_at: null, department: 'IT', completed: null },
      { completed_at: null, department: 'QA', completed: null },
    ]);
  });

  it.each([
    [500, false],
    [501, true],
  ])('are at most 500 of %i, and say whether there are more', async (count, truncated) => {
    const block = { type: 'table', dimensions: ['department'], compare: 'previous_year' };
    const before = Array.from({ length: count }, (_, at) => ({ c1: `d${at}`, c2: 1, bucket: null }));
    const { previous } = await run(block, [[], before]);
    expect([previous?.rows.length, previous?.truncated]).toEqual([500, truncated]);
  });

  it('have totals if the block has', async () => {
    const block = { type: 'table', dimensions: ['department'], compare: 'previous_year', totals: true };
    const totals = (c2: number) => [{ c1: null, c2, bucket: null }];
    const { totals: present, previous } = await run(block, [[], [], totals(7), totals(4)]);
    expect([present, previous?.totals]).toEqual([
      { department: null, completed: 7 },
      { department: null, completed: 4 },
    ]);
  });
});

describe('all_time', () => {
  it('has a partial last date, counted from the first row of its dataset', async () => {
    const block = { type: 'line', dimensions: [week], period: { preset: 'all_time' } };
    const { rows } = await run(block, [buckets(3)], { firstRowAt: () => new Date('2026-11-10T00:00:00Z') });
    expect(rows.map(({ partial }) => partial)).toEqual([undefined, undefined, true]);
  });
});

describe('a funnel', () => {
  it('lists its shares of the first step among its columns', async () => {
    const block = { type: 'funnel', measures: ['started', 'completed'] };
    const { columns, rows } = await run(block, [[{ c1: 4, c2: 3, bucket: null }]]);
    expect(columns.map(({ id }) => id)).toEqual([
      'started',
      'completed',
      'started_of_first',
      'completed_of_first',
    ]);
    expect(rows).toEqual([{ started: 4, completed: 3, started_of_first: 1, completed_of_first: 0.75 }]);
  });
});

const person: Requester & { kind: 'user_session' } = {
  kind: 'user_session',
  sessionId: 'session',
  profileId: 'person',
  role: 'merchant',
  homeMerchantId: 'home',
  environment: 'production',
  askedMerchantId: null,
  roles: ['merchant'],
  needsMerchant: true,
};
const key: Requester = {
  kind: 'service_key',
  keyHash: 'hash',
  environment: 'production',
  askedMerchantId: 'home',
  roles: [],
  needsMerchant: true,
};
const minute = 60_000;

describe('sharedRunKey', () => {
  it('differs for each caller, merchant, environment, request and minute', () => {
    const asked = { id: 'report' };
    const keys = [
      sharedRunKey(person, asked, 0),
      sharedRunKey({ ...person, profileId: 'another' }, asked, 0),
      sharedRunKey({ ...person, homeMerchantId: 'another' }, asked, 0),
      sharedRunKey({ ...person, askedMerchantId: 'another' }, asked, 0),
      sharedRunKey({ ...person, environment: 'uat' }, asked, 0),
      sharedRunKey({ ...person, role: 'merchant_selection' }, asked, 0),
      sharedRunKey(person, { id: 'another' }, 0),
      sharedRunKey(person, asked, minute),
      sharedRunKey(key, asked, 0),
      sharedRunKey({ ...key, keyHash: 'another' }, asked, 0),
      sharedRunKey({ ...key, askedMerchantId: 'another' }, asked, 0),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same for all sessions and all calls of a person in a minute', () => {
    const again = {
      ...person,
      sessionId: 'another',
      meter: { databaseMs: 7, merchantId: null, callerId: null },
    };
    expect(sharedRunKey(again, { id: 'report' }, minute - 1)).toBe(sharedRunKey(person, { id: 'report' }, 0));
  });
});
