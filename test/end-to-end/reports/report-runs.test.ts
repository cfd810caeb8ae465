import { Client } from 'pg';
import { signIn } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { completed, definitionOf, reportCalls } from '../../harness/reports/report-calls';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let token: string;
let calls: ReturnType<typeof reportCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ access_token: token } = await signIn(platform, 'merchant'));
  calls = reportCalls(platform, token);
});

describe('a number that JSON allows and no column can hold', () => {
  it('is a 422 with details', async () => {
    const rawBody = JSON.stringify({ definition: definitionOf('Any') }).replace(
      '"blocks":[{',
      '"blocks":[{"limit":1e999,',
    );
    const { status, body } = await platform.call('report-preview', { token, rawBody });
    const path = 'blocks[0].limit';
    expect([status, body['name'], body['details']]).toMatchObject([
      422,
      path,
      [{ path, code: 'bad_value', source: 'definition' }],
    ]);
  });
});

describe('a run', () => {
  /** Locks a table, so that every transaction that reads the table waits. */
  const lockTable = async (table: string): Promise<Client> => {
    const client = new Client({ connectionString: platform.database.adminUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    return client;
  };
  const waiting = () =>
    platform.database.rows(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
    );

  it('ends its query when the caller disconnects', async () => {
    // The inserted row invalidates the cached result of the report. Otherwise the call would return the cached rows
    // and not wait for the lock.
    await platform.database.rows('insert into report_change (merchant_id) values ($1)', [
      platform.stack.merchant_id,
    ]);
    const lock = await lockTable('report_attempt');
    try {
      const hangUp = new AbortController();
      const call = platform.call('report-preview', {
        token,
        body: { definition: definitionOf('Slow') },
        signal: hangUp.signal,
      });
      await waitFor('the query to wait', async () => (await waiting()).length > 0);
      hangUp.abort();
      await expect(call).rejects.toThrow('aborted');
      await waitFor('the query to end', async () => (await waiting()).length === 0);
    } finally {
      await lock.end();
    }
  });

  it('returns the other blocks when one takes longer than its time', async () => {
    const lock = await lockTable('credit_entry');
    try {
      const credits = { id: 'credits', type: 'kpi', dataset: 'credits', measures: ['consumed'] };
      const replies = await Promise.all(
        ['last_30_days', 'all_time'].map((preset) =>
          calls.post('report-preview', {
            definition: definitionOf('Half', [{ ...credits, period: { preset } }, completed]),
          }),
        ),
      );
      for (const { status, body } of replies)
        expect([status, body['blocks']]).toMatchObject([
          200,
          [
            { block_id: 'credits', ok: false, error: expect.stringContaining('longer than 8 s'), rows: [] },
            { block_id: 'completed', ok: true, rows: [{ completed: expect.any(Number) }] },
          ],
        ]);
    } finally {
      await lock.end();
    }
  });
});
