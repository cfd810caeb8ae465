import { randomUUID } from 'node:crypto';
import { startSlots } from '../../../activities/webhooks/sender/place';
import { createSlots, windowCalls } from '../../../activities/webhooks/sender/slots';
import type { Call, Slots } from '../../../activities/webhooks/sender/slots';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { endpointKind } from '../../../db/webhooks/claim-shares';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';

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
  sample: null,
  is_replay: false,
  age_ms: 0,
  now_s: 0,
});
const mebibyte = 2 ** 20;
/** What the next claim may take of the endpoint. */
const freeOf = (slots: Slots, endpointId: string, hasMuchRoom = true): number => {
  const free = slots.free(hasMuchRoom);
  const at = free.endpointIds.indexOf(endpointId);
  return at < 0 ? Math.min(free.startSlots, free.kindRooms[2]) : (free.slots[at] ?? 0);
};
const answer = (slots: Slots, endpointId: string, code = 200) =>
  slots.end(slots.begin(delivery(endpointId), null), code < 300 ? 'acknowledged' : 'refused', code);

/** As a claim does it where rows of all of them wait, each of its merchant. */
const claimAll = (slots: Slots, merchantOf: ReadonlyMap<string, string>) => {
  const free = slots.free(true);
  const taken = new Map<string, number>();
  const take = (what: string, room: number): boolean => {
    const count = taken.get(what) ?? 0;
    if (count < room) taken.set(what, count + 1);
    return count < room;
  };
  for (const [id, merchant] of merchantOf) {
    const at = free.endpointIds.indexOf(id);
    const kind = at < 0 ? endpointKind.unproven : (free.kinds[at] ?? 0);
    const rooms = free.merchantRooms[free.merchantIds.indexOf(merchant)] ?? free.otherMerchantsRooms;
    const [room = 0, ofKind = 0] = kind === 0 ? [100, 100] : [rooms[kind - 1], free.kindRooms[kind - 1]];
    let left = at < 0 ? Math.min(free.startSlots, Math.max(1, Math.floor(room / 4))) : (free.slots[at] ?? 0);
    for (; left > 0 && slots.inWindow() < windowCalls; left--)
      if (take(`${merchant} ${kind}`, room) && take(`${kind}`, ofKind))
        slots.begin(delivery(id, merchant), null);
  }
};

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
    const { slots: free, merchantIds, merchantRooms } = slots.free(true);
    expect([free, merchantIds]).toEqual([free.map(() => 1), ['a merchant']]);
    expect(merchantRooms[0]?.[0]).toBe(1);

    for (let merchant = 0; slots.inFlight() < 1_000; merchant++) {
      for (let call = 0; call < 4; call++) begin(`of ${merchant}`, `merchant ${merchant}`);
      now += 1_000;
      slots.age();
    }
    expect(slots.free(true).kindRooms[0]).toBe(0);
    expect(freeOf(slots, 'of 0')).toBe(0);
    expect(freeOf(slots, 'another')).toBe(1);
  });

  it('large payloads: an endpoint gets no more above 8 MiB; who was too large waits till there is room', () => {
    const slots = createSlots();
    const large = { ...delivery('a'), payload: 'x'.repeat(9 * mebibyte) };
    const call = slots.begin(large, null);
    slots.begin(delivery('b'), null);
    expect([slots.bytesInWindow(), freeOf(slots, 'a'), freeOf(slots, 'b')]).toEqual([9 * mebibyte + 2, 0, 3]);
    now += 1_000;
    slots.age();
    expect([slots.bytesInWindow(), slots.bytesInFlight()]).toEqual([0, 9 * mebibyte + 2]);
    slots.end(call, 'acknowledged', 200);
    expect(slots.bytesInFlight()).toBe(2);
    slots.waitForBytes(['b', 'e']);
    expect(['b', 'e'].map((id) => freeOf(slots, id, false))).toEqual([0, 0]);
    expect(['b', 'e'].map((id) => freeOf(slots, id))).toEqual([3, startSlots]);
  });

  it('large payloads at silent endpoints: their merchant’s other slow ones send no large ones, small ones all the same', () => {
    const slots = createSlots();
    for (let index = 0; index < 5; index++)
      slots.begin({ ...delivery(`silent ${index}`), payload: 'x'.repeat(8 * mebibyte) }, null);
    for (const merchant of ['a merchant', 'another']) slots.begin(delivery(`of ${merchant}`, merchant), null);
    const shares = () => {
      const { merchantIds, merchantBytes, slowBytes } = slots.free(true);
      return [Object.fromEntries(merchantIds.map((id, at) => [id, merchantBytes[at]])), slowBytes];
    };
    const expected = [{ 'a merchant': 0, another: 4 * mebibyte }, 0];
    expect(shares()).toEqual(expected);
    now += 1_000;
    slots.age();
    expect([slots.inWindow(), slots.bytesInFlight()]).toEqual([0, 40 * mebibyte + 4]);
    expect(shares()).toEqual(expected);
    expect([freeOf(slots, 'of a merchant'), freeOf(slots, 'of another')]).toEqual([3, 3]);
  });

  it('payloads of small size: none of the slow pool’s bytes; what escapes make long counts by its length', () => {
    const slots = createSlots();
    for (let index = 0; index < 20; index++)
      slots.begin({ ...delivery('a'), payload: 'x'.repeat(30_000) }, null);
    now += 1_000;
    slots.age();
    expect([slots.free(true).merchantBytes, slots.bytesInFlight()]).toEqual([[4 * mebibyte], 600_000]);
    const payload = JSON.stringify('\u0001'.repeat(10_000));
    slots.begin({ ...delivery('a'), payload }, null);
    expect(slots.free(true).merchantBytes).toEqual([4 * mebibyte - 60_002]);
  });

  it('endpoints that have not answered yet: never the whole window', () => {
    const slots = createSlots();
    let index = 0;
    for (; freeOf(slots, `new ${index}`) > 0; index++)
      for (let free = freeOf(slots, `new ${index}`); free > 0; free--)
        slots.begin(delivery(`new ${index}`), null);
    expect(slots.inWindow()).toBeLessThanOrEqual(windowCalls * 0.7);
  });
});

describe('slots beside very many silent endpoints', () => {
  /** Runs for so many tenths of a second; the longest time, in tenths, in which the claims had nothing for one of these. */
  const maxWait = (slots: Slots, merchantOf: ReadonlyMap<string, string>, tenths: number, ids: string[]) => {
    const waits = ids.map(() => 0);
    let longest = 0;
    for (let tenth = 0; tenth < tenths; tenth++) {
      slots.age();
      for (const [at, id] of ids.entries()) {
        waits[at] = freeOf(slots, id) > 0 ? 0 : (waits[at] ?? 0) + 1;
        longest = Math.max(longest, waits[at] ?? 0);
      }
      claimAll(slots, merchantOf);
      expect(windowCalls - slots.inWindow()).toBeGreaterThanOrEqual(tenth < 10 ? 0 : 40);
      now += 100;
    }
    return longest;
  };

  it('400 fast ones of as many merchants fall silent: there is room for those that answer, and for those that are quiet', () => {
    const slots = createSlots();
    const merchantOf = new Map(
      Array.from({ length: 400 }, (_, index) => [`silent ${index}`, `merchant ${index}`]),
    );
    for (const [id, merchant] of merchantOf)
      for (let answers = 0; answers < 20; answers++)
        slots.end(slots.begin(delivery(id, merchant), null), 'acknowledged', 200);
    slots.end(slots.begin(delivery('well', 'the well one’s'), null), 'acknowledged', 200);
    expect(maxWait(slots, merchantOf, 500, ['well', 'new'])).toBeLessThanOrEqual(10);
    // They have been asked, all of them, and hold what they may.
    expect(new Set(slots.calls().map(({ place }) => place.endpointId)).size).toBe(400);
    expect(slots.inFlight() - slots.inWindow()).toBeLessThan(2_000);
    answer(slots, 'well');
    expect(freeOf(slots, 'well')).toBe(startSlots + 2);
  });

  it('400 new ones of one merchant are silent: it gets its share and a few a second, its quiet ones and others go on', () => {
    const slots = createSlots();
    const merchantOf = new Map(Array.from({ length: 400 }, (_, index) => [`silent ${index}`, 'a merchant']));
    answer(slots, 'well');
    now += 1_000;
    expect(maxWait(slots, merchantOf, 300, ['well', 'new'])).toBe(0);
    expect(slots.inFlight()).toBeGreaterThan(20);
    expect(slots.inFlight()).toBeLessThan(20 + 30 * 10 + 10);
  });

  it('fast ones of one merchant fall silent one after the other: they never take the window of the others', () => {
    const slots = createSlots();
    answer(slots, 'well');
    for (let index = 0; index < 30; index++) {
      const id = `silent ${index}`;
      for (let answers = 0; answers < 50; answers++) answer(slots, id);
      maxWait(slots, new Map([[id, 'a merchant']]), 1, []);
      now += 1_000;
    }
    slots.age();
    // Eight times fifty before their merchant was distrusted, then a few of each.
    expect(slots.inFlight()).toBeLessThanOrEqual(400 + 30 * 4);
    expect(slots.inWindow()).toBe(0);
  });
});
