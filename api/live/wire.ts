/* The numbers of the protocol (`protocol.ts`). The page uses them too, so this file imports nothing. */

/** The subprotocol that the server selects. */
export const subprotocol = 'live.v1';
/** The length of a binary message in bytes. */
export const frameBytes = 964;
/** The bytes of a frame before its sound. */
export const frameHeadBytes = 4;
/** The milliseconds of sound in a frame. */
export const frameMs = 20;
/** The most bytes of a message from the page, and so of its JSON. */
export const maxMessageBytes = 4_096;

/** The most bytes that may wait to be sent over a socket. A slower reader is disconnected. */
export const maxBacklogBytes = 256 * 1_024;

/** The codes with which the server closes the socket. */
export const closeCodes = {
  /** The attempt has ended, or the candidate chose a lower step. The page does not connect again. */
  done: 1000,
  /** The process stops, or has too little memory for the socket's backlog. The page connects again at once. */
  restart: 1012,
  /** A message broke the rules of this file. The page does not connect again and goes on at the lower step. */
  invalid: 1008,
  /** Another page, tab or connection of this attempt has taken over. The page does not connect again. */
  replaced: 4001,
  /** The link does not work any more. The page loads the server's page, which says why. */
  revoked: 4003,
} as const;
