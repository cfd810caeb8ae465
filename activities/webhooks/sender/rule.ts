import { bytesOf } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';

/* The rule decides how many calls each endpoint may have in flight (docs/webhooks.md#the-rule). It uses no database. */

/**
 * The maximum number of calls in each lane. An endpoint is in `slow` if its calls take over a second, and in `window`
 * if it responded within the last second. Others are in `quiet` if their last call was acknowledged, otherwise in
 * `unproven`. Calls in these two lanes also count in `window`, so `window` limits the three together.
 */
const lanes = { window: 100, slow: 1_000, quiet: 30, unproven: 30 };
type Lane = keyof typeof lanes;
export const windowCalls = lanes.window;
/** The limit of the slow lane for calls that move there from the window. For new slow calls, it is `lanes.slow`. */
const maxSlow = 2 * lanes.slow;
/** In the slow lane, a call counts once per 64 KiB of its body, because the body can be in memory for a minute. */
export const bytesOfSlowCall = 64 * 1024;

/** A call that takes this long is slow. An endpoint is slow if its calls take this long on average. */
const slowAfterMs = 1_000;
// A call counts as slow after this shorter time if its endpoint has not responded within the last second. An endpoint
// is fast if its calls take less than this on average.
const fastMs = 250;
/** An endpoint starts with one call in flight and earns one per response, up to this limit if its calls are fast. */
const maxInFlight = 50;
const maxInFlightSlow = 20;
/** The maximum number of calls in flight to one endpoint in the lanes `quiet` and `unproven`. */
const maxProbes = 4;
const failuresInRow = 3;
/** With these statuses, a receiver asks for fewer requests, so they count as failures. Other error statuses do not. */
const asksForLess = new Set([429, 503]);
/** The weight of the newest call in the mean duration of an endpoint's calls. */
const newestWeight = 0.2;
// When a merchant's share of the window is split among its endpoints, each endpoint gets at least this many
// deliveries at a time, because fetching a few costs little more than fetching one.
const minTurn = 4;
/** An endpoint without a call for this long is forgotten. It then starts again with one call in flight. */
const forgottenAfterMs = 60_000;

/** What the sender knows about an endpoint from the calls to it. */
export type Receiver = {
  readonly id: string;
  readonly merchantId: string;
  /** `earned` is how many concurrent calls the endpoint has earned, `limit` is how many its settings allow. */
  earned: number;
  limit: number;
  inWindow: number;
  inSlow: number;
  meanMs: number | undefined;
  failures: number;
  isAcknowledged: boolean;
  respondedAt: number;
  endedAt: number;
  /** An estimate of how many deliveries wait: infinite unless the last fetch found fewer than its limit. */
  likely: number;
};

/** A call in flight. */
export type Call = {
  delivery: ClaimedDelivery;
  receiver: Receiver;
  bytes: number;
  /** How many calls this call counts for in the slow lane. */
  weight: number;
  startedAt: number;
  isSlow: boolean;
};

/** The maximum number of deliveries to fetch. During a retry run (`attemptDue`), it is `limitBesideRetries`. */
export type Share = { receiver: Receiver; limit: number; limitBesideRetries: number };

export type Rule = ReturnType<typeof createRule>;

const inFlightOf = ({ inWindow, inSlow }: Receiver): number => inWindow + inSlow;
const freeOf = (receiver: Receiver): number =>
  Math.min(receiver.earned, receiver.limit) - inFlightOf(receiver);
const isSlow = ({ inSlow, meanMs }: Receiver): boolean => inSlow > 0 || (meanMs ?? 0) >= slowAfterMs;

function laneOf(receiver: Receiver, now: number): Lane {
  if (isSlow(receiver)) return 'slow';
  if (now - receiver.respondedAt < slowAfterMs) return 'window';
  return receiver.isAcknowledged ? 'quiet' : 'unproven';
}

const newCounts = () => new Map<string, number>();

/** Returns how many calls may begin during a retry run: one if none is in flight and the limit is above one, else 0. */
const freeBesideRetries = (receiver: Receiver): number =>
  Math.max(0, Math.min(1, receiver.limit - 1) - inFlightOf(receiver));

const newReceiver = (id: string, merchantId: string): Receiver => ({
  id,
  merchantId,
  earned: 1,
  limit: maxInFlight,
  inWindow: 0,
  inSlow: 0,
  meanMs: undefined,
  failures: 0,
  isAcknowledged: false,
  respondedAt: -Infinity,
  endedAt: performance.now(),
  likely: Infinity,
});

/** Creates the rule without any known endpoint or call in flight. */
export function createRule() {
  const known = new Map<string, Receiver>();
  // Both sets keep the order in which calls were added, so the oldest calls come first.
  const window = new Set<Call>();
  const slow = new Set<Call>();
  /** The calls in the slow lane by merchant, each counted with its weight. */
  const slowOf = new Map<string, number>();
  let inSlow = 0;
  let bytes = 0;

  const countSlow = ({ receiver, weight }: Call, sign: 1 | -1) => {
    receiver.inSlow += sign;
    inSlow += sign * weight;
    const count = (slowOf.get(receiver.merchantId) ?? 0) + sign * weight;
    if (count > 0) slowOf.set(receiver.merchantId, count);
    else slowOf.delete(receiver.merchantId);
  };
  const enterSlow = (call: Call) => {
    call.isSlow = true;
    slow.add(call);
    countSlow(call, 1);
  };
  const leaveWindow = (call: Call) => {
    window.delete(call);
    call.receiver.inWindow -= 1;
  };

  /** Returns how many calls each lane can still take (`left`) and how many each merchant has in it (`used`). */
  const measure = (capacity: number, now: number) => {
    const left = {
      window: capacity,
      slow: lanes.slow - inSlow,
      quiet: lanes.quiet,
      unproven: lanes.unproven,
    };
    const used = { window: newCounts(), slow: new Map(slowOf), quiet: newCounts(), unproven: newCounts() };
    for (const { receiver } of window) {
      const lane = laneOf(receiver, now);
      if (lane === 'quiet' || lane === 'unproven') left[lane] -= 1;
      used[lane].set(receiver.merchantId, (used[lane].get(receiver.merchantId) ?? 0) + 1);
    }
    return { left, used };
  };

  return {
    /** Returns what is known about an endpoint, and sets its limit. `inFlightLimit` is null if none is set for it. */
    find(id: string, merchantId: string, inFlightLimit: number | null): Receiver {
      const receiver = known.get(id) ?? newReceiver(id, merchantId);
      receiver.limit = Math.min(inFlightLimit ?? maxInFlight, maxInFlight);
      known.set(id, receiver);
      return receiver;
    },

    inWindow: () => window.size,
    inFlight: () => window.size + slow.size,
    bytesInFlight: () => bytes,
    deliveries: (): ClaimedDelivery[] => [...window, ...slow].map(({ delivery }) => delivery),

    /**
     * Shares `capacity` calls among the endpoints in `due`, in their order. The calls of the lane `window`, for
     * endpoints that respond, are shared equally among merchants. In each of the other lanes, a merchant gets at most
     * half of the free calls, however many endpoints it has, so that the next merchant also gets calls.
     */
    plan(due: Iterable<Receiver>, capacity: number): Share[] {
      const now = performance.now();
      const { left, used } = measure(capacity, now);
      const limits = new Map<Receiver, number>();
      const responding: Receiver[] = [];
      // `capacity` also limits slow calls, because fetching too many rows at a time would block the process.
      let slowCapacity = capacity;
      for (const receiver of due) {
        const lane = laneOf(receiver, now);
        const free = Math.min(freeOf(receiver), receiver.likely);
        if (free <= 0) continue;
        if (lane === 'window') {
          responding.push(receiver);
          continue;
        }
        const mine = used[lane].get(receiver.merchantId) ?? 0;
        const half = Math.ceil((left[lane] - mine) / 2);
        const count =
          lane === 'slow'
            ? Math.min(free, half, slowCapacity)
            : Math.min(free, half, left.window, maxProbes - inFlightOf(receiver));
        if (count <= 0) continue;
        limits.set(receiver, count);
        left[lane] -= count;
        used[lane].set(receiver.merchantId, mine + count);
        if (lane === 'slow') slowCapacity -= count;
        else left.window -= count;
      }
      shareWindow(responding, left.window, used.window, limits);
      return [...limits].map(([receiver, limit]) => ({
        receiver,
        limit,
        limitBesideRetries: Math.min(limit, freeBesideRetries(receiver)),
      }));
    },

    /** Begins a call. A call to an endpoint that is already known as slow does not count in the window. */
    begin(delivery: ClaimedDelivery, receiver: Receiver): Call {
      const size = bytesOf(delivery);
      const call: Call = {
        delivery,
        receiver,
        bytes: size,
        weight: Math.max(1, Math.ceil(size / bytesOfSlowCall)),
        startedAt: performance.now(),
        isSlow: false,
      };
      bytes += size;
      if (isSlow(receiver)) enterSlow(call);
      else {
        window.add(call);
        receiver.inWindow += 1;
      }
      return call;
    },

    /** Moves calls that have become slow from the window to the slow lane. */
    age(): void {
      const now = performance.now();
      for (const call of window) {
        const ageMs = now - call.startedAt;
        if (ageMs < fastMs || inSlow >= maxSlow) return;
        if (ageMs < slowAfterMs && laneOf(call.receiver, now) === 'window') continue;
        leaveWindow(call);
        enterSlow(call);
      }
    },

    /** Ends a call and updates what is known about its endpoint. `status` is null if there was no response. */
    end(call: Call, outcome: AttemptOutcome, status: number | null): void {
      const { receiver } = call;
      if (call.isSlow) {
        slow.delete(call);
        countSlow(call, -1);
      } else leaveWindow(call);
      bytes -= call.bytes;
      receiver.endedAt = performance.now();
      const tookMs = receiver.endedAt - call.startedAt;
      receiver.meanMs =
        receiver.meanMs === undefined ? tookMs : receiver.meanMs * (1 - newestWeight) + tookMs * newestWeight;
      const isResponse =
        outcome === 'acknowledged' || (outcome === 'refused' && !asksForLess.has(status ?? 0));
      receiver.isAcknowledged = outcome === 'acknowledged';
      receiver.failures = isResponse ? 0 : receiver.failures + 1;
      if (isResponse) receiver.respondedAt = receiver.endedAt;
      const most = receiver.meanMs < fastMs ? maxInFlight : maxInFlightSlow;
      if (outcome === 'timeout' || receiver.failures >= failuresInRow) receiver.earned = 1;
      else if (isResponse)
        receiver.earned = receiver.earned > most ? receiver.earned - 1 : Math.min(receiver.earned + 1, most);
    },

    /** Forgets endpoints without a call for `forgottenAfterMs`, but keeps those that the sender still uses. */
    forget(isInUse: (receiver: Receiver) => boolean): void {
      const before = performance.now() - forgottenAfterMs;
      for (const [id, receiver] of known)
        if (inFlightOf(receiver) === 0 && receiver.endedAt < before && !isInUse(receiver)) known.delete(id);
    },
  };
}

/** Shares the window, including its calls in flight, equally among merchants, and each share among the endpoints. */
function shareWindow(
  responding: readonly Receiver[],
  capacity: number,
  used: Map<string, number>,
  limits: Map<Receiver, number>,
): void {
  const endpoints = new Map<string, number>();
  for (const { merchantId } of responding) endpoints.set(merchantId, (endpoints.get(merchantId) ?? 0) + 1);
  let calls = capacity;
  for (const merchantId of endpoints.keys()) calls += used.get(merchantId) ?? 0;
  const ofMerchant = Math.ceil(calls / Math.max(1, endpoints.size));
  let left = capacity;
  const give = (receiver: Receiver, most: number) => {
    const has = limits.get(receiver) ?? 0;
    const count = Math.min(freeOf(receiver) - has, receiver.likely - has, most, left);
    if (count <= 0) return;
    limits.set(receiver, has + count);
    used.set(receiver.merchantId, (used.get(receiver.merchantId) ?? 0) + count);
    left -= count;
  };
  for (const receiver of responding) {
    const { merchantId } = receiver;
    const turn = Math.max(minTurn, Math.ceil(ofMerchant / (endpoints.get(merchantId) ?? 1)));
    give(receiver, Math.min(turn, ofMerchant - (used.get(merchantId) ?? 0)));
    if (left <= 0) return;
  }
  for (const receiver of responding) give(receiver, left);
}
