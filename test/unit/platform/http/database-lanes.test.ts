import { createLanes, withLanes } from '../../../../api/platform/http/database-lanes';
import type { Caller, Database } from '../../../../db/platform/database';

/** Returns a task that runs until the test calls `release`. */
const held = () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return { task: () => released, release };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createLanes', () => {
  it('runs as many tasks of a lane as its size allows, and tasks of other lanes meanwhile', async () => {
    const lanes = createLanes(2);
    const first = held();
    const started: number[] = [];
    const tasks = [1, 2, 3, 4].map((index) =>
      lanes.run('a', () => {
        started.push(index);
        return first.task();
      }),
    );
    expect(await lanes.run('b', async () => 'done')).toBe('done');
    expect(started).toEqual([1, 2]);
    first.release();
    await Promise.all(tasks);
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it('frees a place when a task fails, and removes idle lanes', async () => {
    const lanes = createLanes(1);
    const failing = lanes.run('a', () => Promise.reject(new Error('failed')));
    const next = lanes.run('a', async () => 'done');
    expect(lanes.count()).toBe(1);
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
    expect(lanes.count()).toBe(0);
  });

  it('throws a 503 when a task has waited too long or too many wait', async () => {
    const lanes = createLanes(1, { waitMs: 1 });
    const first = held();
    const running = lanes.run('a', first.task);
    const refusals = await Promise.allSettled(Array.from({ length: 5 }, () => lanes.run('a', first.task, 3)));
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 'rejected',
        reason: { status: 503, code: 'overloaded', retryAfterSeconds: 5 },
      });
    first.release();
    await running;
    expect(lanes.count()).toBe(0);
  });
});

describe('withLanes', () => {
  const asked = {
    environment: 'production',
    askedMerchantId: 'm1',
    roles: [],
    needsMerchant: true,
  } as const;
  const session = (homeMerchantId: string | null, sessionId = 's'): Caller => ({
    ...asked,
    kind: 'user_session',
    sessionId,
    profileId: 'p',
    role: 'merchant',
    homeMerchantId,
  });
  const at = (caller: Caller, askedMerchantId: string): Caller => ({ ...caller, askedMerchantId }) as Caller;
  const key = (keyHash: string): Caller => ({ ...asked, kind: 'service_key', keyHash });
  const link: Caller = {
    kind: 'interview_link',
    enrolmentId: 'e',
    interviewId: 'i',
    generation: 1,
    isTest: false,
  };
  const signIn: Caller = { kind: 'sign_in' };

  const unauthorized = new Error('The service key is unknown or revoked.');
  /**
   * Opens a database with lanes that run one call at a time. All service keys belong to merchant m1, the key hash
   * `bad` is unknown, and no merchant has the id `none`.
   */
  const open = (proofs: Caller[] = []) => {
    const run: Database['read'] = async (caller, work) => {
      const scope = async () => {
        proofs.push(caller);
        if (caller.kind === 'service_key' && caller.keyHash === 'bad') throw unauthorized;
        const asked = caller.kind === 'user_session' && caller.askedMerchantId;
        return { merchant_id: asked && asked.length === 2 ? asked : 'm1', caller_id: 'id' };
      };
      return work({ scope } as never);
    };
    const database: Pick<Database, 'read' | 'write' | 'query'> = {
      read: run,
      write: run,
      query: async () => [{ merchant_id: 'm1' }] as never,
    };
    return withLanes(database as Database, 2);
  };
  /** Returns true if a call of the second caller has to wait while a call of the first one runs. */
  const waits = async (first: Caller, second: Caller): Promise<boolean> => {
    const database = open();
    const work = held();
    const running = database.read(first, work.task);
    await turn();
    let isDone = false;
    const next = database.read(second, async () => undefined).then(() => (isDone = true));
    await turn();
    const isWaiting = !isDone;
    work.release();
    await Promise.all([running, next]);
    return isWaiting;
  };

  it.each([
    ['sessions of one merchant', session('m1', 'a'), session('m1', 'b'), true],
    ['sessions of two homes at one merchant', session('m1', 'a'), at(session('m2', 'b'), 'm1'), true],
    ['sessions of one home at two merchants', session('m1', 'a'), at(session('m1', 'b'), 'm2'), false],
    ['a session that names an invented merchant', session('m1', 'a'), at(session('m1', 'a'), 'none'), true],
    ['sessions of two platform admins', session(null, 'a'), session(null, 'b'), false],
    ['a service key and a session of its merchant', key('good'), session('m1'), true],
    ['a candidate and a sign-in', link, signIn, false],
    ['two sign-ins', signIn, signIn, true],
  ])('decides whether callers share a lane: %s', async (_what, first, second, expected) => {
    expect(await waits(first, second)).toBe(expected);
  });

  it('gives links the lane of their merchant after the first call', async () => {
    const work = held();
    const database = withLanes(
      {
        read: async (_caller: Caller, run: (trx: never) => unknown) => run({} as never),
        query: async () => work.task(),
      } as unknown as Database,
      2,
    );
    const linkOf = (enrolmentId: string, merchantId: string) =>
      ({ ...link, enrolmentId, meter: { databaseMs: 0, merchantId, callerId: null } }) as Caller;
    const [one, other, third] = [linkOf('e1', 'm1'), linkOf('e2', 'm2'), linkOf('e3', 'm1')];
    for (const each of [one, other, third]) await database.read(each, async () => undefined);
    const running = database.query(one, { text: 'select 1' });
    let isDone = false;
    const waiting = database.read(third, async () => undefined).then(() => (isDone = true));
    await database.read(other, async () => undefined);
    await turn();
    expect(isDone).toBe(false);
    work.release();
    await Promise.all([running, waiting]);
  });

  it('proves a credential once before its first call, and runs nothing for an invented one', async () => {
    const proofs: Caller[] = [];
    const database = open(proofs);
    for (const caller of [session('m1'), session('m1'), key('good'), key('good')])
      await database.read(caller, async () => undefined);
    expect(proofs).toEqual([session('m1'), key('good')]);
    const work = jest.fn(async () => undefined);
    await expect(database.read(key('bad'), work)).rejects.toBe(unauthorized);
    expect(work).not.toHaveBeenCalled();
  });

  it('lets a merchant make other calls while its reports use all places that they may have', async () => {
    const reports = held();
    let running = 0;
    const snapshot = (async () => {
      running += 1;
      return reports.task();
    }) as unknown as Database['snapshot'];
    const query = (async () => []) as Database['query'];
    const read: Database['read'] = async (_caller, work) =>
      work({ scope: async () => ({ merchant_id: 'm1' }) } as never);
    const database = withLanes({ read, snapshot, query } as Database, 8);
    const never = AbortSignal.any([]);
    const runs = [1, 2, 3].map(() => database.snapshot(session('m1'), async () => undefined, never));
    await turn();
    expect(running).toBe(2);
    expect(await database.query(session('m1'), { text: 'select 1' })).toEqual([]);
    reports.release();
    await Promise.all(runs);
    expect(running).toBe(3);
  });
});
