/* Other domains may import only what this file exports. */
export type { TranscriptConfidence } from './attempt-work';
export { timeFactors } from './surroundings';
export type { TimeFactor } from './surroundings';
export { voiceSpeeds } from './speech';
export { beginLive, parseLiveBegun, recordListening } from './live';
export type { LiveAttempt } from './live';
