import type { Pool } from 'pg';
import { toApiError } from '../../../api/platform/http/error-reply';
import { isConnectionError, openDatabase } from '../../../db/platform/database';
import type { Database, Requester, Transaction } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import type { Statement } from '../../../db/platform/statement';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';
import { createWorld, linkOf, uuid } from './world';
import type { Cell, World } from './world';

/**
 * Ends the database connections with this application name, and blocks the process of the test until they are dead.
 * The code that uses the connections therefore notices the loss only when it runs the next time.
 */
async function killUnnoticed(database: TestDatabase, applicationName: string): Promise<void> {
  const found = await database.rows<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = $1 and datname = current_database()`,
    [applicationName],
  );
  expect(found).not.toEqual([]);
  for (const { pid } of found) {
    if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    const deadline = Date.now() + 50_000;
    while (isAlive(pid)) {
      if (Date.now() > deadline) throw new Error(`Waited in vain for process ${pid} to end`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('queries', () => {
  let world: World;
  let cell: Cell;
  let database: Database;
  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
    const url = world.database.apiUrl;
    database = openDatabase(
      openPool({ url, size: 1, applicationName: 'queries', onIdleError: () => undefined }),
    );
  });
  afterAll(async () => {
    await database.close();
  });

  describe('the rows of a query', () => {
    const numbers = (count: number) => ({ text: `select n from generate_series(1, ${count}) n` });
    const read = <T>(work: (trx: Transaction) => Promise<T>) => database.read(cell.user, work);

    it('are exactly one with `one`, or it throws', async () => {
      expect(await read((trx) => trx.one(numbers(1)))).toEqual({ n: 1 });
      await expect(read((trx) => trx.one(numbers(0)))).rejects.toThrow('no row');
      await expect(read((trx) => trx.one(numbers(2)))).rejects.toThrow('2 rows');
    });

    it('are at most one with `maybeOne`, or it throws', async () => {
      expect(await read((trx) => trx.maybeOne(numbers(1)))).toEqual({ n: 1 });
      expect(await read((trx) => trx.maybeOne(numbers(0)))).toBeUndefined();
      await expect(read((trx) => trx.maybeOne(numbers(2)))).rejects.toThrow('2 rows');
    });
  });

  it('are planned once for all values if their statement says so', async () => {
    const double = (n: number) => ({
      name: 'double',
      isPlannedOnce: true as const,
      text: 'select 2 * $1::int as n',
      values: [n],
    });
    for (const n of [1, 2]) expect(await database.query(cell.user, double(n))).toEqual([{ n: 2 * n }]);
    const text = `select generic_plans::int, custom_plans::int from pg_prepared_statements where name = 'double'`;
    expect(await database.query(cell.user, { text })).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
  });

  it('are followed by afterCommit once after the commit, and not after a rollback', async () => {
    const done: string[] = [];
    await database.write(cell.user, async (trx) => {
      trx.afterCommit(() => void done.push('committed'));
      await trx.rows({ text: 'select 1' });
      expect(done).toEqual([]);
    });
    const failed = database.write(cell.user, async (trx) => {
      trx.afterCommit(() => void done.push('rolled back'));
      await trx.rows({ text: 'select 1 / 0' });
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(done).toEqual(['committed']);
  });

  describe('read and write', () => {
    it('report the error of the work unchanged for a valid credential', async () => {
      const own = new Error('of the work');
      await expect(database.write(cell.user, () => Promise.reject(own))).rejects.toBe(own);
      await expect(database.write(cell.user, (trx) => trx.rows({ text: 'no sql' }))).rejects.toMatchObject({
        code: '42601',
      });
    });

    it('report the proven merchant and caller to the meter', async () => {
      const meter = { databaseMs: 0, merchantId: null, callerId: null };
      await database.query({ ...cell.service, meter }, { text: 'select id from interview limit 1' });
      expect(meter).toEqual({
        databaseMs: expect.any(Number),
        merchantId: cell.merchantId,
        callerId: cell.serviceKeyId,
      });
    });

    it('set the scope that was proven, and none for sign-in', async () => {
      expect(await database.read(cell.user, (trx) => trx.scope())).toMatchObject({
        merchant_id: cell.merchantId,
        profile_id: cell.profileId,
        caller_id: cell.profileId,
        role: 'merchant_owner',
        environment: cell.environment,
      });
      await expect(database.read({ kind: 'sign_in' }, (trx) => trx.scope())).rejects.toThrow('no caller');
    });
  });

  describe('snapshot', () => {
    it('cancels the running query when the caller leaves', async () => {
      const caller = new AbortController();
      const running = async () =>
        (
          await world.database.rows<{ count: number }>(
            `select count(*)::int from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`,
          )
        )[0]?.count;
      const left = database.snapshot(
        cell.user,
        async (trx) => {
          // Without the time limit of a report, only the caller can end the query.
          await trx.rows({ text: 'set local statement_timeout = 0' });
          await trx.rows({ text: 'select pg_sleep(600)' });
        },
        caller.signal,
      );
      await waitFor('the query', async () => (await running()) === 1);
      caller.abort();
      await expect(left).rejects.toThrow('Connection terminated');
      await waitFor('its end', async () => (await running()) === 0);
    });

    it('runs nothing for a caller who left while waiting for a connection', async () => {
      const caller = new AbortController();
      let free: (() => void) | undefined;
      const held = database.read(cell.user, () => new Promise<void>((resolve) => (free = resolve)));
      await waitFor('the only connection to be taken', async () => free !== undefined);
      const work = jest.fn(async () => undefined);
      const waiting = database.snapshot(cell.user, work, caller.signal);
      caller.abort();
      free?.();
      await expect(waiting).rejects.toThrow('Connection terminated');
      await held;
      expect(work).not.toHaveBeenCalled();
    });
  });

  describe('writeAsWorker', () => {
    it('is rejected over the login of the API', async () => {
      await expect(
        database.writeAsWorker((trx) => trx.rows({ text: 'select id from interview' })),
      ).rejects.toMatchObject({
        code: '42501',
      });
    });

    it('is rejected for a column that is not granted', async () => {
      await expect(
        world.worker.writeAsWorker((trx) => trx.count({ text: `update interview set name = 'taken over'` })),
      ).rejects.toMatchObject({ code: '42501' });
    });
  });
});

describe('scope', () => {
  let world: World;
  let cell: Cell;
  /**
   * A database with a pool of one connection, so that each caller gets the connection that the previous caller used.
   */
  let single: Database;
  const poolOptions = () => ({
    url: world.database.apiUrl,
    size: 1,
    applicationName: 'single',
    onIdleError: () => undefined,
  });
  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
  });
  beforeEach(() => {
    single = openDatabase(openPool(poolOptions()));
  });
  afterEach(() => single.close());

  const revoked = (): Cell['user'] =>
    ({ ...cell.user, kind: 'user_session', sessionId: uuid() }) as Cell['user'];
  const raise = (code: string): Statement => ({
    text: `do $$ begin raise exception using errcode = '${code}'; end $$`,
  });
  const insertQuestion = (text: string): Statement => ({
    name: 'insert_question',
    text: `insert into question (view, question, platform_language_code) values ('question', $1, 'en')`,
    values: [text],
  });
  /** Checks that the call fails with an error for which the API returns a 503. Returns the error. */
  const expect503 = async (call: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await call.catch((reason: unknown) => reason);
    expect(toApiError(error)).toMatchObject({ status: 503 });
    return error;
  };
  const countQuestions = async (text: string): Promise<number> =>
    (await world.database.rows('select from question where question = $1', [text])).length;
  const ownInterview: Statement = {
    name: 'own_interviews',
    text: 'select id from interview order by id limit 1',
  };

  describe('read and write', () => {
    it('report a rejected credential, and not the statement that failed after it', async () => {
      await expect(
        single.write(revoked(), (trx) => trx.count(insertQuestion('refused'))),
      ).rejects.toMatchObject({
        code: 'PA401',
      });
      // Both statements are sent before the reply to the rejected scope arrives.
      await expect(
        single.read(revoked(), (trx) => Promise.all([trx.rows(ownInterview), trx.rows(ownInterview)])),
      ).rejects.toMatchObject({ code: 'PA401' });
      await expect(single.query(revoked(), ownInterview)).rejects.toMatchObject({ code: 'PA401' });
      await expect(single.query(revoked(), { text: 'no sql' })).rejects.toMatchObject({
        code: 'PA401',
      });
      expect(await countQuestions('refused')).toBe(0);
    });

    it('report a rejected credential when the work runs no statement and throws an error of its own', async () => {
      await expect(
        single.write(revoked(), () => Promise.reject(new Error('of the work'))),
      ).rejects.toMatchObject({ code: 'PA401' });
      await expect(single.write(revoked(), async () => 'fine')).rejects.toMatchObject({
        code: 'PA401',
      });
    });

    it('fail with 25006 for a read that writes', async () => {
      const readOnly = { code: '25006' };
      await expect(single.read(cell.user, (trx) => trx.count(insertQuestion('read')))).rejects.toMatchObject(
        readOnly,
      );
      await expect(single.query(cell.user, insertQuestion('read'))).rejects.toMatchObject(readOnly);
      expect(await countQuestions('read')).toBe(0);
    });

    it('store nothing when the work throws after a write', async () => {
      await expect(
        single.write(cell.user, async (trx) => {
          await trx.count(insertQuestion('thrown'));
          throw new Error('of the work');
        }),
      ).rejects.toThrow('of the work');
      expect(await countQuestions('thrown')).toBe(0);
    });

    it('store nothing when the work swallows the error of a statement', async () => {
      await expect(
        single.write(cell.user, async (trx) => {
          await trx.count(insertQuestion('swallowed'));
          await trx.rows(raise('22000')).catch(() => undefined);
          return 'as if it had worked';
        }),
      ).rejects.toThrow('rolled back');
      expect(await countQuestions('swallowed')).toBe(0);
    });

    it('end a statement that exceeds its time limit with 57014, which is a 503, and keep the connection usable', async () => {
      const slow: Statement = { text: 'select pg_sleep(30)' };
      for (const run of [
        () => single.read(cell.user, (trx) => trx.rows(slow)),
        () => single.query(cell.user, slow),
      ]) {
        expect(await expect503(run())).toMatchObject({ code: '57014' });
      }
      expect(await single.query(cell.user, ownInterview)).toHaveLength(1);
    });
  });

  describe('named statements', () => {
    it('can be used by the next caller when they were first sent after a rejected credential', async () => {
      await expect(single.query(revoked(), ownInterview)).rejects.toMatchObject({ code: 'PA401' });
      expect(await single.query(cell.user, ownInterview)).toHaveLength(1);
    });

    it('can be used by the next caller when they were first sent in a transaction that is rolled back', async () => {
      const fails = single.write(cell.user, async (trx) => {
        await trx.count(insertQuestion('named'));
        await trx.rows(raise('22000'));
      });
      await expect(fails).rejects.toMatchObject({ code: '22000' });
      expect(await single.write(cell.user, (trx) => trx.count(insertQuestion('named')))).toBe(1);
      expect(await countQuestions('named')).toBe(1);
    });

    it('both succeed when a new one is sent twice at once', async () => {
      const twice = single.read(cell.user, (trx) =>
        Promise.all([trx.rows(ownInterview), trx.rows(ownInterview)]),
      );
      expect(await twice).toEqual([[{ id: expect.any(String) }], [{ id: expect.any(String) }]]);
    });
  });

  describe('a retry', () => {
    /** Inserts a question, and fails with the error `code` in the first `times` runs. */
    const failing = (code: string, times: number, text: string) => {
      const runs: number[] = [];
      const done = single.write(cell.user, async (trx) => {
        runs.push(runs.length);
        await trx.count(insertQuestion(text));
        if (runs.length <= times) await trx.rows(raise(code));
        return 'stored';
      });
      return { done, runs };
    };

    it.each(['40001', '40P01'])('runs the work again after %s and stores it once', async (code) => {
      const { done, runs } = failing(code, 1, `once ${code}`);
      expect(await done).toBe('stored');
      expect(runs).toHaveLength(2);
      expect(await countQuestions(`once ${code}`)).toBe(1);
    });

    it('rejects with a 503 and stores nothing after 40001 twice', async () => {
      const { done, runs } = failing('40001', 2, 'twice');
      expect(await expect503(done)).toMatchObject({ code: '40001' });
      expect(runs).toHaveLength(2);
      expect(await countQuestions('twice')).toBe(0);
    });

    it.each(['23505', '42501', '57014', '22000'])('does not happen for %s', async (code) => {
      const { done, runs } = failing(code, 1, `other ${code}`);
      await expect(done).rejects.toMatchObject({ code });
      expect(runs).toHaveLength(1);
    });

    it('resolves a real deadlock of two callers, so that both are stored', async () => {
      const update = (id: string): Statement => ({
        text: 'update interview set name = name where id = $1',
        values: [id],
      });
      let waiting = 0;
      let bothHaveOne: () => void = () => undefined;
      const met = new Promise<void>((resolve) => (bothHaveOne = resolve));
      let oneHasBoth: () => void = () => undefined;
      const survived = new Promise<void>((resolve) => (oneHasBoth = resolve));
      const runs = { count: 0 };
      const lockInOrder = (first: string, second: string) =>
        world.api.write(cell.user, async (trx) => {
          runs.count += 1;
          // The third run is the retry after the deadlock. It waits until the other caller is done; otherwise the two
          // could deadlock again.
          if (runs.count > 2) await survived;
          await trx.count(update(first));
          if (++waiting === 2) bothHaveOne();
          await met;
          const updated = await trx.count(update(second));
          oneHasBoth();
          return updated;
        });
      const { taken, free } = cell;
      expect(
        await Promise.all([
          lockInOrder(taken.interview, free.interview),
          lockInOrder(free.interview, taken.interview),
        ]),
      ).toEqual([1, 1]);
      expect(runs.count).toBe(3);
    });

    it('uses a new connection when a pooled connection died unnoticed', async () => {
      await single.query(cell.user, ownInterview);
      await killUnnoticed(world.database, 'single');
      expect(await single.query(cell.user, ownInterview)).toHaveLength(1);
      await killUnnoticed(world.database, 'single');
      expect(await single.write(cell.user, (trx) => trx.count(insertQuestion('reconnected')))).toBe(1);
      expect(await countQuestions('reconnected')).toBe(1);
    });

    it('does not happen when a connection dies during the work, which is a 503, and the next caller gets a new one', async () => {
      let runs = 0;
      const dies = single.write(cell.user, async (trx) => {
        runs += 1;
        await trx.count(insertQuestion('died'));
        await killUnnoticed(world.database, 'single');
        return trx.count(insertQuestion('died'));
      });
      expect(isConnectionError(await expect503(dies))).toBe(true);
      expect(runs).toBe(1);
      expect(await countQuestions('died')).toBe(0);
      expect(await single.query(cell.user, ownInterview)).toHaveLength(1);
    });

    it('does not happen when a connection dies while its work waits, and the process serves the next caller', async () => {
      const dies = single.write(cell.user, async (trx) => {
        await trx.count(insertQuestion('died waiting'));
        await killUnnoticed(world.database, 'single');
        // While no statement runs, the client has time to notice that the connection has ended.
        await world.database.rows('select pg_sleep(0.2)');
      });
      expect(isConnectionError(await dies.catch((reason: unknown) => reason))).toBe(true);
      expect(await single.query(cell.user, ownInterview)).toHaveLength(1);
    });

    it('does not happen when the server leaves a statement unanswered, which is a 503, and the next caller gets a new connection', async () => {
      const impatient = openDatabase(
        openPool({ ...poolOptions(), applicationName: 'impatient', queryTimeoutMs: 1_000 }),
      );
      let runs = 0;
      const tooSlow = { text: 'select pg_sleep(0.9)', query_timeout: 300 };
      const unanswered = [
        () =>
          impatient.write(cell.user, async (trx) => {
            runs += 1;
            await trx.count(insertQuestion('unanswered'));
            return trx.rows({ text: 'select pg_sleep(9)' });
          }),
        // Postgres cancels reads after one second, but the client stops waiting for this query after 300 ms.
        () => impatient.query(cell.user, tooSlow),
      ];
      for (const call of unanswered) expect(isConnectionError(await expect503(call()))).toBe(true);
      expect(runs).toBe(1);
      expect(await countQuestions('unanswered')).toBe(0);
      expect(await impatient.query(cell.user, ownInterview)).toHaveLength(1);

      // From here on, the Postgres process of the connection is suspended, so the client gets no reply to `begin`.
      const [backend] = await impatient.query<{ pid: number }>(cell.user, {
        text: 'select pg_backend_pid() as pid',
      });
      const pid = backend?.pid ?? 0;
      expect(pid).toBeGreaterThan(0);
      process.kill(pid, 'SIGSTOP');
      const write = impatient.write(cell.user, async (trx) => {
        runs += 1;
        return trx.count(insertQuestion('unanswered'));
      });
      await expect(write.finally(() => process.kill(pid, 'SIGCONT'))).rejects.toThrow('Query read timeout');
      expect(runs).toBe(2);
      expect(await impatient.query(cell.user, ownInterview)).toHaveLength(1);
      expect(await countQuestions('unanswered')).toBe(0);
      await impatient.close();
    });

    it('does not help when the database is unavailable, which is a 503', async () => {
      const url = new URL(world.database.apiUrl);
      url.port = '1';
      const away = openDatabase(openPool({ ...poolOptions(), url: url.href }));
      await expect503(away.query(cell.user, ownInterview));
      await expect(away.ping()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await away.close();
    });
  });
});

describe('bleed', () => {
  /*
   * 240 callers of different merchants, environments and roles use the same connection one after the other. Some of
   * their transactions fail, in every way in which a transaction can fail. No caller may see rows of others, and
   * nothing of a caller may remain on the connection.
   */

  let world: World;
  let pool: Pool;
  let database: Database;
  let connections = 0;
  beforeAll(async () => {
    world = await createWorld();
    const url = world.database.apiUrl;
    pool = openPool({ url, size: 1, applicationName: 'bleed', onIdleError: () => undefined });
    // There is only one connection. On a loaded machine, callers wait for it longer than the default timeout.
    pool.options.connectionTimeoutMillis = 0;
    pool.on('connect', () => (connections += 1));
    database = openDatabase(pool);
  });
  afterAll(async () => {
    await database.close();
  });

  /** What a caller sees: the scope of the transaction, and the owners of all rows that are visible in it. */
  type View = {
    db_role: string;
    merchant_id: string;
    environment: string;
    caller_id: string;
    owners: string[];
    interviews: number;
  };
  const look: Statement<View> = {
    name: 'look',
    text: `select current_user as db_role, current_setting('app.merchant_id') as merchant_id,
    current_setting('app.environment') as environment, current_setting('app.caller_id') as caller_id,
    (select count(*)::int from interview) as interviews,
    array(
      select distinct merchant_id || ' ' || environment from (
        select merchant_id, environment from interview union all
        select merchant_id, environment from position union all
        select merchant_id, environment from embed_key union all
        select merchant_id, environment from enrolment union all
        select merchant_id, environment from interview_result union all
        select merchant_id, environment from account_count union all
        select merchant_id, environment from idempotency_key
      ) every_row
    ) as owners`,
  };

  const expectOwn = (view: View | undefined, cell: Cell, isKey: boolean) =>
    expect(view).toEqual({
      db_role: isKey ? 'app_service' : 'app_user',
      merchant_id: cell.merchantId,
      environment: cell.environment,
      caller_id: isKey ? cell.serviceKeyId : cell.profileId,
      interviews: 3,
      owners: [`${cell.merchantId} ${cell.environment}`],
    });

  type Visit = (cell: Cell, caller: Requester, isKey: boolean) => Promise<void>;

  /** What callers do on the connection. Each function throws an error if the outcome is wrong. */
  const visits: Record<string, Visit> = {
    'reads, all in one': async (cell, caller, isKey) => {
      const [view] = await database.query<View>(caller, look);
      expectOwn(view, cell, isKey);
    },
    reads: async (cell, caller, isKey) => {
      const [view] = await database.read(caller, (trx) => trx.rows<View>(look));
      expectOwn(view, cell, isKey);
    },
    'writes, and looks': async (cell, caller, isKey) => {
      const view = await database.write(caller, async (trx) => {
        await trx.count({
          text: `insert into question (view, question, platform_language_code) values ('question', $1, 'en')`,
          values: [`of ${cell.name}`],
        });
        expect(await trx.count({ text: 'update interview set name = $1', values: [`of ${cell.name}`] })).toBe(
          3,
        );
        return (await trx.rows<View>(look))[0];
      });
      expectOwn(view, cell, isKey);
    },
    'is revoked': async (_, caller) => {
      const gone =
        caller.kind === 'user_session' ? { ...caller, sessionId: uuid() } : { ...caller, keyHash: '00' };
      await expect(database.query(gone, look)).rejects.toMatchObject({ code: 'PA401' });
    },
    'has the wrong role, or no merchant': async (_, caller) => {
      const refused = { ...caller, roles: [], askedMerchantId: null };
      await expect(database.read(refused, (trx) => trx.rows(look))).rejects.toMatchObject({
        code: caller.kind === 'user_session' ? 'PA403' : 'PA422',
      });
    },
    'sends wrong SQL': async (_, caller) => {
      await expect(database.query(caller, { text: 'select 1 / 0' })).rejects.toMatchObject({
        code: '22012',
      });
    },
    'breaks off': async (_, caller) => {
      const own = new Error('broken off');
      const broken = database.write(caller, async (trx) => {
        await trx.count({ text: `update interview set name = 'broken off'` });
        throw own;
      });
      await expect(broken).rejects.toBe(own);
    },
    'swallows an error': async (_, caller) => {
      const swallowed = database.write(caller, async (trx) => {
        await trx.rows({ text: 'no sql' }).catch(() => undefined);
        await trx.rows(look).catch(() => undefined);
      });
      await expect(swallowed).rejects.toThrow('rolled back');
    },
    'signs in': async () => {
      await expect(
        database.read({ kind: 'sign_in' }, (trx) => trx.rows({ text: 'select id from interview' })),
      ).rejects.toMatchObject({ code: '42501' });
      const settings = await database.read({ kind: 'sign_in' }, (trx) => trx.rows(leftovers));
      expect(settings).toEqual([{ ...nothing, db_role: 'app_auth' }]);
    },
    'opens a link': async (cell) => {
      const { taken, merchantId, environment } = cell;
      const link = linkOf(cell);
      const view = await database.read(link, (trx) => trx.rows(linked));
      expect(view).toEqual([
        {
          ...nothing,
          db_role: 'app_link',
          merchant_id: merchantId,
          environment,
          enrolment_id: taken.enrolment,
          ids: [merchantId, taken.interview, taken.position, taken.enrolment].toSorted(),
        },
      ]);
    },
    'opens a link of nobody': async (cell) => {
      const link = { ...linkOf(cell), enrolmentId: uuid() };
      await expect(database.read(link, (trx) => trx.rows(linked))).rejects.toMatchObject({ code: 'PA401' });
    },
    'tells of mails': async () => {
      const settings = await database.read({ kind: 'mail_hook' }, (trx) => trx.rows(leftovers));
      expect(settings).toEqual([{ ...nothing, db_role: 'app_mail_hook' }]);
    },
    'has no scope at all': async () => {
      // The test uses `connect`, because `pool.query` closes the connection after an error. Whatever earlier callers
      // left on that connection could then no longer be found.
      const client = await pool.connect();
      try {
        expect((await client.query(leftovers.text)).rows).toEqual([nothing]);
        await expect(client.query('select id from interview')).rejects.toMatchObject({ code: '42501' });
      } finally {
        client.release();
      }
    },
  };

  const leftovers = {
    text: `select current_user as db_role, nullif(current_setting('app.merchant_id', true), '') as merchant_id,
    nullif(current_setting('app.profile_id', true), '') as profile_id,
    nullif(current_setting('app.caller_id', true), '') as caller_id,
    nullif(current_setting('app.environment', true), '') as environment,
    nullif(current_setting('app.enrolment_id', true), '') as enrolment_id`,
  };
  const linked: Statement = {
    name: 'linked',
    text: `${leftovers.text}, array(
    select id::text from merchant union all select id::text from interview union all
    select id::text from position union all select id::text from enrolment order by 1) as ids`,
  };
  const nothing = {
    db_role: 'app_api_login',
    merchant_id: null,
    profile_id: null,
    caller_id: null,
    environment: null,
    enrolment_id: null,
  };

  describe('one connection', () => {
    it('shows each of 240 interleaved callers only their own rows', async () => {
      const kinds = Object.values(visits);
      const failures: string[] = [];
      const visit = async (index: number) => {
        // 7 has no common factor with the numbers of visits, cells and credentials. Every kind of visit is therefore
        // made at every merchant and environment (cell), and with both credentials.
        const turn = index * 7;
        const cell = world.cells[Math.floor(turn / kinds.length) % 4];
        const isKey = Math.floor(turn / (kinds.length * 4)) % 2 === 1;
        if (!cell) throw new Error('there are four cells');
        await kinds[turn % kinds.length]?.(cell, isKey ? cell.service : cell.user, isKey);
      };
      let next = 0;
      const lane = async () => {
        while (next < 240) await visit(next++).catch((error: unknown) => failures.push(String(error)));
      };
      await Promise.all(Array.from({ length: 20 }, lane));
      expect(failures).toEqual([]);
      expect(next).toBe(240);
      expect(connections).toBe(1);
    });

    it('leaves no interview with a name that another caller or a failed call wrote', async () => {
      for (const { name, merchantId, environment } of world.cells) {
        const names = await world.database.rows<{ name: string }>(
          'select distinct name from interview where merchant_id = $1 and environment = $2 and built_at is not null',
          [merchantId, environment],
        );
        expect(names).toEqual([{ name: `of ${name}` }]);
      }
    });

    it('has no scope and no time limit left after a commit and after a rollback', async () => {
      const [cell] = world.cells;
      await database.write(cell.user, async (trx) => {
        expect(await trx.rows(leftovers)).toMatchObject([
          { merchant_id: cell.merchantId, db_role: 'app_user' },
        ]);
      });
      const settings = { text: `${leftovers.text}, current_setting('statement_timeout') as timeout` };
      expect((await pool.query(settings.text)).rows).toEqual([{ ...nothing, timeout: '0' }]);
      await expect(database.query(cell.service, { text: 'select 1 / 0' })).rejects.toThrow('zero');
      expect((await pool.query(settings.text)).rows).toEqual([{ ...nothing, timeout: '0' }]);
    });
  });
});
