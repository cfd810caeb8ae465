import { Client } from 'pg';
import { reportsOperations } from '../../../api/reports/operations';
import { signIn } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { definitionOf } from '../../harness/reports/report-definition';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let recruiter: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ access_token: recruiter } = await signIn(platform, 'merchant'));
});

const post = (name: string, body: object, token = recruiter) => platform.call(name, { token, body });
const get = (name: string, query: Record<string, string> = {}, token = recruiter) =>
  platform.call(name, { token, query });
/** Stores and publishes a report of the recruiter, and returns its id. */
const store = async (title: string): Promise<string> => {
  const { status, body } = await post('report-create', { definition: definitionOf(title) });
  expect([status, body]).toMatchObject([200, { version: 1, published: true }]);
  return String(body['id']);
};
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

describe('report-preview', () => {
  it('ends its query when the caller disconnects', async () => {
    const waiting = () =>
      platform.database.rows(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
      );
    // The inserted row makes the cached rows of the report old. Otherwise the call would not wait for the lock.
    await rows('insert into report_change (merchant_id) values ($1)');
    const locker = new Client({ connectionString: platform.database.adminUrl });
    await locker.connect();
    await locker.query('begin; lock table report_attempt in access exclusive mode');
    try {
      const hangUp = new AbortController();
      const call = platform.call('report-preview', {
        token: recruiter,
        body: { definition: definitionOf('Slow') },
        signal: hangUp.signal,
      });
      await waitFor('the query to wait', async () => (await waiting()).length > 0);
      hangUp.abort();
      await expect(call).rejects.toThrow('aborted');
      await waitFor('the query to end', async () => (await waiting()).length === 0);
    } finally {
      await locker.end();
    }
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

    const file = await get('report-export', { id, block_id: 'completed' });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=Published.csv');
    expect(file.text).toMatch(/^\uFEFF?Completed\r\n\d+\r\n$/);
    expect(await get('report-export', { id, block_id: 'none' })).toMatchObject({
      status: 422,
      body: { name: 'block_id', code: 'unknown_value' },
    });

    expect((await post('report-archive', { id })).status).toBe(200);
    expect((await get('report-run', { id })).status).toBe(404);
    expect((await get('report-get', { id })).body).toMatchObject({ is_archived: true });
    expect((await get('report-list')).body['data']).toEqual([]);
  });

  it('is a 403 in every operation while the account has no reports', async () => {
    const id = await store('Before');
    await whileSet('merchant.reports_enabled', [false, true], async () => {
      const replies = await Promise.all([
        get('report-run', { id }),
        post('report-preview', { definition: definitionOf('Off') }),
        post('report-update', { id, version: 1, definition: definitionOf('Off') }),
        // Calls without the fields that they need get the same error.
        ...reportsOperations.map(({ name, method }) => (method === 'GET' ? get(name) : post(name, {}))),
      ]);
      expect(replies.map(({ status, body }) => [status, body['error']])).toEqual(
        replies.map(() => [403, 'Custom reports are not enabled for this account.']),
      );
    });
  });
});
