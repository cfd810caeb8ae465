import { readFileSync } from 'node:fs';
import path from 'node:path';
import { merchants } from '../../../local/seed/accounts';
import { cloneInterview, enrolmentsOf, openUrl, peopleCalls, rowsOf } from '../../harness/people/people';
import type { Invitation, Registration } from '../../harness/people/people';
import { infrastructure } from '../../harness/platform/infrastructure';
import { insist } from '../../harness/platform/insist';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
});

const clone = () => cloneInterview(platform.database);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const idOf = (row: Registration | undefined) => String(openUrl(row?.interview_url).claims['sub']);
const deadlocks = async () =>
  (
    await platform.database.rows<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
  )[0]?.deadlocks;

const register = async (users: object[], more: Record<string, unknown>) =>
  rowsOf<Registration>(await insist(() => calls.tryRegister(users, more)));
const invite = async (users: object[], more: Record<string, unknown> = {}, options: CallOptions = {}) =>
  rowsOf<Invitation>(await insist(() => calls.tryInvite(users, more, options)));

describe('job-interview-register-users, simultaneous calls', () => {
  it('returns 200 for 6 calls with 100 overlapping people in opposite orders, without duplicates and deadlocks', async () => {
    const id = await clone();
    const call = (turn: number) => {
      const users = range(100).map((index) => ({
        email: `p${index + turn * 10}@once.example`,
        name: `By ${turn}`,
      }));
      return register(turn % 2 ? users.toReversed() : users, { interview_id: id });
    };
    const replies = await Promise.all(range(6).map(call));
    expect(replies.flat().filter(({ result }) => result !== 'ok')).toEqual([]);
    const stored = await enrolmentsOf(platform.database, id);
    expect(stored).toHaveLength(150);
    const known = new Map(stored.map((row) => [row.email, row.id]));
    expect(replies.flat().filter((row) => idOf(row) !== known.get(String(row.email)))).toEqual([]);
    expect(await deadlocks()).toBe(0);
  });
});

describe('invite-users, simultaneous calls', () => {
  it('creates one account for two merchants, Invited at one and with access at the other', async () => {
    const token = platform.stack.service_key;
    const users = range(100).map((index) => ({ email: `shared${index}@once.example`, type: 'merchant' }));
    const [here, there] = await Promise.all([
      invite(users, { merchant_id: merchants.main.id }, { token }),
      invite(users.toReversed(), { merchant_id: merchants.other.id }, { token }),
    ]);
    const byEmail = new Map(there.map((row) => [row.email, row]));
    for (const row of here) {
      const other = byEmail.get(row.email);
      expect([row.result, other?.result].toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
        'Invited',
        'SubMerchantAdded',
      ]);
      expect(other?.profile_id).toBe(row.profile_id);
    }
  });
});

describe('SQL statements of a call', () => {
  const log = () => readFileSync(path.join(infrastructure().folder, 'postgres.log'), 'utf8');
  /**
   * Makes Postgres log all statements. The setting applies only to new connections, so the connections of the API are
   * closed.
   */
  beforeAll(async () => {
    const name = new URL(platform.database.adminUrl).pathname.slice(1);
    await platform.database.rows(`alter database ${name} set log_statement = 'all'`);
    await platform.database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'app_api_login'`,
      [name],
    );
    // The API replies with 503 as long as its pool has closed connections.
    await Promise.all(range(20).map(() => insist(() => platform.call('merchant-status'))));
    await platform.database.rows(`update credit_account set plan = 'Special'`);
  });

  /**
   * Counts the statements that Postgres receives during `work`, except the statements that record the last use of
   * credentials.
   */
  const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
    const before = log().length;
    await work();
    const sent = log().slice(before);
    const count = (pattern: RegExp) => sent.match(pattern)?.length ?? 0;
    // Once a minute, the API records the last use of credentials in a transaction of 4 statements. Of the API's
    // transactions, only this one starts with begin_as.
    return count(/LOG: {2}(statement|execute [^:]+):/g) - 4 * count(/LOG: {2}execute begin_as:/g);
  };
  /**
   * Returns the smaller count of two calls, because the first statement on a new connection and the API's own work
   * add to a count.
   */
  const leastStatements = async (work: (round: number) => Promise<unknown>): Promise<number> => {
    const counts: number[] = [];
    for (const round of range(2)) counts.push(await countStatements(() => work(round)));
    return Math.min(...counts);
  };
  const users = (kind: string, count: number) =>
    range(count).map((index) => ({
      email: `${kind}${count}-${index}@sql.example`,
      external_id: `${kind}${count}-${index}`,
    }));

  it.each([
    [
      'invite candidates',
      'cand',
      (rows: object[], interview_id: string) =>
        calls.invite(rows.map((row) => ({ ...row, type: 'candidate', interview_id }))),
    ],
    [
      'invite a team',
      'team',
      (rows: object[]) => calls.invite(rows.map((row) => ({ ...row, type: 'merchant' }))),
    ],
  ])('are as many for 1,000 people as for one: %s', async (_what, kind, call) => {
    const id = await clone();
    const counts: number[] = [];
    for (const count of [1, 1_000])
      counts.push(await leastStatements((round) => call(users(`${kind}-${round}-`, count), id)));
    const [one = 0] = counts;
    expect(counts).toEqual([one, one]);
    expect(one).toBeGreaterThan(4);
    expect(one).toBeLessThan(25);
  });
});
