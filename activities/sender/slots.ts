import type { ClaimedDelivery } from '../../db/deliveries';
import type { AttemptOutcome } from '../../api/contracts/webhook-fields';
import { createPlace, isAnswering, isSlow, learn, mostSlots, slowAfterMs, startSlots } from './place';
import type { Place } from './place';

/** Calls at a time in the window; a call older than `slowAfterMs` leaves it for the slow pool. */
export const windowCalls = 100;
const slowCalls = 1_000;
const slowCallsOfEndpoint = 10;
const slowCallsOfMerchant = 20;
/** Bytes of payloads in the window, with what waits to be recorded, and in the slow pool. */
export const windowBytes = 32 * 2 ** 20;
export const slowBytes = 32 * 2 ** 20;
/** Of large payloads at a time: to read, sign and send them keeps all else of the process waiting. */
export const claimBytes = 16 * 2 ** 20;
/** An endpoint that has so many under way gets no more. */
const endpointBytes = 8 * 2 ** 20;
/** Of the window, for endpoints without an answer in the last second, a few each: the others have the rest, whoever falls silent. */
const unprovenCalls = 60;
/** One that has had no call for so long is forgotten and begins anew. */
const forgottenAfterMs = 60_000;

/** One call under way. */
export type Call = {
  delivery: ClaimedDelivery;
  bytes: number;
  startedAt: number;
  isSlow: boolean;
  place: Place;
};

export type FreeSlots = {
  endpointIds: string[];
  slots: number[];
  inFlight: number[];
  /** Not bound by `limitUnproven`; all other endpoints are. */
  isProven: boolean[];
  limitUnproven: number;
  /** Of all other endpoints. */
  startSlots: number;
};
export type Slots = ReturnType<typeof createSlots>;

/**
 * Who may send how much at a time (design/webhooks.md, step 2). An endpoint whose calls are slow sends by the slow pool
 * from the start, so that however many of them there are, the window is for the others.
 *
 * The shares of the slow pool bind what is claimed. A fast endpoint that falls silent takes the calls that it has in the
 * window along, up to 50, once.
 */
export function createSlots() {
  const places = new Map<string, Place>();
  const window = new Set<Call>();
  const slow = new Set<Call>();
  const slowOfMerchants = new Map<string, number>();
  const bytes = { window: 0, slow: 0 };
  /** Those whose next delivery was too large for what was left. */
  const wantBytes = new Set<string>();

  const placeOf = ({ endpoint_id, merchant_id }: ClaimedDelivery): Place => {
    const known = places.get(endpoint_id);
    if (known) return known;
    const place = createPlace(endpoint_id, merchant_id);
    places.set(endpoint_id, place);
    return place;
  };
  const enterSlow = (call: Call) => {
    call.isSlow = true;
    call.place.inSlow += 1;
    bytes.slow += call.bytes;
    slow.add(call);
    const { merchantId } = call.place;
    slowOfMerchants.set(merchantId, (slowOfMerchants.get(merchantId) ?? 0) + 1);
  };
  const leaveSlow = (call: Call) => {
    const { place } = call;
    slow.delete(call);
    place.inSlow -= 1;
    bytes.slow -= call.bytes;
    const left = (slowOfMerchants.get(place.merchantId) ?? 0) - 1;
    if (left > 0) slowOfMerchants.set(place.merchantId, left);
    else slowOfMerchants.delete(place.merchantId);
    // Whose turn it was comes last when its merchant's share is given out again.
    places.delete(place.endpointId);
    places.set(place.endpointId, place);
  };

  const enterWindow = (call: Call) => {
    call.place.inWindow += 1;
    bytes.window += call.bytes;
    window.add(call);
  };
  const leaveWindow = (call: Call) => {
    call.place.inWindow -= 1;
    bytes.window -= call.bytes;
    window.delete(call);
  };

  const countUnproven = () => {
    let count = 0;
    for (const { place } of window) if (!isAnswering(place)) count += 1;
    return count;
  };

  return {
    inWindow: () => window.size,
    bytesInWindow: () => bytes.window,
    bytesInFlight: () => bytes.window + bytes.slow,
    inFlight: () => window.size + slow.size,
    calls: (): Call[] => [...window, ...slow],

    /** These have got nothing because of their deliveries' size: they are asked again when there is much room. */
    waitForBytes: (endpointIds: readonly string[]): void => {
      for (const id of endpointIds) wantBytes.add(id);
    },

    /** Of endpoints that are known; others begin with `startSlots`. `hasMuchRoom`: for large payloads. */
    free(hasMuchRoom: boolean): FreeSlots {
      if (hasMuchRoom) wantBytes.clear();
      const endpointIds: string[] = [];
      const slots: number[] = [];
      const inFlight: number[] = [];
      const isProven: boolean[] = [];
      const given = new Map<string, number>();
      let givenInAll = 0;
      const limitUnproven = unprovenCalls - countUnproven();
      const forgotten = performance.now() - forgottenAfterMs;
      for (const place of places.values()) {
        if (place.inWindow + place.inSlow === 0 && place.endedAt < forgotten) {
          places.delete(place.endpointId);
          continue;
        }
        let free = Math.min(place.slots, place.limit) - place.inWindow - place.inSlow;
        if (isSlow(place)) {
          const { merchantId } = place;
          const ofMerchant = (slowOfMerchants.get(merchantId) ?? 0) + (given.get(merchantId) ?? 0);
          free = Math.min(
            free,
            slowCallsOfEndpoint - place.inSlow - place.inWindow,
            slowCallsOfMerchant - ofMerchant,
            slowCalls - slow.size - givenInAll,
            bytes.slow + claimBytes > slowBytes ? 0 : slowCalls,
          );
          if (free > 0) {
            given.set(merchantId, (given.get(merchantId) ?? 0) + free);
            givenInAll += free;
          }
        }
        const isFree = isSlow(place) || isAnswering(place);
        if (!isFree) free = limitUnproven > 0 ? Math.min(free, startSlots - place.inWindow) : 0;
        // One whose payloads are large is looked at again when something has changed, not at each poll.
        if (place.bytes >= endpointBytes || wantBytes.has(place.endpointId)) free = 0;
        inFlight.push(place.inWindow + place.inSlow);
        endpointIds.push(place.endpointId);
        slots.push(Math.max(free, 0));
        isProven.push(isFree);
      }
      for (const id of wantBytes) {
        if (places.has(id)) continue;
        endpointIds.push(id);
        slots.push(0);
        inFlight.push(0);
        isProven.push(false);
      }
      const started = limitUnproven > 0 ? startSlots : 0;
      return {
        endpointIds,
        slots,
        inFlight,
        isProven,
        limitUnproven: Math.max(0, limitUnproven),
        startSlots: started,
      };
    },

    begin(delivery: ClaimedDelivery, inFlightLimit: number | null): Call {
      const place = placeOf(delivery);
      place.limit = inFlightLimit ?? mostSlots;
      const call: Call = {
        delivery,
        bytes: bytesOf(delivery),
        startedAt: performance.now(),
        isSlow: false,
        place,
      };
      place.bytes += call.bytes;
      if (isSlow(place)) enterSlow(call);
      else enterWindow(call);
      return call;
    },

    /** Moves calls that have become old to the slow pool while it has room. */
    age(): void {
      const oldest = performance.now() - slowAfterMs;
      for (const call of window) {
        if (call.startedAt > oldest || slow.size >= slowCalls) return;
        if (bytes.slow > 0 && bytes.slow + call.bytes > slowBytes) continue;
        leaveWindow(call);
        enterSlow(call);
      }
    },

    /** `status` null: no answer. */
    end(call: Call, outcome: AttemptOutcome, status: number | null): void {
      if (call.isSlow) leaveSlow(call);
      else leaveWindow(call);
      call.place.bytes -= call.bytes;
      call.place.endedAt = performance.now();
      learn(call.place, call.place.endedAt - call.startedAt, outcome, status);
    },
  };
}

export const bytesOf = ({ payload }: ClaimedDelivery): number =>
  payload === null ? 0 : Buffer.byteLength(payload);
