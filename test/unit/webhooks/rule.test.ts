import { randomUUID } from 'node:crypto';
import { bytesOfSlowCall, createRule, windowCalls } from '../../../activities/webhooks/sender/rule';
import type { Call, Receiver, Rule } from '../../../activities/webhooks/sender/rule';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';

const delivery = ({ id, merchantId }: Receiver, payload = '{}'): ClaimedDelivery => ({
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
});

let now = 0;
let clock: jest.SpyInstance;
let rule: Rule;
/** The calls that `turn` has begun and `answerAll` has not ended yet. */
const begun: Call[] = [];
beforeEach(() => {
  begun.length = 0;
  now = 1_000_000;
  clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  rule = createRule();
});
afterEach(() => clock.mockRestore());

const endpoint = (id: string, merchantId = 'a merchant') => rule.find(id, merchantId, null);
const endpoints = (count: number, merchantId: string) =>
  Array.from({ length: count }, (_, index) => endpoint(`${merchantId} ${index}`, merchantId));
const begin = (receiver: Receiver, count = 1, payload = '{}'): Call[] =>
  Array.from({ length: count }, () => rule.begin(delivery(receiver, payload), receiver));
/** Makes calls to an endpoint, one after the other. */
const call = (
  receiver: Receiver,
  count = 1,
  outcome: AttemptOutcome = 'acknowledged',
  status: number | null = 200,
  tookMs = 0,
) => {
  for (; count > 0; count--) {
    const [one] = begin(receiver);
    now += tookMs;
    if (one) rule.end(one, outcome, status);
  }
};
const limitOf = (receiver: Receiver, room = windowCalls) => rule.plan([receiver], room)[0]?.limit ?? 0;
const limitsOf = (receivers: readonly Receiver[], room = windowCalls) => {
  const shares = rule.plan(receivers, room);
  return receivers.map((receiver) => shares.find((share) => share.receiver === receiver)?.limit ?? 0);
};
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const answerAll = () => {
  for (const one of begun.splice(0)) rule.end(one, 'acknowledged', 200);
};
/** Begins as many calls as the rule allows. The endpoints in `due` never run out of due deliveries. */
const turn = (due: readonly Receiver[]) => {
  rule.age();
  for (const { receiver, limit } of rule.plan(due, windowCalls - rule.inWindow()))
    begun.push(...begin(receiver, limit));
};

describe('the concurrency limit of an endpoint', () => {
  it('starts at one call and rises by one per response, up to 50 or the limit that the endpoint sets', () => {
    const a = endpoint('a');
    expect(limitOf(a)).toBe(1);
    call(a);
    expect(limitOf(a)).toBe(2);
    call(a, 10, 'refused', 500);
    expect(limitOf(a)).toBe(12);
    call(a, 100);
    expect(limitOf(a)).toBe(50);
    rule.find('a', a.merchantId, 20);
    begin(a);
    expect(limitOf(a)).toBe(19);
  });

  it('is at most 20 calls while responses take longer than 250 ms', () => {
    const a = endpoint('a');
    call(a, 60);
    expect(limitOf(a)).toBe(50);
    call(a, 60, 'acknowledged', 200, 600);
    expect(limitOf(a)).toBe(20);
  });

  it('goes back to one call after a timeout or three failures in a row', () => {
    const [a, b, c] = [endpoint('a'), endpoint('b'), endpoint('c')];
    for (const one of [a, b, c]) call(one, 9);
    call(a, 1, 'timeout', null);
    call(b, 2, 'network', null);
    // The rule treats a response with 429 as a failure of the endpoint.
    call(c, 2, 'refused', 429);
    expect([a.earned, b.earned, c.earned]).toEqual([1, 10, 10]);
    call(b, 1, 'network', null);
    call(c, 1, 'refused', 503);
    expect([b.earned, c.earned]).toEqual([1, 1]);
    call(b);
    expect(b.earned).toBe(2);
  });

  it('allows 20 calls in flight for an endpoint that takes three seconds', () => {
    const a = endpoint('a');
    for (let round = 0; round < 10; round++) {
      turn([a]);
      now += 3_000;
      rule.age();
      if (round < 9) answerAll();
    }
    expect(a.inSlow).toBe(20);
  });

  it('is one call for the sender while attemptDue runs, or none if the endpoint allows only one', () => {
    const [a, b] = [endpoint('a'), endpoint('b')];
    call(a, 10);
    rule.find('b', b.merchantId, 1);
    const besideOf = (receiver: Receiver) => rule.plan([receiver], windowCalls)[0]?.limitBesideRetries;
    expect([besideOf(a), besideOf(b)]).toEqual([1, 0]);
    begin(a);
    expect(besideOf(a)).toBe(0);
  });

  it('is forgotten after a minute without a call, unless the endpoint is in use', () => {
    const [a, b, c] = [endpoint('a'), endpoint('b'), endpoint('c')];
    call(a, 10);
    begin(b);
    now += 60_001;
    rule.forget((receiver) => receiver === c);
    expect(endpoint('a')).not.toBe(a);
    expect([endpoint('b'), endpoint('c')]).toEqual([b, c]);
    expect(endpoint('c')).toBe(c);
  });
});

describe('the window', () => {
  it('is shared equally among merchants, then among their endpoints', () => {
    const [one = endpoint('x'), ...many] = [...endpoints(1, 'small'), ...endpoints(40, 'large')];
    for (const receiver of [one, ...many]) call(receiver, 60);
    const [ofOne = 0, ...ofMany] = limitsOf([...many, one].toReversed());
    expect([ofOne, sum(ofMany)]).toEqual([50, 50]);
    expect(Math.max(...ofMany)).toBeLessThanOrEqual(4);
  });

  it('counts what a merchant already has in flight', () => {
    const [first, second] = [endpoints(4, 'first'), endpoints(4, 'second')];
    for (const receiver of [...first, ...second]) call(receiver, 60);
    for (const receiver of first) begin(receiver, 20);
    expect([windowCalls - rule.inWindow(), sum(limitsOf(second, 20))]).toEqual([20, 20]);
    const limits = limitsOf([...first, ...second], 20);
    expect([sum(limits.slice(0, 4)), sum(limits.slice(4))]).toEqual([0, 20]);
  });

  it('is shared so that every merchant gets a call when there are more merchants than free calls', () => {
    const large = endpoints(30, 'large');
    const others = Array.from({ length: 30 }, (_, index) => endpoints(1, `merchant ${index}`)).flat();
    for (const receiver of [...large, ...others]) call(receiver, 60);
    const limits = limitsOf([...large, ...others], 40);
    expect([sum(limits.slice(0, 30)), sum(limits)]).toEqual([2, 40]);
  });

  it('gives the share that one merchant does not use to the next one', () => {
    const [few, many] = [endpoint('few', 'one'), endpoint('many', 'another')];
    call(few, 2);
    call(many, 60);
    expect(limitsOf([few, many], 40)).toEqual([3, 37]);
    few.likely = 1;
    expect(limitsOf([few, many], 40)).toEqual([1, 39]);
  });

  it('no longer counts a call that takes longer than a second, nor later calls of its endpoint', () => {
    const [a, b] = [endpoint('a'), endpoint('b')];
    call(a);
    begin(a);
    now += 999;
    rule.age();
    expect(rule.inWindow()).toBe(1);
    now += 1;
    rule.age();
    expect([rule.inWindow(), rule.inFlight()]).toEqual([0, 1]);
    begin(a);
    begin(b);
    expect([rule.inWindow(), rule.inFlight()]).toEqual([1, 3]);
  });

  it('no longer counts a call after 250 ms if its endpoint has not responded recently', () => {
    begin(endpoint('a'));
    now += 250;
    rule.age();
    expect([rule.inWindow(), rule.inFlight()]).toEqual([0, 1]);
  });
});

describe('the other lanes', () => {
  it('leave most of the window to endpoints that respond', () => {
    const silent = Array.from({ length: 400 }, (_, index) => endpoint(`${index}`, `merchant ${index}`));
    turn(silent);
    expect(rule.inWindow()).toBe(30);
    const quiet = Array.from({ length: 400 }, (_, index) => endpoint(`q ${index}`, `merchant ${index}`));
    for (const one of quiet) call(one);
    now += 1_000;
    turn(quiet);
    expect(rule.inWindow()).toBeLessThanOrEqual(60);
  });

  it('give a merchant at most half of what is left, so that there are calls left for the next merchant', () => {
    const shareOf = (merchant: string) => {
      turn(endpoints(400, merchant));
      return rule.deliveries().filter(({ merchant_id }) => merchant_id === merchant).length;
    };
    expect(['a', 'b', 'c', 'd'].map(shareOf)).toEqual([15, 8, 4, 2]);
  });

  it('also give a merchant at most half of the slow lane, however many endpoints the merchant has', () => {
    const slow = endpoints(300, 'slow');
    for (const one of slow) call(one, 20, 'acknowledged', 200, 2_000);
    for (let turns = 0; turns < 20; turns++) turn(slow);
    expect(rule.inFlight()).toBe(500);
    expect(rule.inWindow()).toBe(0);
    const next = endpoint('next', 'another');
    call(next, 20, 'acknowledged', 200, 2_000);
    turn([next]);
    expect(next.inSlow).toBe(20);
  });

  it('count a large body in the slow lane once per 64 KiB', () => {
    const slow = endpoints(300, 'slow');
    for (const one of slow) call(one, 20, 'acknowledged', 200, 2_000);
    const large = 'x'.repeat(4 * bytesOfSlowCall);
    for (let turns = 0; turns < 100; turns++)
      for (const { receiver, limit } of rule.plan(slow, windowCalls)) begin(receiver, limit, large);
    expect(rule.bytesInFlight()).toBeLessThan(60 * 2 ** 20);
    const [other] = endpoints(1, 'another');
    if (other) call(other, 20, 'acknowledged', 200, 2_000);
    expect(other && limitOf(other)).toBe(20);
  });
});

describe('very many silent endpoints', () => {
  /**
   * Simulates this many tenths of a second. Returns the longest time that one of `others` had to wait, in tenths of a
   * second.
   */
  const longestWait = (silent: readonly Receiver[], tenths: number, others: readonly Receiver[]) => {
    const waits = new Map(others.map((other) => [other, 0]));
    let longest = 0;
    for (let tenth = 0; tenth < tenths; tenth++) {
      rule.age();
      for (const [other, waited] of waits) {
        const wait = limitOf(other, windowCalls - rule.inWindow()) > 0 ? 0 : waited + 1;
        waits.set(other, wait);
        longest = Math.max(longest, wait);
      }
      turn(silent);
      now += 100;
    }
    return longest;
  };

  it('take the window for a second at most when fast ones of 400 merchants fall silent together', () => {
    const silent = Array.from({ length: 400 }, (_, index) => endpoint(`${index}`, `merchant ${index}`));
    for (const one of silent) call(one, 20);
    const well = endpoint('well', 'another');
    call(well);
    expect(longestWait(silent, 500, [well, endpoint('new', 'a third')])).toBeLessThanOrEqual(10);
    // All 400 silent endpoints have received a request.
    expect(new Set(rule.deliveries().map(({ endpoint_id }) => endpoint_id)).size).toBe(400);
    expect(rule.inFlight()).toBeLessThan(2_000);
    expect(rule.inWindow()).toBeLessThan(windowCalls);
  });

  it('never delay others when 400 new ones of one merchant are silent', () => {
    const silent = endpoints(400, 'silent');
    const [well, next] = [endpoint('well', 'another'), endpoint('new', 'a third')];
    call(well);
    now += 1_000;
    expect(longestWait(silent, 300, [well, next])).toBe(0);
    expect(rule.inFlight()).toBe(400);
  });

  it('never delay the healthy ones of the same merchant when fast ones fall silent one after the other', () => {
    const well = endpoint('well');
    for (let index = 0; index < 30; index++) {
      const falling = endpoint(`silent ${index}`);
      call(falling, 50);
      turn([falling]);
      now += 1_000;
      rule.age();
      call(well);
      expect(limitOf(well, windowCalls - rule.inWindow())).toBeGreaterThan(0);
    }
    expect(rule.inWindow()).toBe(0);
  });
});
