/** Of an endpoint, as far as anybody knows; the numbers are the claim's. `quiet`: it acknowledged what it got last. */
export const endpointKind = { answering: 0, slow: 1, quiet: 2, unproven: 3 } as const;
export type EndpointKind = (typeof endpointKind)[keyof typeof endpointKind];
/** Deliveries at most for endpoints that are slow, quiet, unproven. */
export type KindRooms = readonly [slow: number, quiet: number, unproven: number];

/** Who may have how much of a claim. */
export type ClaimShares = {
  /** Known endpoints, whose turn it is first: their free slots and calls under way. Others have `startSlots`. */
  endpointIds: readonly string[];
  slots: readonly number[];
  inFlight: readonly number[];
  startSlots: number;
  /** What is known of them; all others are `unproven`. */
  kinds: readonly EndpointKind[];
  /** Of all endpoints of a kind; `answering` has no limit. */
  kindRooms: KindRooms;
  /** Of those of one merchant: of these, and of any other. */
  merchantIds: readonly string[];
  merchantRooms: readonly KindRooms[];
  otherMerchantsRooms: KindRooms;
  /** Large payloads of slow and unproven endpoints begin while their merchant, and all of them, have some of these bytes left. */
  merchantBytes: readonly number[];
  otherMerchantsBytes: number;
  slowBytes: number;
};
