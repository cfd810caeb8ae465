import type { ClaimShares, KindRooms } from '../../../db/webhooks/claim-shares';
import { startSlots } from './place';

/** Of the slow pool, what is claimed for it. */
export const slowCalls = 1_000;
/** Of large payloads; one may exceed it. */
export const slowBytes = 32 * 2 ** 20;
const slowBytesOfMerchant = 4 * 2 ** 20;
const slowCallsOfMerchant = 20;
/** Above that, what a merchant has of the window finds out whom of its endpoints to send to. */
const probesOfMerchant = 10;
/**
 * Of the window, for endpoints without an answer in the last second, a few each: the others have the rest, whoever falls
 * silent. Who acknowledged its last call has places of its own: it need not wait behind those that never did.
 */
const quietCalls = 30;
const unprovenCalls = 30;

/** What a merchant has under way but for endpoints that answer; the bytes are large payloads of slow and unproven ones. */
export type MerchantCalls = { slow: number; quiet: number; unproven: number; largeBytes: number };

export const noCalls = (): MerchantCalls => ({ slow: 0, quiet: 0, unproven: 0, largeBytes: 0 });

/** What may be claimed, in all and for each merchant, where this is under way. */
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

/** Calls at a time for one endpoint that is quiet or unproven: of little room each gets little. */
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
