import type { ClaimShares } from '../../db/claim-shares';

/** A claim that knows nothing of anybody and limits no kind of endpoint. */
export const unknownEndpoints: ClaimShares = {
  endpointIds: [],
  slots: [],
  inFlight: [],
  startSlots: 4,
  kinds: [],
  kindRooms: [1_000, 1_000, 1_000],
  merchantIds: [],
  merchantRooms: [],
  otherMerchantsRooms: [1_000, 1_000, 1_000],
  merchantBytes: [],
  otherMerchantsBytes: 2 ** 30,
  slowBytes: 2 ** 30,
};
