import { interviewId } from '../../../local/seed/interviews';
import { startOwnPostgres } from '../../harness/own-postgres';
import type { OwnPostgres } from '../../harness/own-postgres';
import { peopleCalls, rowsOf } from '../../harness/people';
import type { Registration } from '../../harness/people';
import { startPlatform } from '../../harness/platform';
import type { Platform } from '../../harness/platform';

let postgres: OwnPostgres;
let platform: Platform;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  platform = await startPlatform({ database: postgres.database, worker: false });
});
afterAll(async () => {
  postgres.thaw();
  await platform.stop();
});

const read = () => platform.call('merchant-status');
const archive = () =>
  platform.call('job-interview-set-state', {
    body: { position_id: platform.stack.ids.draft_interview, status: 'archived' },
    headers: { 'idempotency-key': 'while it hangs' },
  });
const register = () => peopleCalls(platform).tryRegister([{ email: 'hang@example.com' }]);

describe('when Postgres hangs', () => {
  it('reads, writes and pages answer 503, and the next requests after it goes on work', async () => {
    const [candidate] = rowsOf<Registration>(await register());
    const page = async () => (await fetch(candidate?.interview_url ?? '')).status;
    const ready = async () => (await fetch(`${platform.stack.origin}/readyz`)).status;
    const ask = async () => {
      // More than the pool has, on connections that were there and on ones that nobody accepts.
      const replies = await Promise.all([
        ...Array.from({ length: 12 }, read),
        archive(),
        archive(),
        register(),
      ]);
      return replies.map(({ status }) => status);
    };
    expect((await Promise.all(Array.from({ length: 6 }, read))).map(({ status }) => status)).toEqual(
      Array(6).fill(200),
    );
    await postgres.freeze();
    const [hung, ...others] = await Promise.all([ask(), page(), ready()]);
    expect(hung).toEqual(Array(15).fill(503));
    expect(others).toEqual([503, 503]);
    // Nothing of the pool is left that hangs.
    expect((await read()).status).toBe(503);
    postgres.thaw();
    expect((await Promise.all(Array.from({ length: 12 }, read))).map(({ status }) => status)).toEqual(
      Array(12).fill(200),
    );
    expect([(await register()).status, await page(), await ready()]).toEqual([200, 200, 200]);
    const archived = await archive();
    expect(archived.status).toBe(200);
    expect(
      await postgres.database.rows('select status from interview where id = $1', [interviewId('draft')]),
    ).toEqual([{ status: 'archived' }]);
  });
});
