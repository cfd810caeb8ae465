/* The part of this domain that other domains may use. */
export { createCallRecorder } from './model-calls';
export type { AttemptOfCall, CallRecorder } from './model-calls';
export { measureRecording } from './media-thread';
