import { randomUUID } from 'node:crypto';
import { createCalls, newEndpointLoad, planCalls } from '../../../activities/webhooks/sender/calls';
import type { Call, Calls, EndpointLoad } from '../../../activities/webhooks/sender/calls';
import { concurrency, recording } from '../../../activities/webhooks/sender/limits';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('planCalls', () => {
  const endpoints = (count: number, merchantId: string, more: Partial<EndpointLoad> = {}) =>
    Array.from({ length: count }, (_, index) => ({
      ...newEndpointLoad(`${merchantId} ${index}`, merchantId),
      isSlow: false,
      earned: 50,
      ...more,
    }));
  const pool = (free: number, used: Record<string, number> = {}) => ({
    free,
    byMerchant: new Map(Object.entries(used)),
  });
  const planOf = (due: readonly EndpointLoad[], window = pool(100), slow = pool(1_000)) => {
    const plan = planCalls(due, window, slow);
    return due.map((load) => plan.get(load) ?? 0);
  };

  it('gives an endpoint what it has earned, within the limit of its settings and without its calls in flight', () => {
    const few = endpoints(1, 'a', { earned: 3 });
    expect(planOf(few)).toEqual([3]);
    expect(planOf(endpoints(1, 'a', { limit: 20, inFlight: 2 }))).toEqual([18]);
    expect(planOf(endpoints(1, 'a', { limit: 2, inFlight: 2 }))).toEqual([0]);
  });

  it('shares the window equally among merchants, then among their endpoints', () => {
    const [ofOne = 0, ...ofMany] = planOf([...endpoints(1, 'small'), ...endpoints(40, 'large')]);
    expect([ofOne, sum(ofMany)]).toEqual([50, 50]);
    expect(Math.max(...ofMany)).toBeLessThanOrEqual(4);
  });

  it('counts what a merchant has in flight in the window', () => {
    const due = [...endpoints(4, 'first'), ...endpoints(4, 'second')];
    const plan = planOf(due, pool(20, { first: 80 }));
    expect([sum(plan.slice(0, 4)), sum(plan.slice(4))]).toEqual([0, 20]);
  });

  it('gives every merchant a call when there are more merchants than free calls', () => {
    const others = Array.from({ length: 30 }, (_, index) => endpoints(1, `merchant ${index}`)).flat();
    const plan = planOf([...endpoints(30, 'large'), ...others], pool(40));
    expect([sum(plan.slice(0, 30)), sum(plan)]).toEqual([2, 40]);
  });

  it('gives the share that one merchant does not use to the next one', () => {
    const due = [...endpoints(1, 'few', { earned: 3 }), ...endpoints(1, 'many')];
    expect(planOf(due, pool(40))).toEqual([3, 37]);
  });

  it('gives a merchant at most half of what is left for slow endpoints', () => {
    const due = ['a', 'b', 'c', 'd'].map((merchant) => endpoints(400, merchant, { isSlow: true, earned: 1 }));
    const plan = planOf(due.flat(), pool(100), pool(100));
    expect(due.map((_, index) => sum(plan.slice(400 * index, 400 * (index + 1))))).toEqual([50, 25, 13, 6]);
  });

  it('never plans more calls than the window has room for', () => {
    const due = [...endpoints(100, 'slow', { isSlow: true }), ...endpoints(10, 'proven')];
    expect(sum(planOf(due, pool(40)))).toBe(40);
  });
});

describe('the calls in flight', () => {
  let now = 0;
  let clock: jest.SpyInstance;
  let calls: Calls;
  beforeEach(() => {
    now = 1_000_000;
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    calls = createCalls();
  });
  afterEach(() => clock.mockRestore());

  const delivery = ({ id, merchantId }: EndpointLoad, payload = '{}'): LeasedDelivery => ({
    id: randomUUID(),
    merchant_id: merchantId,
    environment: 'production',
    endpoint_id: id,
    version: 1,
    event: 'interview_result',
    series: 1,
    attempts: 0,
    payload,
    sample: null,
    is_replay: false,
    age_ms: 0,
    now_s: 0,
    due_s: 0,
  });
  const endpoint = (id: string, merchantId = 'a merchant') => calls.findOrCreate(id, merchantId);
  const endpoints = (count: number, merchantId: string) =>
    Array.from({ length: count }, (_, index) => endpoint(`${merchantId} ${index}`, merchantId));
  const begin = (load: EndpointLoad, payload = '{}') => calls.begin(delivery(load, payload));
  /** Makes calls to an endpoint, one after the other. */
  const call = (load: EndpointLoad, count = 1, tookMs = 0) => {
    for (; count > 0; count--) {
      const one = begin(load);
      now += tookMs;
      calls.end(one, 'acknowledged', 200);
    }
  };
  /** Begins as many calls as are planned. The endpoints in `due` never run out of due deliveries. */
  const beginPlanned = (due: readonly EndpointLoad[], payload?: string): Call[] =>
    [...calls.plan(due, 0)].flatMap(([load, count]) =>
      Array.from({ length: count }, () => begin(load, payload)),
    );

  /** Returns how many calls the window has room for. */
  const room = (unrecorded = 0) => {
    const well = endpoint(randomUUID(), 'a merchant with nothing in flight');
    Object.assign(well, { isSlow: false, earned: Infinity });
    return calls.plan([well], unrecorded).get(well) ?? 0;
  };

  it('start at one per endpoint, and rise by one per response up to 50', () => {
    const a = endpoint('a');
    expect(a.earned).toBe(1);
    call(a);
    expect(a.earned).toBe(2);
    calls.end(begin(a), 'refused', 500);
    expect(a.earned).toBe(3);
    call(a, 100);
    expect(a.earned).toBe(50);
  });

  it.each<[number, AttemptOutcome, number | null]>([
    [1, 'timeout', null],
    [3, 'network', null],
    [3, 'refused', 429],
    [3, 'refused', 503],
  ])('of an endpoint go back to one after %i × %s %s', (count, outcome, status) => {
    const a = endpoint('a');
    call(a, 9);
    for (let n = 1; n < count; n++) calls.end(begin(a), outcome, status);
    expect(a.earned).toBe(10);
    calls.end(begin(a), outcome, status);
    expect(a.earned).toBe(1);
    call(a);
    expect(a.earned).toBe(2);
  });

  it('leave the window after a second, and later calls of their endpoint do not enter it', () => {
    const a = endpoint('a');
    call(a);
    begin(a);
    now += 999;
    expect(room()).toBe(99);
    now += 1;
    expect(room()).toBe(100);
    begin(a);
    expect([room(), calls.inFlight()]).toEqual([100, 2]);
  });

  it('leave the window after 250 ms if their endpoint did not respond the last time', () => {
    begin(endpoint('a'));
    now += 249;
    expect(room()).toBe(99);
    now += 1;
    expect(room()).toBe(100);
  });

  it('make room for outcomes that are not recorded yet', () => {
    const a = endpoint('a');
    call(a);
    begin(a);
    const spare = recording.maxUnrecorded - concurrency.window;
    expect([room(spare), room(spare + 10), room(recording.maxUnrecorded)]).toEqual([99, 89, 0]);
  });

  it('are up to 20 for an endpoint that takes three seconds', () => {
    const a = endpoint('a');
    let begun: Call[] = [];
    for (let round = 0; round < 10; round++) {
      for (const one of begun) calls.end(one, 'acknowledged', 200);
      begun = beginPlanned([a]);
      now += 3_000;
    }
    expect(a.inFlight).toBe(20);
  });

  it('of slow endpoints are at most half of the slow pool per merchant, and a large body counts per 64 KiB', () => {
    const slow = endpoints(300, 'slow');
    for (const one of slow) call(one, 20, 2_000);
    for (let turn = 0; turn < 100; turn++) beginPlanned(slow, 'x'.repeat(4 * concurrency.slowBytes));
    expect(room()).toBe(100);
    expect(calls.bytes()).toBeGreaterThan(30 * 2 ** 20);
    expect(calls.bytes()).toBeLessThan(60 * 2 ** 20);
    const next = endpoint('next', 'another');
    call(next, 20, 2_000);
    expect(beginPlanned([next])).toHaveLength(20);
  });

  /**
   * Simulates this many tenths of a second. Returns the longest time that one of `others` had to wait, in tenths of a
   * second.
   */
  const longestWait = (silent: readonly EndpointLoad[], tenths: number, others: readonly EndpointLoad[]) => {
    const waits = new Map(others.map((other) => [other, 0]));
    let longest = 0;
    for (let tenth = 0; tenth < tenths; tenth++) {
      for (const [other, waited] of waits) {
        const wait = calls.plan([other], 0).size > 0 ? 0 : waited + 1;
        waits.set(other, wait);
        longest = Math.max(longest, wait);
      }
      beginPlanned(silent);
      now += 100;
    }
    return longest;
  };

  it('let others wait a second at most when fast endpoints of 400 merchants fall silent together', () => {
    const silent = Array.from({ length: 400 }, (_, index) => endpoint(`${index}`, `merchant ${index}`));
    for (const one of silent) call(one, 20);
    const well = endpoint('well', 'another');
    call(well);
    expect(longestWait(silent, 500, [well, endpoint('new', 'a third')])).toBeLessThanOrEqual(10);
    expect(new Set(calls.deliveries().map(({ endpoint_id }) => endpoint_id)).size).toBe(400);
    expect(calls.inFlight()).toBeLessThan(2_000);
  });

  it('let others wait half a second at most for 400 new silent endpoints of one merchant', () => {
    const silent = endpoints(400, 'silent');
    const well = endpoint('well', 'another');
    call(well);
    expect(longestWait(silent, 100, [well, endpoint('new', 'a third')])).toBeLessThanOrEqual(5);
    expect(calls.inFlight()).toBe(400);
  });
});
