import { setImmediate as settle } from 'node:timers/promises';
import { createBulk } from '../../../api/platform/operation/bulk';
import type { Bulk } from '../../../api/platform/operation/bulk';

// Fake timers are used, because calls that never get their turn leave timers running.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** Records the calls that run, in the order in which they got their turn. The test ends each of them. */
function collectCalls(bulk: Bulk) {
  const running: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  return {
    begin: (rows: number, name: string) =>
      bulk(
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

describe('createBulk', () => {
  it.each([
    [10, 4],
    [3, 1],
    [1, 1],
    [200, 80],
  ])('runs %i calls of each kind at once on %i connections', async (poolSize, places) => {
    const calls = collectCalls(createBulk(poolSize));
    for (let index = 0; index < 100; index++) {
      void calls.begin(1_000, 'large');
      void calls.begin(50, 'small');
    }
    const names = await calls.names();
    expect(names.filter((name) => name === 'large')).toHaveLength(places);
    expect(names.filter((name) => name === 'small')).toHaveLength(places);
  });

  it('runs a single row while large calls fill their lane', async () => {
    const calls = collectCalls(createBulk(10));
    for (let index = 0; index < 20; index++) void calls.begin(51, 'large');
    const single = calls.begin(1, 'single');
    expect(await calls.names()).toEqual(['large', 'large', 'large', 'large', 'single']);
    calls.running[4]?.end();
    expect(await single).toBe('single');
  });

  it('gives the place of a call that ends or fails to the next, and resolves each with its own outcome', async () => {
    const calls = collectCalls(createBulk(1));
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

  it('throws a 503 for a call that waits too long, and never runs it', async () => {
    const calls = collectCalls(createBulk(1));
    const first = calls.begin(1, 'first');
    const late = calls.begin(1, 'late').catch((error: unknown) => error);
    await calls.names();
    jest.advanceTimersByTime(20_000);
    expect(await late).toMatchObject({ status: 503, retryAfterSeconds: 5 });
    calls.running[0]?.end();
    expect(await first).toBe('first');
    void calls.begin(1, 'next');
    expect(await calls.names()).toEqual(['first', 'next']);
  });
});
