import type { ClaimShares } from '../../db/webhooks/claim-shares';
import type { ClaimLimits } from '../../db/webhooks/deliveries';

/** Shares of a claim that knows no endpoints and limits no kind of endpoint. */
const unknownEndpoints: ClaimShares = {
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

/** A claim of the only shard that looks at every endpoint and every month, without leases and due watermarks. */
export const wideClaim: Omit<ClaimLimits, 'owner'> = {
  ...unknownEndpoints,
  shard: 0,
  shards: 1,
  limitRows: 100,
  limitBytes: 2 ** 20,
  takesOneLarge: false,
  limitEndpoints: 256,
  after: '00000000-0000-0000-0000-000000000000',
  from: '00000000-0000-0000-0000-000000000000',
  before: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  heldIds: [],
  heldStamps: [],
  floorIds: [],
  floors: [],
};
