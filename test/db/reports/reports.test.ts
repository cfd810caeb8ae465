import { people } from '../../../local/seed/accounts';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { completed, definitionOf } from '../../harness/reports/report-definition';

let platform: Operations;
let recruiter: string;
let owner: string;
let manager: string;
beforeAll(async () => {
  platform = await openOperations();
  ({ access_token: recruiter } = await signIn(platform, 'merchant'));
  ({ access_token: owner } = await signIn(platform, 'merchant_owner'));
  ({ access_token: manager } = await signIn(platform, 'merchant_selection'));
});

const post = (name: string, body: object, token = recruiter) => platform.call(name, { token, body });
const get = (name: string, query: Record<string, string> = {}, token = recruiter) =>
  platform.call(name, { token, query });
const rows = <Row = unknown>(text: string, ...values: unknown[]) =>
  platform.database.rows<Row>(text, [platform.stack.merchant_id, ...values]);
/** Changes the account while a test runs, and changes it back afterwards. */
const whileSet = async (
  column: string,
  values: [during: unknown, after: unknown],
  test: () => Promise<void>,
) => {
  const [table, name] = column.split('.');
  const key = table === 'merchant' ? 'id' : 'merchant_id';
  const set = (value: unknown) => rows(`update ${table} set ${name} = $2 where ${key} = $1`, value);
  await set(values[0]);
  await test().finally(() => set(values[1]));
};
const credits = { id: 'credits', type: 'kpi', dataset: 'credits', measures: ['consumed'] };
const weekly = { every: 'week', format: 'pdf', recipients: [people.merchant.id] };

/** Stores and publishes a report of the recruiter, and returns its id. */
const store = async (title: string): Promise<string> => {
  const { status, body } = await post('report-create', { definition: definitionOf(title) });
  expect([status, body]).toMatchObject([200, { version: 1, published: true }]);
  return String(body['id']);
};
describe('report-preview', () => {
  it('runs a definition without storing it', async () => {
    const { status, body } = await post('report-preview', { definition: definitionOf('Preview') });
    const [row] = await rows<{ count: number }>(
      `select count(*)::int as count from report_attempt
       where merchant_id = $1 and environment = 'production' and not is_test
         and interview_status in ('completed', 'completed, stopped early')`,
    );
    expect([status, body['report_id'], body['version']]).toEqual([200, null, null]);
    expect(body['blocks']).toMatchObject([
      { block_id: 'completed', ok: true, rows: [{ completed: row?.count }] },
    ]);
    expect(row?.count).toBeGreaterThan(0);
    expect((await get('report-list')).body['data']).toEqual([]);
  });

  it('returns a 422 that a program can repair by itself', async () => {
    const wrong = definitionOf('Wrong', [{ ...completed, measures: ['complet'] }]);
    const [name, code] = ['blocks[0].measures[0]', 'unknown_measure'];
    const { status, body } = await post('report-preview', { definition: wrong });
    const details = [{ block_id: 'completed', path: name, suggestion: 'completed' }];
    expect([status, body]).toMatchObject([422, { name, code, errors: [{ name, code }], details }]);
    for (const [operation, sent, field, path] of [
      ['report-preview', { definition: '{}' }, 'definition', ''],
      ['report-preview', { definition: definitionOf('A'), filters: 'last_month' }, 'filters', 'filters'],
      ['report-create', { definition: null }, 'definition', ''],
    ] as const)
      expect(await post(operation, sent)).toMatchObject({
        status: 422,
        body: { name: field, code: 'bad_value', details: [{ path }] },
      });
  });
});

describe('a report', () => {
  it('is private until it is shared, and others can then run it and not change it', async () => {
    const definition = definitionOf('Of the owner');
    const { body } = await post('report-create', { definition }, owner);
    const id = String(body['id']);
    const statuses = async (report: string) => {
      const changes = await Promise.all([
        post('report-update', { id: report, version: 1, definition }),
        post('report-share', { id: report, shared: false }),
        post('report-archive', { id: report }),
        post('report-schedule', { id: report, every: 'off' }),
        get('report-run', { id: report, draft: 'true' }, manager),
        get('report-run', { id: report }, manager),
      ]);
      return changes.map(({ status }) => status);
    };
    expect(await statuses(id)).toEqual([404, 404, 404, 404, 404, 404]);
    await post('report-share', { id, shared: true }, owner);
    expect(await statuses(id)).toEqual([403, 403, 403, 403, 403, 200]);
    const template = '0198a000-0000-7000-8000-00000000c001';
    expect((await statuses(template)).slice(0, 4)).toEqual([403, 403, 403, 403]);
    await post('report-update', { id, version: 1, definition, target: 'draft' }, owner);
    await post('report-schedule', { id, ...weekly }, owner);
    const listed = async (token: string, scope = 'all') =>
      (await get('report-list', { scope }, token)).body['data'];
    expect(await listed(owner)).toMatchObject([{ id, has_draft: true, can_edit: true }]);
    expect(await listed(manager, 'shared')).toMatchObject([{ id, has_draft: false, can_edit: false }]);
    expect((await get('report-get', { id }, owner)).body['schedules']).toHaveLength(1);
    expect((await get('report-get', { id }, manager)).body).toMatchObject({
      can_edit: false,
      draft: null,
      versions: [],
      schedules: [],
    });
  });

  it('has no dataset of credits if the plan of the account charges nothing', async () => {
    const stored = await post('report-create', { definition: definitionOf('Credits used', [credits]) });
    await whileSet('credit_account.plan', ['Special', 'Growth'], async () => {
      const { body } = await get('report-catalog');
      const ids = new Set((body['datasets'] as { id: string }[]).map(({ id }) => id));
      expect([ids.has('interview_results'), ids.has('credits')]).toEqual([true, false]);
      const refused = await post('report-preview', { definition: definitionOf('Any', [credits]) });
      expect([refused.status, refused.body.code]).toEqual([422, 'unknown_dataset']);
      const run = await get('report-run', { id: String(stored.body['id']) });
      expect(run.body['blocks']).toMatchObject([{ ok: false, details: [{ code: 'unknown_dataset' }] }]);
    });
  });
});

describe('report-records', () => {
  const definition = definitionOf('Records', [
    {
      id: 'months',
      type: 'table',
      dataset: 'interview_results',
      dimensions: [{ field: 'completed_at', grain: 'month' }, 'department', 'attempt'],
      measures: ['completed', 'started', 'shortlist_rate'],
      limit: 500,
    },
    { id: 'note', type: 'text', content_md: 'Note' },
  ]);
  type Query = { [name: string]: string };
  const list = (query: Query) => get('report-records', { block_id: 'months', ...query });
  const totalOf = async (query: Query) => ((await list(query)).body['pagination'] as { total: number }).total;

  it('lists what a number of a row counts, of a stored report or a definition', async () => {
    const id = String((await post('report-create', { definition })).body['id']);
    const run = await get('report-run', { id, block_id: 'months' });
    const [block] = run.body['blocks'] as { rows: { [name: string]: unknown }[] }[];
    const row = block?.rows.find(({ completed: count }) => Number(count) > 0) ?? {};
    for (const measure of ['completed', 'started'])
      expect(await totalOf({ id, row: JSON.stringify(row), measure, limit: '1' })).toBe(row[measure]);
    const sent = { definition: JSON.stringify(definition) };
    expect(await totalOf(sent)).toBe(await totalOf({ id }));
    const filters = JSON.stringify({ period: { preset: 'custom', from: '2001-01-01', to: '2001-01-02' } });
    expect((await list({ ...sent, filters })).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false, next_cursor: null },
    });
  });

  it('returns a 422 with the name of the wrong field', async () => {
    const sent = { definition: JSON.stringify(definition) };
    for (const [query, name] of [
      [{ block_id: 'none' }, 'block_id'],
      [{ block_id: 'note' }, 'block_id'],
      [{ measure: 'rejected' }, 'measure'],
      [{ row: 'department' }, 'row'],
      [{ row: '[]' }, 'row'],
      [{ row: '{"language":"en"}' }, 'row'],
      [{ row: '{"__proto__":1}' }, 'row'],
      [{ row: '{"completed_at":"2026-02-30"}' }, 'row'],
      [{ row: '{"attempt":"1"}' }, 'row'],
      [{ row: '{"department":"\\u0000"}' }, 'block_id'],
      [{ filters: '{"period":1}' }, 'filters.period'],
      [{ id: people.merchant.id }, 'id'],
    ] as [Query, string][]) {
      const { status, body } = await list({ ...sent, ...query });
      expect([query, status, body.name]).toEqual([query, 422, name]);
    }
  });
});

describe('report-schedule', () => {
  const create = async (filters: object = {}) => {
    const blocks = [completed, { id: 'note', type: 'text', content_md: 'Hello' }];
    const definition = { ...definitionOf('Mailed', blocks), filters };
    return String((await post('report-create', { definition })).body['id']);
  };
  const schedule = (id: string, body: object = weekly, token = recruiter) =>
    post('report-schedule', { id, ...body }, token);
  const listed = async (id: string, token = recruiter) =>
    (await get('report-get', { id }, token)).body['schedules'] as {
      next_run_at: string;
      paused_because: string;
    }[];

  it('adds a schedule, queues it for Temporal, and tells when it runs next in the time zone of the report', async () => {
    const id = await create({ timezone: 'Asia/Tokyo' });
    const { status, body } = await schedule(id);
    expect([status, body]).toMatchObject([200, { id }]);
    const [shown] = await listed(id);
    expect(shown).toEqual({
      schedule_id: body['schedule_id'],
      every: 'week',
      format: 'pdf',
      block_id: null,
      recipients: [{ profile_id: people.merchant.id, name: people.merchant.name }],
      timezone: 'Asia/Tokyo',
      created_by_name: people.merchant.name,
      paused_because: null,
      next_run_at: expect.any(String),
      last_run: null,
    });
    const next = new Date(shown?.next_run_at ?? '');
    expect(next.getTime()).toBeGreaterThan(Date.now());
    const local = { weekday: 'short', hour: '2-digit', minute: '2-digit', hour12: false } as const;
    expect(next.toLocaleString('en-GB', { timeZone: 'Asia/Tokyo', ...local })).toBe('Mon 07:00');
    const starts = await rows(
      `select from workflow_start where merchant_id = $1 and workflow_type = 'reportDelivery'
         and argument ->> 'schedule_id' = $2`,
      body['schedule_id'],
    );
    expect(starts).toHaveLength(1);
  });

  it('changes a schedule, which runs for the caller from then on, and stops it', async () => {
    const id = await create();
    const { schedule_id } = (await schedule(id)).body;
    const csv = { every: 'month', format: 'csv', block_id: 'completed' };
    const changed = await schedule(
      id,
      { ...csv, recipients: [people.merchant_owner.id], schedule_id },
      owner,
    );
    expect([changed.status, changed.body['schedules']]).toMatchObject([
      200,
      [{ schedule_id, ...csv, created_by_name: people.merchant_owner.name }],
    ]);
    const stopped = await schedule(id, { every: 'off', schedule_id });
    expect([stopped.status, stopped.body]).toEqual([200, { id, schedule_id, schedules: [] }]);
    for (const [sent, name, code] of [
      [{ ...weekly, schedule_id }, 'schedule_id', 'unknown_id'],
      [{ ...weekly, format: 'csv' }, 'block_id', 'required'],
      [{ ...weekly, format: 'csv', block_id: 'note' }, 'block_id', 'invalid_value'],
      [{ ...weekly, block_id: 'none' }, 'block_id', 'invalid_value'],
      [{ every: 'week', format: 'pdf' }, 'recipients', 'required'],
      [{ ...weekly, recipients: [people.merchant.id, people.user.id] }, 'recipients[1]', 'unknown_id'],
    ] as const)
      expect(await schedule(id, sent)).toMatchObject({ status: 422, body: { name, code } });
  });

  it('returns a 409 if the account has 200 schedules, also those of other people and environments', async () => {
    const id = await create();
    await rows(
      `with r as (
         insert into report (merchant_id, title, creator_id) values ($1, 'Other', $2) returning id
       ), already as (
         select count(*) as count from report_schedule s join report r on r.id = s.report_id
         where s.merchant_id = $1 and s.stopped_at is null and r.archived_at is null
       )
       insert into report_schedule (merchant_id, environment, report_id, creator_id, every, format, recipients)
       select $1, case when n % 2 = 0 then 'uat' else 'production' end, id, $2, 'week', 'pdf', array[$2]::uuid[]
       from r, already, generate_series(1, 199 - already.count) n`,
      people.merchant_owner.id,
    );
    const last = await schedule(id);
    expect(last.status).toBe(200);
    const over = await schedule(id);
    expect([over.status, over.body]).toMatchObject([409, { code: 'limit_reached' }]);
    const { schedule_id } = last.body;
    expect((await schedule(id, { ...weekly, every: 'month', schedule_id })).status).toBe(200);
    await schedule(id, { every: 'off', schedule_id });
    expect((await schedule(id)).status).toBe(200);
    await rows('update report_schedule set stopped_at = now() where merchant_id = $1 and stopped_at is null');
  });

  it('is not for service keys, and says why a schedule is paused as long as the reason lasts', async () => {
    const id = await create();
    const key = await makeKey(platform, platform.stack.merchant_id);
    const asKey = await schedule(id, { ...weekly, merchant_id: platform.stack.merchant_id }, key);
    expect(asKey.body).toMatchObject({ code: 'key_not_allowed' });
    await schedule(id);
    for (const [during, after, reason] of [
      [`role = 'merchant_selection'`, `role = 'merchant'`, 'edit this report'],
      ['home_disabled_at = now()', 'home_disabled_at = null', 'sign in'],
    ] as const) {
      const set = (change: string) =>
        platform.database.rows(`update profile set ${change} where id = $1`, [people.merchant.id]);
      await set(during);
      const [paused] = await listed(id, owner);
      await set(after);
      expect(paused).toMatchObject({ paused_because: expect.stringContaining(reason), next_run_at: null });
    }
    expect(await listed(id, owner)).toMatchObject([{ paused_because: null }]);
  });
});

describe('a report', () => {
  it('is stored, run with filters of three sources, changed, drafted and archived', async () => {
    const id = await store('Story');
    const run = async (query: Record<string, string> = {}) =>
      (await get('report-run', { id, ...query })).body;
    const periodOf = (preset: string) => ({ filters: { period: { preset } } });
    expect(await run()).toMatchObject({ report_id: id, version: 1, title: 'Story' });
    const saved = await post('report-filters-save', { id, ...periodOf('today') });
    expect(saved.body).toEqual({ id, ...periodOf('today') });
    expect(await run()).toMatchObject(periodOf('today'));
    const filters = JSON.stringify(periodOf('last_month').filters);
    expect(await run({ filters })).toMatchObject(periodOf('last_month'));

    const draft = { id, version: 1, definition: definitionOf('Draft'), target: 'draft' };
    expect((await post('report-update', draft)).body).toMatchObject({ version: 2, published: false });
    expect(await run({ draft: 'true' })).toMatchObject({ version: 2, title: 'Draft' });
    expect(await run()).toMatchObject({ version: 1, title: 'Story' });
    expect(await post('report-update', draft)).toMatchObject({
      status: 409,
      body: { code: 'concurrent_change', name: 'version' },
    });
    const update = { id, version: 2, definition: definitionOf('Published') };
    // Of two updates of one version that arrive together, one is stored.
    const both = await Promise.all([post('report-update', update), post('report-update', update)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await get('report-get', { id })).body).toMatchObject({
      title: 'Published',
      draft: null,
      versions: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });

    expect((await get('report-export', { id, block_id: 'completed' })).text).toMatch(
      /^\uFEFF?Completed\r\n\d+\r\n$/,
    );
    expect(await get('report-export', { id, block_id: 'none' })).toMatchObject({
      status: 422,
      body: { name: 'block_id', code: 'unknown_value' },
    });

    expect((await post('report-archive', { id })).status).toBe(200);
    expect((await get('report-run', { id })).status).toBe(404);
    expect((await get('report-get', { id })).body).toMatchObject({ is_archived: true });
    const listed = (await get('report-list')).body['data'] as { id: string }[];
    expect(listed.filter((each) => each.id === id)).toEqual([]);
  });
});
