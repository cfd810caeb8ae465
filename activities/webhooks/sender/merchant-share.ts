import type { ClaimShares, KindRooms } from '../../../db/webhooks/claim-shares';
import { startSlots } from './place';

/** The limit of requests that are claimed for the slow pool. */
export const slowCalls = 1_000;
/** Limits the bytes of large payloads. One payload may exceed it. */
export const slowBytes = 32 * 2 ** 20;
const slowBytesOfMerchant = 4 * 2 ** 20;
const slowCallsOfMerchant = 20;
/**
 * A merchant above its limit can still have this many requests in the window, to find out which of its endpoints
 * respond.
 */
const probesOfMerchant = 10;
/**
 * Limits in the window for endpoints without a response in the last second. The rest of the window is for endpoints
 * that respond, however many others fall silent. Quiet endpoints, which acknowledged their last request, have their
 * own limit and do not wait for unproven ones.
 */
const quietCalls = 30;
const unprovenCalls = 30;

/**
 * A merchant's requests in flight, except to endpoints that respond. The bytes are large payloads of slow and
 * unproven endpoints.
 */
export type MerchantCalls = { slow: number; quiet: number; unproven: number; largeBytes: number };

export const noCalls = (): MerchantCalls => ({ slow: 0, quiet: 0, unproven: 0, largeBytes: 0 });

/** Returns what may be claimed in total and for each merchant, given the requests in flight. */
export function sharesOf(merchants: ReadonlyMap<string, MerchantCalls>, slowUnderWay: number) {
  const counts = [...merchants.values()];
  const sumOf = (what: keyof MerchantCalls) => counts.reduce((sum, count) => sum + count[what], 0);
  const rooms = new Map([...merchants].map(([id, count]) => [id, roomsOf(count)]));
  const kindRooms = positive([
    slowCalls - slowUnderWay,
    quietCalls - sumOf('quiet'),
    unprovenCalls - sumOf('unproven'),
  ]);
  const ofClaim = {
    kindRooms,
    merchantIds: [...rooms.keys()],
    merchantRooms: [...rooms.values()],
    otherMerchantsRooms,
    merchantBytes: counts.map(({ largeBytes }) => Math.max(0, slowBytesOfMerchant - largeBytes)),
    otherMerchantsBytes: slowBytesOfMerchant,
    slowBytes: Math.max(0, slowBytes - sumOf('largeBytes')),
  } satisfies Partial<ClaimShares>;
  return { kindRooms, ofClaim, roomsOfMerchant: (id: string) => rooms.get(id) ?? otherMerchantsRooms };
}

/** Returns the limit for one quiet or unproven endpoint. The less capacity is left, the less each endpoint gets. */
export const probesOf = (room: number, most: number): number =>
  Math.min(most, Math.max(1, Math.floor(room / startSlots)));

const roomsOf = ({ slow, quiet, unproven }: MerchantCalls): KindRooms => {
  const left = slowCallsOfMerchant - slow;
  const probes = Math.max(left, probesOfMerchant);
  return positive([left - unproven, probes - quiet, probes - unproven]);
};

const positive = ([slow, quiet, unproven]: KindRooms): KindRooms => [
  Math.max(0, slow),
  Math.max(0, quiet),
  Math.max(0, unproven),
];

const otherMerchantsRooms = roomsOf(noCalls());
