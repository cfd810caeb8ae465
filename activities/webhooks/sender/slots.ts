import { endpointKind } from '../../../db/webhooks/claim-shares';
import type { ClaimShares, EndpointKind } from '../../../db/webhooks/claim-shares';
import { smallBytes } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { noCalls, probesOf, sharesOf, slowBytes, slowCalls } from './merchant-share';
import type { MerchantCalls } from './merchant-share';
import { createPlace, isAnswering, isSlow, learn, maxSlots, slowAfterMs, startSlots } from './place';
import type { Place } from './place';

/** Calls at a time in the window; a call older than `slowAfterMs` leaves it for the slow pool. */
export const windowCalls = 100;
/** Calls that become old in the window enter the slow pool beside those that are claimed for it; so do their bytes. */
const maxSlowCalls = 2 * slowCalls;
const maxSlowBytes = 2 * slowBytes;
const slowCallsOfEndpoint = 10;
/**
 * Above it, a merchant's endpoints are all as likely to fall silent as those that have. Eight fast ones may do so before: with
 * a bound of two, 30 silent ones took two thirds of the rate from the others of their merchant.
 */
const distrustedCalls = 400;
/** Bytes of payloads in the window, with what waits to be recorded. */
export const windowBytes = 32 * 2 ** 20;
/** Of large payloads at a time: to read, sign and send them keeps all else of the process waiting. */
export const claimBytes = 16 * 2 ** 20;
/** An endpoint that has so many under way gets no more. */
const endpointBytes = 8 * 2 ** 20;
/** One that has had no call for so long is forgotten and begins anew. */
const forgottenAfterMs = 60_000;
/** Who waits for bytes is asked again as soon as some are free, else so often. */
const askAgainMs = 100;

/** One call under way. */
export type Call = {
  delivery: ClaimedDelivery;
  /** As it was rendered. */
  bytes: number;
  /** The same, but for small payloads, which are bound by their number. */
  largeBytes: number;
  startedAt: number;
  isSlow: boolean;
  place: Place;
};

export type Slots = ReturnType<typeof createSlots>;

/**
 * Decides how many requests each endpoint and merchant may have in flight (docs/webhooks.md#concurrency-limits). Slow endpoints
 * use the slow pool from the start. Fast ones that fall silent take up to 50 requests of the main pool along, once.
 */
export function createSlots() {
  const places = new Map<string, Place>();
  const window = new Set<Call>();
  const slow = new Set<Call>();
  const slowOfMerchants = new Map<string, { calls: number; largeBytes: number }>();
  const bytes = { window: 0, slow: 0, slowLarge: 0 };
  /** Those whose next delivery was too large for what was left. */
  const wantBytes = new Set<string>();
  let askedAt = -Infinity;

  const placeOf = ({ endpoint_id, merchant_id }: ClaimedDelivery): Place => {
    const known = places.get(endpoint_id);
    if (known) return known;
    const place = createPlace(endpoint_id, merchant_id);
    places.set(endpoint_id, place);
    return place;
  };
  const countSlow = (call: Call, sign: 1 | -1) => {
    const { merchantId } = call.place;
    const { calls, largeBytes } = slowOfMerchants.get(merchantId) ?? { calls: 0, largeBytes: 0 };
    const now = { calls: calls + sign, largeBytes: largeBytes + sign * call.largeBytes };
    if (now.calls > 0) slowOfMerchants.set(merchantId, now);
    else slowOfMerchants.delete(merchantId);
    call.place.inSlow += sign;
    bytes.slow += sign * call.bytes;
    bytes.slowLarge += sign * call.largeBytes;
  };
  const enterSlow = (call: Call) => {
    call.isSlow = true;
    slow.add(call);
    countSlow(call, 1);
  };
  const leaveSlow = (call: Call) => {
    const { place } = call;
    slow.delete(call);
    countSlow(call, -1);
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

  const kindOf = (place: Place): EndpointKind => {
    if (isSlow(place)) return endpointKind.slow;
    const { calls } = slowOfMerchants.get(place.merchantId) ?? { calls: 0 };
    if (isAnswering(place) && calls < distrustedCalls) return endpointKind.answering;
    return place.acknowledged > 0 ? endpointKind.quiet : endpointKind.unproven;
  };
  /** What each merchant has under way, but for those that answer. */
  const countMerchants = () => {
    const merchants = new Map<string, MerchantCalls>();
    for (const [id, { calls, largeBytes }] of slowOfMerchants)
      merchants.set(id, { slow: calls, quiet: 0, unproven: 0, largeBytes });
    for (const { place, largeBytes } of window) {
      const kind = kindOf(place);
      if (kind === endpointKind.answering) continue;
      const counts = merchants.get(place.merchantId) ?? noCalls();
      merchants.set(place.merchantId, counts);
      if (kind === endpointKind.quiet) counts.quiet += 1;
      else counts.unproven += 1;
      if (kind !== endpointKind.quiet) counts.largeBytes += largeBytes;
    }
    return merchants;
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

    /** `hasMuchRoom`: for large payloads. */
    free(hasMuchRoom: boolean): ClaimShares {
      const now = performance.now();
      if (hasMuchRoom && now - askedAt >= askAgainMs) {
        wantBytes.clear();
        askedAt = now;
      }
      const merchants = countMerchants();
      const shares = sharesOf(merchants, slow.size);
      const { kindRooms, roomsOfMerchant } = shares;
      // Many have fallen silent: more of them are found out, each by one call.
      const most = slow.size > slowCalls / 2 ? 1 : startSlots;
      const endpointIds: string[] = [];
      const slots: number[] = [];
      const inFlight: number[] = [];
      const kinds: EndpointKind[] = [];
      const add = (id: string, free: number, underWay: number, kind: EndpointKind) => {
        endpointIds.push(id);
        slots.push(Math.max(free, 0));
        inFlight.push(underWay);
        kinds.push(kind);
      };
      const forgotten = now - forgottenAfterMs;
      for (const place of places.values()) {
        const underWay = place.inWindow + place.inSlow;
        if (underWay === 0 && place.endedAt < forgotten) {
          places.delete(place.endpointId);
          continue;
        }
        const kind = kindOf(place);
        let free = Math.min(place.slots, place.limit) - underWay;
        if (kind !== endpointKind.answering) {
          const room = roomsOfMerchant(place.merchantId)[kind - 1] ?? 0;
          const maxOfEndpoint = kind === endpointKind.slow ? slowCallsOfEndpoint : probesOf(room, most);
          free = Math.min(free, maxOfEndpoint - underWay, room, kindRooms[kind - 1] ?? 0);
        }
        // One whose payloads are large is looked at again when something has changed, not at each poll.
        if (place.bytes >= endpointBytes || wantBytes.has(place.endpointId)) free = 0;
        add(place.endpointId, free, underWay, kind);
      }
      for (const id of wantBytes) if (!places.has(id)) add(id, 0, 0, endpointKind.unproven);
      return {
        endpointIds,
        slots,
        inFlight,
        startSlots: kindRooms[2] > 0 ? most : 0,
        kinds,
        ...shares.ofClaim,
      };
    },

    begin(delivery: ClaimedDelivery, inFlightLimit: number | null): Call {
      const place = placeOf(delivery);
      place.limit = inFlightLimit ?? maxSlots;
      const bytesOfCall = bytesOf(delivery);
      const call: Call = {
        delivery,
        bytes: bytesOfCall,
        largeBytes: bytesOfCall > smallBytes ? bytesOfCall : 0,
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
        if (call.startedAt > oldest || slow.size >= maxSlowCalls) return;
        if (call.largeBytes > 0 && bytes.slowLarge > 0 && bytes.slowLarge + call.largeBytes > maxSlowBytes)
          continue;
        leaveWindow(call);
        enterSlow(call);
      }
    },

    /** `status` null: no answer. */
    end(call: Call, outcome: AttemptOutcome, status: number | null): void {
      if (call.isSlow) leaveSlow(call);
      else leaveWindow(call);
      call.place.bytes -= call.bytes;
      if (call.largeBytes > 0) askedAt = -Infinity;
      call.place.endedAt = performance.now();
      learn(call.place, call.place.endedAt - call.startedAt, outcome, status);
    },
  };
}

export const bytesOf = ({ payload }: ClaimedDelivery): number =>
  payload === null ? 0 : Buffer.byteLength(payload);
