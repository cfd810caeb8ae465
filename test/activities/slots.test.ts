import { randomUUID } from 'node:crypto';
import { startSlots } from '../../activities/sender/place';
import { createSlots, windowCalls } from '../../activities/sender/slots';
import type { Call, Slots } from '../../activities/sender/slots';
import type { AttemptOutcome } from '../../api/contracts/webhook-fields';
import type { ClaimedDelivery } from '../../db/deliveries';

const delivery = (endpoint_id: string, merchant_id = 'a merchant'): ClaimedDelivery => ({
  id: randomUUID(),
  merchant_id,
  environment: 'production',
  endpoint_id,
  version: 1,
  event: 'interview_result',
  series: 1,
  attempts: 0,
  payload: '{}',
  age_ms: 0,
  now_s: 0,
});
/** What the next claim may take of the endpoint. */
const freeOf = (slots: Slots, endpointId: string, hasMuchRoom = true): number => {
  const free = slots.free(hasMuchRoom);
  const at = free.endpointIds.indexOf(endpointId);
  return at < 0 ? free.startSlots : (free.slots[at] ?? 0);
};
const answer = (slots: Slots, endpointId: string, code = 200) =>
  slots.end(slots.begin(delivery(endpointId), null), code < 300 ? 'acknowledged' : 'refused', code);

let now = 0;
let clock: jest.SpyInstance;
beforeEach(() => {
  now = 1_000_000;
  clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => clock.mockRestore());

describe('slots', () => {
  it('fast answers, of whatever status: one more each, up to 50 or the endpoint’s limit', () => {
    const slots = createSlots();
    for (let answers = 0; answers < 10; answers++) answer(slots, 'a', 500);
    expect(freeOf(slots, 'a')).toBe(startSlots + 10);
    for (let answers = 0; answers < 100; answers++) answer(slots, 'a');
    expect(freeOf(slots, 'a')).toBe(50);
    slots.begin(delivery('a'), 20);
    expect(freeOf(slots, 'a')).toBe(19);
  });

  it('a timeout, or three failures in a row: one; a receiver that asks for less has failed', () => {
    const slots = createSlots();
    for (const id of ['a', 'b', 'c']) for (let answers = 0; answers < 10; answers++) answer(slots, id);
    slots.end(slots.begin(delivery('a'), null), 'timeout', null);
    for (let failures = 0; failures < 2; failures++) {
      slots.end(slots.begin(delivery('b'), null), 'network', null);
      answer(slots, 'c', 429);
    }
    expect([freeOf(slots, 'a'), freeOf(slots, 'b'), freeOf(slots, 'c')]).toEqual([1, 14, 14]);
    slots.end(slots.begin(delivery('b'), null), 'network', null);
    answer(slots, 'c', 503);
    expect([freeOf(slots, 'b'), freeOf(slots, 'c')]).toEqual([1, 1]);
    answer(slots, 'b');
    expect(freeOf(slots, 'b')).toBe(2);
  });

  it('answers slower than 250 ms: no more than at first', () => {
    const slots = createSlots();
    for (let answers = 0; answers < 10; answers++) {
      const call = slots.begin(delivery('a'), null);
      now += 300;
      slots.end(call, 'acknowledged', 200);
    }
    expect(freeOf(slots, 'a')).toBe(startSlots);
  });

  it.each([300, 900, 3_000])(
    'acknowledged after %i ms, having timed out: one more each ten in a row, up to what it began with',
    (tookMs) => {
      const slots = createSlots();
      const take = (outcome: AttemptOutcome, status: number | null) => {
        const call = slots.begin(delivery('a'), null);
        now += tookMs;
        slots.end(call, outcome, status);
      };
      const acknowledge = (times: number) => {
        for (; times > 0; times--) take('acknowledged', 200);
        return freeOf(slots, 'a');
      };
      take('timeout', null);
      expect([acknowledge(9), acknowledge(1)]).toEqual([1, 2]);
      acknowledge(9);
      take('refused', 500);
      expect([acknowledge(9), acknowledge(1), acknowledge(10), acknowledge(50)]).toEqual([
        2,
        3,
        startSlots,
        startSlots,
      ]);
    },
  );

  it('a call older than a second: leaves the window; its endpoint’s next ones never enter it', () => {
    const slots = createSlots();
    slots.begin(delivery('a'), null);
    now += 1_000;
    slots.age();
    expect([slots.inWindow(), slots.inFlight()]).toEqual([0, 1]);
    slots.begin(delivery('a'), null);
    slots.begin(delivery('b'), null);
    expect([slots.inWindow(), slots.inFlight()]).toEqual([1, 3]);
  });

  it('the slow pool: at most 10 calls of an endpoint, 20 of a merchant, 1,000 in all; others go on', () => {
    const slots = createSlots();
    for (const id of ['a', 'b', 'c']) for (let answers = 0; answers < 20; answers++) answer(slots, id);
    const begin = (endpointId: string, merchantId?: string) =>
      slots.begin(delivery(endpointId, merchantId), null);
    for (const id of ['a', 'b', 'c']) begin(id);
    now += 1_000;
    slots.age();
    const calls: Call[] = [];
    for (const id of ['a', 'b', 'c'])
      for (let free = freeOf(slots, id); free > 0; free--) calls.push(begin(id));
    expect(calls).toHaveLength(17);
    expect(['a', 'b', 'c'].map((id) => freeOf(slots, id))).toEqual([0, 0, 0]);
    expect(freeOf(slots, 'another')).toBe(startSlots);
    const [first] = calls;
    if (first) slots.end(first, 'acknowledged', 200);
    const { slots: free } = slots.free(true);
    expect(free.filter((count) => count > 0)).toEqual([1]);

    for (let merchant = 0; slots.inFlight() < 1_000; merchant++) {
      for (let call = 0; call < 4; call++) begin(`of ${merchant}`, `merchant ${merchant}`);
      now += 1_000;
      slots.age();
    }
    expect(slots.inFlight() - slots.inWindow()).toBe(1_000);
    expect(freeOf(slots, 'of 0')).toBe(0);
    expect(freeOf(slots, 'another')).toBe(startSlots);
  });

  it('large payloads: an endpoint gets no more above 8 MiB, slow ones above half of theirs, who was too large till there is room', () => {
    const slots = createSlots();
    const large = { ...delivery('a'), payload: 'x'.repeat(9 * 2 ** 20) };
    const call = slots.begin(large, null);
    slots.begin(delivery('b'), null);
    expect([slots.bytesInWindow(), freeOf(slots, 'a'), freeOf(slots, 'b')]).toEqual([9 * 2 ** 20 + 2, 0, 3]);
    now += 1_000;
    slots.age();
    expect([slots.bytesInWindow(), slots.bytesInFlight()]).toEqual([0, 9 * 2 ** 20 + 2]);
    const other = slots.begin({ ...large, endpoint_id: 'c' }, null);
    slots.begin(delivery('d'), null);
    now += 1_000;
    slots.age();
    expect([slots.bytesInWindow(), freeOf(slots, 'd')]).toEqual([0, 0]);
    for (const one of [call, other]) slots.end(one, 'acknowledged', 200);
    expect([slots.bytesInFlight(), freeOf(slots, 'd')]).toEqual([4, 3]);
    slots.waitForBytes(['d', 'e']);
    expect(['b', 'd', 'e'].map((id) => freeOf(slots, id, false))).toEqual([3, 0, 0]);
    expect(['d', 'e'].map((id) => freeOf(slots, id))).toEqual([3, startSlots]);
  });

  it('endpoints that have not answered yet: never the whole window', () => {
    const slots = createSlots();
    let index = 0;
    for (; freeOf(slots, `new ${index}`) > 0; index++)
      for (let free = freeOf(slots, `new ${index}`); free > 0; free--)
        slots.begin(delivery(`new ${index}`), null);
    expect(slots.inWindow()).toBeLessThanOrEqual(windowCalls * 0.7);
  });

  it('400 fast endpoints fall silent at once: a second later there is room for those that answer, and for ever', () => {
    const slots = createSlots();
    const ids = Array.from({ length: 400 }, (_, index) => `silent ${index}`);
    for (const id of ids)
      for (let answers = 0; answers < 20; answers++)
        slots.end(slots.begin(delivery(id, `merchant of ${id}`), null), 'acknowledged', 200);
    // As a claim does it where rows of all of them wait.
    const claim = () => {
      const { endpointIds, slots: free, isProven, limitUnproven } = slots.free(true);
      let unproven = 0;
      for (const [at, id] of endpointIds.entries())
        for (let left = free[at] ?? 0; left > 0 && slots.inWindow() < windowCalls; left--)
          if (isProven[at] || unproven++ < limitUnproven)
            slots.begin(delivery(id, `merchant of ${id}`), null);
    };
    for (let tenth = 0; tenth < 300; tenth++) {
      slots.age();
      claim();
      if (tenth >= 10) expect(windowCalls - slots.inWindow()).toBeGreaterThanOrEqual(40);
      now += 100;
    }
    expect(slots.inFlight() - slots.inWindow()).toBe(1_000);
    answer(slots, 'well');
    expect(freeOf(slots, 'well')).toBe(startSlots + 1);
    now += 1_000;
    expect(freeOf(slots, 'well')).toBe(0);
  });
});
