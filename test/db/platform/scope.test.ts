import { toApiError } from '../../../api/platform/http/error-reply';
import { isConnectionError, openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import type { Statement } from '../../../db/platform/statement';
import { killUnnoticed } from '../../harness/platform/kill-connections';
import { createWorld, uuid } from './world';
import type { Cell, World } from './world';

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
      openPool({ ...poolOptions(), applicationName: 'impatient', queryTimeoutMs: 2_000 }),
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
