import { setImmediate as settle } from 'node:timers/promises';
import { createBulkQueue } from '../../../api/platform/operation/bulk';
import type { BulkQueue } from '../../../api/platform/operation/bulk';

// Calls that never get their turn leave timers running, so the timers are fake.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** Starts calls and records them in the order in which they get their turn. The test ends each call. */
function collectCalls(bulk: BulkQueue) {
  const running: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  return {
    begin: (rows: number, name: string, merchantId = 'merchant') =>
      bulk(
        merchantId,
        rows,
        () => new Promise<string>((resolve, fail) => running.push({ name, end: () => resolve(name), fail })),
      ),
    running,
    names: async () => {
      await settle();
      return running.map(({ name }) => name);
    },
  };
}

/** Returns the error with which a call is rejected. */
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const overloaded = { status: 503, code: 'overloaded', retryAfterSeconds: 5 };

describe('createBulkQueue', () => {
  it.each([
    [10, 4],
    [3, 1],
    [1, 1],
    [200, 80],
  ])('runs calls of each kind at once on its share of %i connections', async (poolSize, places) => {
    const calls = collectCalls(createBulkQueue(poolSize));
    for (let index = 0; index < 100; index++) {
      void calls.begin(1_000, 'large', `merchant ${index}`);
      void calls.begin(50, 'small', `merchant ${index}`);
    }
    const names = await calls.names();
    expect(names.filter((name) => name === 'large')).toHaveLength(places);
    expect(names.filter((name) => name === 'small')).toHaveLength(places);
  });

  it('gives a merchant at most half of the places, and runs a call of another merchant at once', async () => {
    const calls = collectCalls(createBulkQueue(10));
    for (let index = 0; index < 50; index++) void calls.begin(50, 'busy', 'busy');
    const other = calls.begin(1, 'other', 'other');
    expect(await calls.names()).toEqual(['busy', 'busy', 'other']);
    calls.running[2]?.end();
    expect(await other).toBe('other');
  });

  it('runs the call of a merchant after one call of each other merchant if there is one place', async () => {
    const calls = collectCalls(createBulkQueue(1));
    for (const merchant of ['a', 'b'])
      for (const nth of [1, 2, 3]) void calls.begin(1, `${merchant}${nth}`, merchant);
    void calls.begin(1, 'c1', 'c');
    for (let index = 0; index < 7; index++) {
      await calls.names();
      calls.running[index]?.end();
    }
    expect(await calls.names()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('runs a single row while large calls of the same merchant fill their queue', async () => {
    const calls = collectCalls(createBulkQueue(10));
    for (let index = 0; index < 20; index++) void calls.begin(51, 'large');
    const single = calls.begin(1, 'single');
    expect(await calls.names()).toEqual(['large', 'large', 'single']);
    calls.running[2]?.end();
    expect(await single).toBe('single');
  });

  it.each([
    ['small', 50, 100],
    ['large', 51, 20],
  ])('throws a 503 at once if %s calls of the merchant fill their queue', async (kind, rows, waiting) => {
    const calls = collectCalls(createBulkQueue(1));
    for (let index = 0; index < 1 + waiting; index++) void calls.begin(rows, kind);
    expect(await refusal(calls.begin(rows, 'refused'))).toMatchObject(overloaded);
    void calls.begin(rows, 'other', 'other');
    calls.running[0]?.end();
    expect(await calls.names()).toEqual([kind, 'other']);
  });

  it('gives the place of a call that ends or fails to the next, and resolves each with its own outcome', async () => {
    const calls = collectCalls(createBulkQueue(1));
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => calls.begin(1, name)));
    expect(await calls.names()).toEqual(['a']);
    calls.running[0]?.fail(new Error('broke'));
    expect(await calls.names()).toEqual(['a', 'b']);
    calls.running[1]?.end();
    expect(await calls.names()).toEqual(['a', 'b', 'c']);
    calls.running[2]?.end();
    expect(await outcomes).toEqual([
      { status: 'rejected', reason: new Error('broke') },
      { status: 'fulfilled', value: 'b' },
      { status: 'fulfilled', value: 'c' },
    ]);
  });

  it.each(['merchant', 'other'])('throws a 503 for a call of %s that waits too long', async (merchantId) => {
    const calls = collectCalls(createBulkQueue(1));
    const first = calls.begin(1, 'first');
    const late = refusal(calls.begin(1, 'late', merchantId));
    await calls.names();
    jest.advanceTimersByTime(10_000);
    expect(await late).toMatchObject(overloaded);
    calls.running[0]?.end();
    expect(await first).toBe('first');
    void calls.begin(1, 'next');
    expect(await calls.names()).toEqual(['first', 'next']);
  });
});
