import { LRUCache } from 'lru-cache';
import { bytesOf } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { concurrency, maxEndpoints, recording } from './limits';

/* Decides how many calls each endpoint gets (docs/webhooks.md#how-many-calls). Nothing here uses the database. */

/** What the sender knows about an endpoint. */
export type EndpointLoad = {
  readonly id: string;
  readonly merchantId: string;
  earned: number; // how many concurrent calls its responses have earned
  limit: number; // how many concurrent calls its settings allow
  inFlight: number; // its calls in flight
  isSlow: boolean; // true while its calls take long: new calls are slow from the start
  failures: number; // how many calls in a row have failed; an endpoint that was not called counts as one
  hotUntil: number; // the sender asks for more deliveries until this value of `performance.now()`
  /**
   * The due watermark: leases skip deliveries that became due earlier, in seconds since 1970 by the database's clock.
   * It saves reading the index entries of deliveries that are done.
   */
  watermarkS: number;
};

/** A call in flight. It is in the window or, if `isSlow`, in the slow pool. */
export type Call = {
  delivery: LeasedDelivery;
  receiver: EndpointLoad;
  startedAt: number;
  bytes: number;
  isSlow: boolean;
};
export type Calls = ReturnType<typeof createCalls>;

/** How many more calls may begin in the window or in the slow pool, and how many each merchant has in it. */
export type Pool = { free: number; byMerchant: Map<string, number> };

/** A receiver that responds with one of these statuses asks for fewer requests. */
const asksForLess = new Set([429, 503]);

/** Keeps the calls in flight of one sender, and what it knows about the endpoints that it calls. */
export function createCalls() {
  const receivers = new LRUCache<string, EndpointLoad>({
    max: maxEndpoints,
    ttl: concurrency.forgetAfterMs,
    updateAgeOnGet: true,
  });
  const calls = new Set<Call>();

  /** Returns what is known about an endpoint. */
  const find = (id: string, merchantId: string): EndpointLoad => {
    const receiver = receivers.get(id) ?? newEndpointLoad(id, merchantId);
    receivers.set(id, receiver);
    return receiver;
  };

  return {
    inFlight: () => calls.size,
    bytes: () => Array.from(calls).reduce((sum, { bytes }) => sum + bytes, 0),
    deliveries: () => Array.from(calls, ({ delivery }) => delivery),

    find,

    /**
     * Moves calls that have become slow out of the window, and plans new calls to the endpoints of `due`. `unrecorded`
     * outcomes are not recorded yet.
     */
    plan(due: Iterable<EndpointLoad>, unrecorded: number): Map<EndpointLoad, number> {
      const { slowAfterMs, silentSlowAfterMs, newSlow, allSlow } = concurrency;
      const slow = newPool(newSlow);
      const window = newPool(concurrency.window);
      const now = performance.now();
      for (const call of calls) if (call.isSlow) use(slow, call.receiver, weightOf(call));
      for (const call of calls) {
        if (call.isSlow) continue;
        const mayTakeMs = call.receiver.failures === 0 ? slowAfterMs : silentSlowAfterMs;
        call.isSlow = now - call.startedAt >= mayTakeMs && newSlow - slow.free < allSlow;
        call.receiver.isSlow ||= call.isSlow;
        use(call.isSlow ? slow : window, call.receiver, call.isSlow ? weightOf(call) : 1);
      }
      window.free -= Math.max(0, unrecorded + concurrency.window - recording.maxUnrecorded);
      return planCalls(due, window, slow);
    },

    begin(delivery: LeasedDelivery): Call {
      const receiver = find(delivery.endpoint_id, delivery.merchant_id);
      const { isSlow } = receiver;
      const call = { delivery, receiver, startedAt: performance.now(), bytes: bytesOf(delivery), isSlow };
      calls.add(call);
      receiver.inFlight += 1;
      return call;
    },

    /**
     * Ends a call. A response earns its endpoint one more concurrent call, also an error response, because it shows
     * that the receiver is alive. A timeout or several failures in a row leave the endpoint with one.
     */
    end(call: Call, outcome: AttemptOutcome, status: number | null): void {
      const { receiver } = call;
      const { slowAfterMs, failuresInRow, fastEndpoint, slowEndpoint } = concurrency;
      calls.delete(call);
      receiver.inFlight -= 1;
      const hasResponded =
        outcome === 'acknowledged' || (outcome === 'refused' && !asksForLess.has(status ?? 0));
      receiver.isSlow = performance.now() - call.startedAt >= slowAfterMs;
      receiver.failures = hasResponded ? 0 : receiver.failures + 1;
      if (outcome === 'timeout' || receiver.failures >= failuresInRow) receiver.earned = 1;
      else if (hasResponded)
        receiver.earned = Math.min(receiver.earned + 1, receiver.isSlow ? slowEndpoint : fastEndpoint);
    },
  };
}

/** Returns what is known about an endpoint that the sender has not called yet. */
export const newEndpointLoad = (id: string, merchantId: string): EndpointLoad => ({
  id,
  merchantId,
  earned: 1,
  limit: Infinity,
  inFlight: 0,
  isSlow: false,
  failures: 1,
  hotUntil: 0,
  watermarkS: 0,
});

/** Returns how many calls a slow call counts as. */
const weightOf = ({ bytes }: Call): number => Math.max(1, Math.ceil(bytes / concurrency.slowBytes));

const newPool = (free: number): Pool => ({ free, byMerchant: new Map() });
const usedBy = ({ byMerchant }: Pool, { merchantId }: EndpointLoad): number =>
  byMerchant.get(merchantId) ?? 0;
const use = (pool: Pool, receiver: EndpointLoad, count: number): void => {
  pool.free -= count;
  pool.byMerchant.set(receiver.merchantId, usedBy(pool, receiver) + count);
};

/**
 * Returns how many deliveries to lease for each endpoint of `due`, in all at most as many as the window has room for,
 * because leasing many at once would block the process. Of the slow pool, a merchant gets at most half of what is left,
 * however many slow endpoints it has, so that there is room for the next merchant. The window is shared equally among
 * the merchants of the other endpoints, and within each share, endpoints take turns. Uses up the pools.
 */
export function planCalls(due: Iterable<EndpointLoad>, window: Pool, slow: Pool): Map<EndpointLoad, number> {
  const plan = new Map<EndpointLoad, number>();
  const give = (pool: Pool, receiver: EndpointLoad, limit: number): void => {
    const has = plan.get(receiver) ?? 0;
    const mayHave = Math.min(receiver.earned, receiver.limit) - receiver.inFlight - has;
    const count = Math.min(mayHave, limit, window.free);
    if (count <= 0) return;
    plan.set(receiver, has + count);
    use(pool, receiver, count);
    if (pool === slow) window.free -= count;
  };

  const fast: EndpointLoad[] = [];
  const merchants = new Set<string>();
  for (const receiver of due) {
    if (receiver.isSlow) give(slow, receiver, Math.ceil((slow.free - usedBy(slow, receiver)) / 2));
    else {
      fast.push(receiver);
      merchants.add(receiver.merchantId);
    }
  }
  let calls = window.free;
  for (const merchantId of merchants) calls += window.byMerchant.get(merchantId) ?? 0;
  const share = Math.ceil(calls / merchants.size);
  // First everyone's share, then what some do not use.
  for (const most of [share, Infinity])
    for (let before = NaN; before !== window.free;) {
      before = window.free;
      for (const receiver of fast)
        give(window, receiver, Math.min(concurrency.turn, most - usedBy(window, receiver)));
    }
  return plan;
}
