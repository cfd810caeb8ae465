/* Exports that other domains may use. */
export type { LiveState, LowerReason, PageMessage, ServerMessage } from './protocol';
export { closeCodes, frameBytes, frameHeadBytes, frameMs, subprotocol } from './wire';
