import type { OperationDeps } from '../../../api/deps';
import { jobInterviewGet } from '../../../api/interviews/job-interview-get';
import { jobInterviewSetState } from '../../../api/interviews/job-interview-set-state';
import type { Operation } from '../../../api/platform/operation/define-operation';
import { callOperation } from '../../../api/platform/site/call-operation';
import { openConsoleVisit } from '../../../api/platform/site/visit';
import type { ConsoleVisit } from '../../../api/platform/site/visitor';
import { CallerGone } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { generateCookieSecret, hashSecret } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';

let database: TestDatabase;
let api: Database;
beforeAll(async () => {
  database = await createDatabase();
  api = openTestDatabase(database.apiUrl, 2);
});

const deps = () => ({ database: api }) as OperationDeps;

const visitOf = async (person: PersonKey): Promise<ConsoleVisit> => {
  const hash = hashSecret(generateCookieSecret());
  await database.rows(
    `insert into session (profile_id, environment, kind, cookie_hash) values ($1, 'production', 'console', $2)`,
    [people[person].id, hash],
  );
  const request = { query: {} } as Parameters<typeof openConsoleVisit>[2];
  const meter = { databaseMs: 0, merchantId: null, callerId: null };
  const visitor = await openConsoleVisit(
    { database: api },
    { hash, formToken: Buffer.alloc(32) },
    request,
    meter,
  );
  if (!visitor?.merchant) throw new Error('nobody');
  return { ...visitor, merchant: visitor.merchant };
};
const read = (visit: ConsoleVisit, position_id: string) =>
  callOperation(deps(), visit, jobInterviewGet, { position_id });
const archive = (visit: ConsoleVisit, position_id: string) =>
  callOperation(deps(), visit, jobInterviewSetState, { position_id, status: 'archived' });

describe('callOperation', () => {
  it('returns the reply of the operation, parsed by its contract', async () => {
    const { reply, error } = await read(await visitOf('merchant'), interviewId('active'));
    expect(error).toBeUndefined();
    expect(reply).toMatchObject({ name: expect.any(String), status: 'active' });
  });

  it('returns the error that the API would send', async () => {
    const visit = await visitOf('merchant');
    expect((await read(visit, 'no id')).error).toMatchObject({ status: 422, field: 'position_id' });
    expect((await read(visit, people.merchant.id)).error).toMatchObject({ status: 404 });
    expect((await read(visit, 'a\0b')).error).toMatchObject({ status: 422 });
    const foreign = await visitOf('other_merchant_owner');
    expect((await read(foreign, interviewId('active'))).error).toMatchObject({ status: 404 });
  });

  it('lets a hiring manager read, and rejects changes', async () => {
    const visit = await visitOf('merchant_selection');
    expect((await read(visit, interviewId('active'))).error).toBeUndefined();
    expect((await archive(visit, interviewId('draft'))).error).toMatchObject({ status: 403 });
    expect((await archive(await visitOf('merchant'), interviewId('draft'))).error).toBeUndefined();
  });

  it('throws for a session that has ended meanwhile, so that the console asks to sign in', async () => {
    const visit = await visitOf('merchant');
    await database.rows('update session set revoked_at = now() where id = $1', [visit.session.session_id]);
    await expect(read(visit, interviewId('active'))).rejects.toMatchObject({ code: 'PA401' });
  });

  it('ends the query of an operation when the visitor leaves', async () => {
    const visit = await visitOf('merchant');
    const leaving = new AbortController();
    const slow: Operation = {
      ...jobInterviewGet,
      handle: ({ caller, signal }, { database: own }) =>
        own.snapshot(caller, (trx) => trx.rows({ text: 'select pg_sleep(600)' }), signal),
    };
    const call = callOperation(deps(), { ...visit, gone: leaving.signal }, slow, {
      position_id: interviewId('active'),
    });
    const outcome = call.catch((error: unknown) => error);
    const running = () =>
      database.rows(`select from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`);
    await waitFor('the query', async () => (await running()).length === 1);
    leaving.abort();
    expect(await outcome).toBeInstanceOf(CallerGone);
    await waitFor('the end of the query', async () => (await running()).length === 0);
  });
});
