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

const rows = <Row = unknown>(text: string, ...values: unknown[]) =>
  platform.database.rows<Row>(text, [platform.stack.merchant_id, ...values]);
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

describe('report-export', () => {
  it('sends a file', async () => {
    const token = recruiter;
    const body = { definition: definitionOf('Published') };
    const { body: report } = await platform.call('report-create', { token, body });
    const query = { id: String(report['id']), block_id: 'completed' };
    const { headers } = await platform.call('report-export', { token, query });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename=Published.csv');
  });
});

describe('an operation of reports', () => {
  it('is a 403 while the account has no reports, also without the fields that it needs', async () => {
    const set = (value: boolean) => rows('update merchant set reports_enabled = $2 where id = $1', value);
    await set(false);
    const replies = await Promise.all(
      reportsOperations.map(({ name, method }) =>
        platform.call(name, { token: recruiter, ...(method === 'GET' ? {} : { body: {} }) }),
      ),
    );
    await set(true);
    expect(replies.map(({ status, body }) => [status, body['error']])).toEqual(
      replies.map(() => [403, 'Custom reports are not enabled for this account.']),
    );
  });
});
