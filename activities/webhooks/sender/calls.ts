import { bytesOf } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';
import { isSlow, learnFromCall, newEndpointLoad, planCalls } from './call-plan';
import type { Pool, EndpointLoad } from './call-plan';
import { concurrency } from './limits';

/** A call in flight. It is in the window or, if `isSlow`, in the slow pool, where it counts as `weight` calls. */
export type Call = {
  delivery: LeasedDelivery;
  receiver: EndpointLoad;
  startedAt: number;
  bytes: number;
  weight: number;
  isSlow: boolean;
};
export type Calls = ReturnType<typeof createCalls>;

/** Keeps the calls in flight of one sender, and what it knows about the endpoints that it calls. */
export function createCalls() {
  const receivers = new Map<string, EndpointLoad>();
  /** Oldest first. */
  const calls = new Set<Call>();
  let inWindow = 0;
  let slowWeight = 0;
  let bytesInFlight = 0;
  const moveToSlow = (call: Call) => {
    call.isSlow = true;
    call.receiver.slow += 1;
    slowWeight += call.weight;
    inWindow -= 1;
  };

  return {
    inWindow: () => inWindow,
    inFlight: () => calls.size,
    bytes: () => bytesInFlight,
    deliveries: () => Array.from(calls, ({ delivery }) => delivery),

    /** Returns what is known about an endpoint. `inFlightLimit` is the limit in its settings, or null. */
    find(id: string, merchantId: string, inFlightLimit: number | null): EndpointLoad {
      const receiver = receivers.get(id) ?? newEndpointLoad(id, merchantId, performance.now());
      receiver.limit = Math.min(inFlightLimit ?? Infinity, concurrency.fastEndpoint);
      receivers.set(id, receiver);
      return receiver;
    },

    /** Moves calls that have become slow out of the window. */
    age(): void {
      const { slowAfterMs, silentSlowAfterMs, allSlow } = concurrency;
      const now = performance.now();
      for (const call of calls) {
        const ageMs = now - call.startedAt;
        if (ageMs < silentSlowAfterMs || slowWeight >= allSlow) return;
        if (!call.isSlow && (ageMs >= slowAfterMs || !call.receiver.hasJustResponded)) moveToSlow(call);
      }
    },

    /** Plans at most `capacity` calls to the endpoints of `due`. */
    plan(due: Iterable<EndpointLoad>, capacity: number): Map<EndpointLoad, number> {
      const window: Pool = { free: capacity, byMerchant: new Map() };
      const slow: Pool = { free: concurrency.newSlow - slowWeight, byMerchant: new Map() };
      for (const { isSlow: isInSlow, receiver, weight } of calls) {
        const { byMerchant } = isInSlow ? slow : window;
        const count = byMerchant.get(receiver.merchantId) ?? 0;
        byMerchant.set(receiver.merchantId, count + (isInSlow ? weight : 1));
      }
      return planCalls(due, window, slow);
    },

    begin(delivery: LeasedDelivery, receiver: EndpointLoad): Call {
      const bytes = bytesOf(delivery);
      const weight = Math.max(1, Math.ceil(bytes / concurrency.slowBytes));
      const call = { delivery, receiver, startedAt: performance.now(), bytes, weight, isSlow: false };
      calls.add(call);
      receiver.inFlight += 1;
      inWindow += 1;
      bytesInFlight += bytes;
      if (isSlow(receiver)) moveToSlow(call);
      return call;
    },

    end(call: Call, { outcome, status }: Pick<DeliveryOutcome, 'outcome' | 'status'>): void {
      const { receiver } = call;
      calls.delete(call);
      receiver.inFlight -= 1;
      bytesInFlight -= call.bytes;
      if (call.isSlow) {
        receiver.slow -= 1;
        slowWeight -= call.weight;
      } else inWindow -= 1;
      receiver.endedAt = performance.now();
      learnFromCall(receiver, receiver.endedAt - call.startedAt, outcome, status);
    },

    /** Forgets endpoints without a call for `forgetAfterMs`, but keeps those with due deliveries. */
    forget(hasDue: (receiver: EndpointLoad) => boolean): void {
      const before = performance.now() - concurrency.forgetAfterMs;
      for (const [id, receiver] of receivers)
        if (receiver.inFlight === 0 && receiver.endedAt < before && !hasDue(receiver)) receivers.delete(id);
    },
  };
}
