import { endpointKind } from '../../../db/webhooks/claim-shares';
import type { ClaimShares, EndpointKind } from '../../../db/webhooks/claim-shares';
import { smallBytes } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { noCalls, probesOf, sharesOf, slowBytes, slowCalls } from './merchant-share';
import type { MerchantCalls } from './merchant-share';
import { createPlace, isAnswering, isSlow, learn, maxSlots, slowAfterMs, startSlots } from './place';
import type { Place } from './place';

/** The limit of requests in the window. A request older than `slowAfterMs` moves to the slow pool. */
export const windowCalls = 100;
/**
 * Requests that grow old in the window enter the slow pool in addition to those that are claimed for it, and so do
 * their bytes.
 */
const maxSlowCalls = 2 * slowCalls;
const maxSlowBytes = 2 * slowBytes;
const slowCallsOfEndpoint = 10;
/**
 * When a merchant has this many slow requests, its other endpoints are expected to fall silent too. Eight fast
 * endpoints can fall silent before that. With a limit of two, 30 silent endpoints took two thirds of the rate from
 * the others of their merchant.
 */
const distrustedCalls = 400;
/** Limits the bytes of payloads in the window, including those that wait to be recorded. */
export const windowBytes = 32 * 2 ** 20;
/**
 * Limits the bytes of large payloads in a claim, because reading, signing and sending them blocks the rest of the
 * process.
 */
export const claimBytes = 16 * 2 ** 20;
/** An endpoint with this many bytes in flight gets no more. */
const endpointBytes = 8 * 2 ** 20;
/** An endpoint without a request for this long is forgotten and starts over. */
const forgottenAfterMs = 60_000;
/** Endpoints that wait for bytes are tried again as soon as some are free, or after this time. */
const askAgainMs = 100;

/** A request in flight. */
export type Call = {
  delivery: ClaimedDelivery;
  /** The size of the payload as it was rendered. */
  bytes: number;
  /** The same size for large payloads, and 0 for small ones, which are limited by their number. */
  largeBytes: number;
  startedAt: number;
  isSlow: boolean;
  place: Place;
};

export type Slots = ReturnType<typeof createSlots>;

/**
 * Decides how many requests each endpoint and merchant may have in flight (docs/webhooks.md#concurrency-limits). Slow
 * endpoints use the slow pool from the start. A fast endpoint that falls silent can hold up to 50 requests of the
 * window, once.
 */
export function createSlots() {
  const places = new Map<string, Place>();
  const window = new Set<Call>();
  const slow = new Set<Call>();
  const slowOfMerchants = new Map<string, { calls: number; largeBytes: number }>();
  const bytes = { window: 0, slow: 0, slowLarge: 0 };
  /** The endpoints whose next delivery was larger than the bytes that were left. */
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
    // The endpoint moves to the end of the order, so it comes last when its merchant's share is distributed again.
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
  /** Counts the requests that each merchant has in flight, except those to endpoints that respond. */
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

    /**
     * Marks endpoints that were skipped because their deliveries are large. They are tried again when enough bytes
     * are free.
     */
    waitForBytes: (endpointIds: readonly string[]): void => {
      for (const id of endpointIds) wantBytes.add(id);
    },

    /** `hasMuchRoom` says whether enough bytes are free for large payloads. */
    free(hasMuchRoom: boolean): ClaimShares {
      const now = performance.now();
      if (hasMuchRoom && now - askedAt >= askAgainMs) {
        wantBytes.clear();
        askedAt = now;
      }
      const merchants = countMerchants();
      const shares = sharesOf(merchants, slow.size);
      const { kindRooms, roomsOfMerchant } = shares;
      // When many endpoints have fallen silent, more endpoints are probed, each with one request.
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
        // Endpoints with large payloads are considered again when something has changed, not at each poll.
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

    /** Moves requests older than `slowAfterMs` to the slow pool while it has capacity. */
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

    /** `status` is null if there was no response. */
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
