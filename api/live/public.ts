/* Exports that other domains may use. */
export type { LiveState, LowerStepReason, PageMessage, ServerMessage } from './protocol';
export { closeCodes, frameBytes, frameHeadBytes, frameMs, subprotocol } from './wire';
