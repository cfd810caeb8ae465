import { lockCatalogue } from '../../../db/catalogue/catalogue';
import { withAdmin } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import { catalogueCalls } from '../../harness/catalogue/catalogue-calls';
import { makeKey } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { startPlatform } from '../../harness/platform/start-platform';
import { waitFor } from '../../harness/wait-for';
import { unusual } from './unusual';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform(unusual);
});

describe('calls of one merchant that wait for a lock', () => {
  it.each([
    ['a session', async () => platform.stack.tokens.merchant_owner],
    ['a service key', () => makeKey(platform, platform.stack.merchant_id)],
  ])('leave connections for other merchants when they are made with %s', async (_what, open) => {
    const token = await open();
    const { merchant_id, tokens } = platform.stack;
    const calls = catalogueCalls(platform);
    const id = await calls.make();
    const update = () =>
      platform.call('catalogue-tag-update', { token, body: { merchant_id, id, tags_sub: ['next'] } });
    expect((await update()).status).toBe(200);
    await calls.update(id, { tags_sub: [] });
    await withAdmin(platform.database.adminUrl, async (writer) => {
      await writer.query('begin');
      await writer.query(`select set_config('app.merchant_id', $1, true)`, [merchant_id]);
      await writer.query(toStatement(lockCatalogue({ isPlatforms: false, isMerchants: true, newId: null })));
      const waiting = Promise.all(Array.from({ length: 12 }, update));
      await waitFor('two calls to wait for the lock', async () => {
        const rows = await platform.database.rows(
          `select from pg_stat_activity
           where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
        );
        return rows.length === 2;
      });
      const read = await platform.call('merchant-status', { token: tokens.other_merchant_owner });
      expect(read.status).toBe(200);
      await writer.query('commit');
      expect((await waiting).map(({ status }) => status)).toEqual(Array(12).fill(200));
    });
  });
});
