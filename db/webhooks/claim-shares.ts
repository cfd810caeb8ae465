/**
 * What is known of an endpoint. The numbers are used in the claim statement. A `quiet` endpoint acknowledged its latest
 * request.
 */
export const endpointKind = { answering: 0, slow: 1, quiet: 2, unproven: 3 } as const;
export type EndpointKind = (typeof endpointKind)[keyof typeof endpointKind];
/** The maximum number of deliveries for slow, quiet and unproven endpoints. */
export type KindRooms = readonly [slow: number, quiet: number, unproven: number];

/** How a claim is shared among endpoints and merchants. */
export type ClaimShares = {
  /**
   * Known endpoints in the order of their turn, with the free concurrency and the calls in flight of each. All others get
   * `startSlots`.
   */
  endpointIds: readonly string[];
  slots: readonly number[];
  inFlight: readonly number[];
  startSlots: number;
  /** The kinds of the known endpoints. All others are `unproven`. */
  kinds: readonly EndpointKind[];
  /** The limit for all endpoints of a kind. `answering` has none. */
  kindRooms: KindRooms;
  /** The limits per merchant: for these merchants, and for any other. */
  merchantIds: readonly string[];
  merchantRooms: readonly KindRooms[];
  otherMerchantsRooms: KindRooms;
  /**
   * A large payload of a slow or unproven endpoint is claimed only while some of these bytes are left, for its merchant and
   * in total.
   */
  merchantBytes: readonly number[];
  otherMerchantsBytes: number;
  slowBytes: number;
};
