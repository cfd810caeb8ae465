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
  unansweredInRow: number; // failures, 429 and 503 included; starts at 1, so an endpoint not called yet counts as failed
  hotUntil: number; // the sender looks into its queue without a scan until this value of `performance.now()`
  /**
   * The due watermark: leases skip deliveries that became due earlier, in seconds since 1970 by the database's clock.
   * It saves reading the index entries of finished deliveries.
   */
  watermarkS: number;
};

/** A call in flight. It is in the window or, if `isSlow`, in the slow pool. */
export type Call = {
  delivery: LeasedDelivery;
  load: EndpointLoad;
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
  const loads = new LRUCache<string, EndpointLoad>({
    max: maxEndpoints,
    ttl: concurrency.forgetAfterMs,
    updateAgeOnGet: true,
  });
  const calls = new Set<Call>();

  /** Returns what is known about an endpoint, and keeps it from now on. */
  const findOrCreate = (id: string, merchantId: string): EndpointLoad => {
    const load = loads.get(id) ?? newEndpointLoad(id, merchantId);
    loads.set(id, load);
    return load;
  };

  return {
    inFlight: () => calls.size,
    bytes: () => Array.from(calls).reduce((sum, { bytes }) => sum + bytes, 0),
    deliveries: () => Array.from(calls, ({ delivery }) => delivery),

    findOrCreate,

    /**
     * Moves calls that have become slow out of the window, and plans new calls to the endpoints of `due`. `unrecorded`
     * is the number of outcomes still to be recorded.
     */
    plan(due: Iterable<EndpointLoad>, unrecorded: number): Map<EndpointLoad, number> {
      const { slowAfterMs, unprovenSlowAfterMs, newSlow, allSlow } = concurrency;
      const slow = newPool(newSlow);
      const window = newPool(concurrency.window);
      const now = performance.now();
      for (const call of calls) if (call.isSlow) use(slow, call.load, weightOf(call));
      for (const call of calls) {
        if (call.isSlow) continue;
        const mayTakeMs = call.load.unansweredInRow === 0 ? slowAfterMs : unprovenSlowAfterMs;
        const slowInUse = newSlow - slow.free;
        call.isSlow = now - call.startedAt >= mayTakeMs && slowInUse < allSlow;
        call.load.isSlow ||= call.isSlow;
        use(call.isSlow ? slow : window, call.load, call.isSlow ? weightOf(call) : 1);
      }
      // Window calls and unrecorded outcomes together stay within `maxUnrecorded`, the limit of repeats after a crash.
      window.free -= Math.max(0, unrecorded + concurrency.window - recording.maxUnrecorded);
      return planCalls(due, window, slow);
    },

    begin(delivery: LeasedDelivery): Call {
      const load = findOrCreate(delivery.endpoint_id, delivery.merchant_id);
      const { isSlow } = load;
      const call = { delivery, load, startedAt: performance.now(), bytes: bytesOf(delivery), isSlow };
      calls.add(call);
      load.inFlight += 1;
      return call;
    },

    /**
     * Ends a call. A response earns its endpoint one more concurrent call, also a `refused` one (not 2xx) unless it
     * asks for less. A timeout, or several calls in a row that earn nothing, leave the endpoint with one.
     */
    end(call: Call, outcome: AttemptOutcome, status: number | null): void {
      const { load } = call;
      const { slowAfterMs, failuresInRow, fastEndpoint, slowEndpoint } = concurrency;
      calls.delete(call);
      load.inFlight -= 1;
      const hasResponded =
        outcome === 'acknowledged' || (outcome === 'refused' && !asksForLess.has(status ?? 0));
      load.isSlow = performance.now() - call.startedAt >= slowAfterMs;
      load.unansweredInRow = hasResponded ? 0 : load.unansweredInRow + 1;
      if (outcome === 'timeout' || load.unansweredInRow >= failuresInRow) load.earned = 1;
      else if (hasResponded)
        load.earned = Math.min(load.earned + 1, load.isSlow ? slowEndpoint : fastEndpoint);
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
  unansweredInRow: 1,
  hotUntil: 0,
  watermarkS: 0,
});

/** Returns how many calls a slow call counts as. */
const weightOf = ({ bytes }: Call): number => Math.max(1, Math.ceil(bytes / concurrency.slowBytes));

const newPool = (free: number): Pool => ({ free, byMerchant: new Map() });
const usedBy = ({ byMerchant }: Pool, { merchantId }: EndpointLoad): number =>
  byMerchant.get(merchantId) ?? 0;
const use = (pool: Pool, load: EndpointLoad, count: number): void => {
  pool.free -= count;
  pool.byMerchant.set(load.merchantId, usedBy(pool, load) + count);
};

/**
 * Returns how many deliveries to lease for each endpoint of `due`, in all at most as many as the window has room for,
 * because leasing many at once would block the process. A merchant may have at most as many slow calls as it leaves
 * free, however many slow endpoints it has: the first 500, the next 250. The window is shared equally among the
 * merchants of the other endpoints, and within each share, endpoints take turns. Uses up the pools.
 */
export function planCalls(due: Iterable<EndpointLoad>, window: Pool, slow: Pool): Map<EndpointLoad, number> {
  const plan = new Map<EndpointLoad, number>();
  const give = (pool: Pool, load: EndpointLoad, limit: number): void => {
    const has = plan.get(load) ?? 0;
    const mayHave = Math.min(load.earned, load.limit) - load.inFlight - has;
    const count = Math.min(mayHave, limit, window.free);
    if (count <= 0) return;
    plan.set(load, has + count);
    use(pool, load, count);
    // A slow call is not in the window, but a turn leases no more than the window has room for.
    if (pool === slow) window.free -= count;
  };

  const fast: EndpointLoad[] = [];
  const merchants = new Set<string>();
  for (const load of due) {
    if (load.isSlow) give(slow, load, Math.ceil((slow.free - usedBy(slow, load)) / 2));
    else {
      fast.push(load);
      merchants.add(load.merchantId);
    }
  }
  let calls = window.free;
  for (const merchantId of merchants) calls += window.byMerchant.get(merchantId) ?? 0;
  const share = Math.ceil(calls / merchants.size);
  // First everyone's share, then what some do not use. Repeats until a round gives nothing.
  for (const most of [share, Infinity])
    for (let before = NaN; before !== window.free;) {
      before = window.free;
      for (const load of fast) give(window, load, Math.min(concurrency.turn, most - usedBy(window, load)));
    }
  return plan;
}
