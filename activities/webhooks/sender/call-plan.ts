import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { concurrency } from './limits';

/*
 * Decides which endpoints get how many calls now (docs/webhooks.md#how-many-calls). These functions use no database and
 * no clock.
 */

/** What the sender knows about an endpoint. */
export type EndpointLoad = {
  readonly id: string;
  readonly merchantId: string;
  earned: number; // how many concurrent calls its responses have earned
  limit: number; // how many concurrent calls its settings allow
  inFlight: number; // its calls in flight
  slow: number; // how many of them are slow
  meanMs: number; // the mean duration of its calls
  hasJustResponded: boolean; // true if its last call got a response
  failures: number; // how many calls in a row have failed
  endedAt: number; // when the last call ended; all times are values of `performance.now()`
  hotUntil: number; // the sender asks for more deliveries until this time
  /**
   * The due watermark: leases skip deliveries that became due earlier, in seconds since 1970 by the database's clock.
   * It saves reading the index entries of deliveries that are done.
   */
  watermarkS: number;
  wholeLeaseAt: number; // when a lease last ignored the watermark
};

/** How many more calls may begin in a pool (docs/webhooks.md#how-many-calls), and how many each merchant has in it. */
export type Pool = { free: number; byMerchant: Map<string, number> };

export const newEndpointLoad = (id: string, merchantId: string, now: number): EndpointLoad => ({
  id,
  merchantId,
  earned: 1,
  limit: concurrency.fastEndpoint,
  inFlight: 0,
  slow: 0,
  meanMs: 0,
  hasJustResponded: false,
  failures: 0,
  endedAt: now,
  hotUntil: 0,
  watermarkS: 0,
  wholeLeaseAt: -Infinity,
});

/** Returns true if the next call to the endpoint will probably be slow. */
export const isSlow = ({ slow, meanMs }: EndpointLoad): boolean =>
  slow > 0 || meanMs >= concurrency.slowAfterMs;

/**
 * Returns how many deliveries to lease for each endpoint of `due`, in all at most as many as the window has room for,
 * because leasing many at once would block the process. Of the slow pool, a merchant gets at most half of what is left,
 * however many slow endpoints it has, so that there is room for the next merchant. The window is shared equally among
 * the merchants of the other endpoints, and each share equally among the merchant's endpoints. Uses up the pools.
 */
export function planCalls(due: Iterable<EndpointLoad>, window: Pool, slow: Pool): Map<EndpointLoad, number> {
  const plan = new Map<EndpointLoad, number>();
  const give = (pool: Pool, receiver: EndpointLoad, limit: number): void => {
    const has = plan.get(receiver) ?? 0;
    const mayHave = Math.min(receiver.earned, receiver.limit) - receiver.inFlight - has;
    const count = Math.min(mayHave, limit, window.free);
    if (count <= 0) return;
    plan.set(receiver, has + count);
    window.free -= count;
    if (pool === slow) slow.free -= count;
    add(pool.byMerchant, receiver.merchantId, count);
  };

  const fast: EndpointLoad[] = [];
  const endpoints = new Map<string, number>();
  for (const receiver of due) {
    const { merchantId } = receiver;
    if (isSlow(receiver))
      give(slow, receiver, Math.ceil((slow.free - (slow.byMerchant.get(merchantId) ?? 0)) / 2));
    else {
      fast.push(receiver);
      add(endpoints, merchantId, 1);
    }
  }
  let calls = window.free;
  for (const merchantId of endpoints.keys()) calls += window.byMerchant.get(merchantId) ?? 0;
  const merchantShare = Math.ceil(calls / endpoints.size);
  for (const receiver of fast) {
    const { merchantId } = receiver;
    const turn = Math.ceil(merchantShare / (endpoints.get(merchantId) ?? 1));
    const unused = merchantShare - (window.byMerchant.get(merchantId) ?? 0);
    give(window, receiver, Math.min(Math.max(turn, concurrency.minTurn), unused));
  }
  // What some merchants and endpoints do not use goes to the others.
  for (const receiver of fast) give(window, receiver, window.free);
  return plan;
}

/** A receiver that responds with one of these statuses asks for fewer requests. */
const asksForLess = new Set([429, 503]);

/**
 * Updates what is known about an endpoint after a call. A response earns one more concurrent call, also an error
 * response, because it shows that the receiver is alive. A timeout or several failures in a row leave it with one.
 */
export function learnFromCall(
  receiver: EndpointLoad,
  tookMs: number,
  outcome: AttemptOutcome,
  status: number | null,
): void {
  const { fastMs, fastEndpoint, endpoint, newestWeight, failuresInRow } = concurrency;
  const { meanMs } = receiver;
  receiver.meanMs = meanMs === 0 ? tookMs : meanMs * (1 - newestWeight) + tookMs * newestWeight;
  const hasResponded = outcome === 'acknowledged' || (outcome === 'refused' && !asksForLess.has(status ?? 0));
  receiver.hasJustResponded = hasResponded;
  receiver.failures = hasResponded ? 0 : receiver.failures + 1;
  const most = receiver.meanMs < fastMs ? fastEndpoint : endpoint;
  if (outcome === 'timeout' || receiver.failures >= failuresInRow) receiver.earned = 1;
  else if (hasResponded)
    receiver.earned = receiver.earned > most ? receiver.earned - 1 : Math.min(receiver.earned + 1, most);
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
