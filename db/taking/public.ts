/* Other domains may import only what this file exports. */
export type { Confidence } from './attempt-work';
export { timeFactors } from './surroundings';
export type { TimeFactor } from './surroundings';
export { voiceSpeeds } from './speech';
export { beginLive, readLiveBegun, recordListening } from './live';
export type { LiveAttempt } from './live';
