import { reportsOperations } from '../../../api/reports/operations';
import { signIn } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { completed, definitionOf, reportCalls } from '../../harness/reports/report-calls';

let platform: Platform;
let token: string;
let calls: ReturnType<typeof reportCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ access_token: token } = await signIn(platform, 'merchant'));
  calls = reportCalls(platform, token);
});

describe('report-preview', () => {
  it('runs a definition without storing it', async () => {
    const { status, body } = await calls.post('report-preview', { definition: definitionOf('Preview') });
    const [row] = await platform.database.rows<{ count: number }>(
      `select count(*)::int as count from report_attempt
       where merchant_id = $1 and environment = 'production' and not is_test
         and interview_status in ('completed', 'completed, stopped early')`,
      [platform.stack.merchant_id],
    );
    expect([status, body['report_id'], body['version']]).toEqual([200, null, null]);
    expect(body['blocks']).toMatchObject([
      { block_id: 'completed', ok: true, rows: [{ completed: row?.count }] },
    ]);
    expect(row?.count).toBeGreaterThan(0);
    expect((await calls.get('report-list')).body['data']).toEqual([]);
  });

  it('returns a 422 that a program can repair by itself', async () => {
    const blocks = [{ ...completed, measures: ['complet'] }];
    const { status, body } = await calls.post('report-preview', {
      definition: definitionOf('Wrong', blocks),
    });
    expect([status, body]).toMatchObject([
      422,
      {
        name: 'blocks[0].measures[0]',
        code: 'unknown_measure',
        errors: [{ name: 'blocks[0].measures[0]', code: 'unknown_measure' }],
        details: [{ block_id: 'completed', path: 'blocks[0].measures[0]', suggestion: 'completed' }],
      },
    ]);
  });
});

it('returns details for a definition or filters of another type', async () => {
  for (const [name, sent, field, path] of [
    ['report-preview', { definition: '{}' }, 'definition', ''],
    ['report-preview', { definition: definitionOf('A'), filters: 'last_month' }, 'filters', 'filters'],
    ['report-create', { definition: null }, 'definition', ''],
  ] as const) {
    const { status, body } = await calls.post(name, sent);
    expect([status, body]).toMatchObject([422, { name: field, code: 'bad_value', details: [{ path }] }]);
  }
});

describe('a report', () => {
  it('is stored, run with filters of three sources, changed, drafted and archived', async () => {
    const id = await calls.create('Story');
    expect((await calls.get('report-run', { id })).body).toMatchObject({
      report_id: id,
      version: 1,
      title: 'Story',
    });
    const saved = await calls.post('report-filters-save', { id, filters: { period: { preset: 'today' } } });
    expect(saved.body).toEqual({ id, filters: { period: { preset: 'today' } } });
    const ofSaved = await calls.get('report-run', { id });
    expect(ofSaved.body['filters']).toMatchObject({ period: { preset: 'today' } });
    const ofRequest = await calls.get('report-run', { id, filters: '{"period":{"preset":"last_month"}}' });
    expect(ofRequest.body['filters']).toMatchObject({ period: { preset: 'last_month' } });

    const draft = { id, version: 1, definition: definitionOf('Draft'), target: 'draft' };
    expect((await calls.post('report-update', draft)).body).toMatchObject({ version: 2, published: false });
    expect((await calls.get('report-run', { id, draft: 'true' })).body).toMatchObject({
      version: 2,
      title: 'Draft',
    });
    expect((await calls.get('report-run', { id })).body).toMatchObject({ version: 1, title: 'Story' });
    const stale = await calls.post('report-update', draft);
    expect([stale.status, stale.body]).toMatchObject([409, { code: 'concurrent_change', name: 'version' }]);
    const published = { id, version: 2, definition: definitionOf('Published') };
    expect((await calls.post('report-update', published)).body).toMatchObject({
      version: 3,
      published: true,
    });
    expect((await calls.get('report-get', { id })).body).toMatchObject({
      title: 'Published',
      draft: null,
      versions: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });

    expect((await calls.post('report-archive', { id })).status).toBe(200);
    expect((await calls.get('report-run', { id })).status).toBe(404);
    expect((await calls.get('report-get', { id })).body).toMatchObject({ is_archived: true });
    expect((await calls.get('report-list')).body['data']).toEqual([]);
  });

  it('is private until it is shared, and then read only for others', async () => {
    const id = await calls.create('Private');
    const { access_token: other } = await signIn(platform, 'merchant_selection');
    expect((await calls.get('report-run', { id }, other)).status).toBe(404);
    expect((await calls.get('report-get', { id }, other)).status).toBe(404);
    await calls.post('report-share', { id, shared: true });
    expect((await calls.get('report-run', { id }, other)).status).toBe(200);
    expect((await calls.get('report-run', { id, draft: 'true' }, other)).status).toBe(403);
    expect((await calls.get('report-get', { id }, other)).body).toMatchObject({
      can_edit: false,
      versions: [],
    });
    await calls.post('report-update', { id, version: 1, definition: definitionOf('Draft'), target: 'draft' });
    expect((await calls.get('report-list')).body['data']).toMatchObject([{ id, has_draft: true }]);
    expect((await calls.get('report-list', { scope: 'shared' }, other)).body['data']).toMatchObject([
      { id, title: 'Private', has_draft: false },
    ]);
    expect((await calls.post('report-archive', { id }, other)).status).toBe(403);
  });

  it('is a 403 for a colleague who changes it and may only run it, and so is a template', async () => {
    const { access_token: owner } = await signIn(platform, 'merchant_owner');
    const definition = definitionOf('Of the owner');
    const { body } = await calls.post('report-create', { definition }, owner);
    const id = String(body['id']);
    const change = (report: string) =>
      Promise.all([
        calls.post('report-update', { id: report, version: 1, definition }),
        calls.post('report-share', { id: report, shared: false }),
        calls.post('report-archive', { id: report }),
        calls.post('report-schedule', { id: report, every: 'off' }),
      ]);
    const statuses = async (report: string) => (await change(report)).map(({ status }) => status);
    expect(await statuses(id)).toEqual([404, 404, 404, 404]);
    await calls.post('report-share', { id, shared: true }, owner);
    expect(await statuses(id)).toEqual([403, 403, 403, 403]);
    expect(await statuses('0198a000-0000-7000-8000-00000000c001')).toEqual([403, 403, 403, 403]);
  });

  it('changes once when two updates of a version arrive together', async () => {
    const id = await calls.create('Race');
    const update = { id, version: 1, definition: definitionOf('Won') };
    const replies = await Promise.all([
      calls.post('report-update', update),
      calls.post('report-update', update),
    ]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('report-export', () => {
  it('returns a block as CSV, and a 422 for a block without data', async () => {
    const id = await calls.create('Export');
    const reply = await calls.get('report-export', { id, block_id: 'completed' });
    expect([
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('content-disposition'),
    ]).toEqual([200, 'text/csv; charset=utf-8', 'attachment; filename=Export.csv']);
    expect(reply.text).toMatch(/^\uFEFF?Completed\r\n\d+\r\n$/);
    expect(await calls.get('report-export', { id, block_id: 'none' })).toMatchObject({
      status: 422,
      body: { name: 'block_id', code: 'unknown_value' },
    });
  });
});

describe('an account whose plan charges nothing', () => {
  it('has no dataset of credits', async () => {
    const set = (plan: string) =>
      platform.database.rows('update credit_account set plan = $1 where merchant_id = $2', [
        plan,
        platform.stack.merchant_id,
      ]);
    const credits = { id: 'credits', type: 'kpi', dataset: 'credits', measures: ['consumed'] };
    const stored = await calls.post('report-create', { definition: definitionOf('Credits used', [credits]) });
    await set('Special');
    try {
      const { body } = await calls.get('report-catalog');
      const ids = (body['datasets'] as { id: string }[]).map(({ id }) => id);
      expect(ids).toContain('interview_results');
      expect(ids).not.toContain('credits');
      const refused = await calls.post('report-preview', { definition: definitionOf('Any', [credits]) });
      expect([refused.status, refused.body.code]).toEqual([422, 'unknown_dataset']);
      const run = await calls.get('report-run', { id: String(stored.body['id']) });
      expect(run.body['blocks']).toMatchObject([{ ok: false, details: [{ code: 'unknown_dataset' }] }]);
    } finally {
      await set('Growth');
    }
  });
});

describe('the account switch', () => {
  it('turns every operation of reports into a 403', async () => {
    const id = await calls.create('Before');
    await platform.database.rows('update merchant set reports_enabled = false where id = $1', [
      platform.stack.merchant_id,
    ]);
    try {
      const whole = [
        calls.get('report-catalog'),
        calls.get('report-list'),
        calls.get('report-get', { id }),
        calls.get('report-run', { id }),
        calls.post('report-preview', { definition: definitionOf('Off') }),
        calls.post('report-create', { definition: definitionOf('Off') }),
        calls.post('report-update', { id, version: 1, definition: definitionOf('Off') }),
        calls.post('report-share', { id, shared: true }),
        calls.post('report-archive', { id }),
        calls.post('report-filters-save', { id, filters: {} }),
      ];
      // Calls without the fields that they need get the same error.
      const empty = reportsOperations.map(({ name, method }) =>
        method === 'GET' ? calls.get(name) : calls.post(name, {}),
      );
      const replies = await Promise.all([...whole, ...empty]);
      expect(replies.map(({ status, body }) => [status, body['error']])).toEqual(
        replies.map(() => [403, 'Custom reports are not enabled for this account.']),
      );
    } finally {
      await platform.database.rows('update merchant set reports_enabled = true where id = $1', [
        platform.stack.merchant_id,
      ]);
    }
  });
});
