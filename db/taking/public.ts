/* The part of this domain that other domains may use. */
export { timeFactors } from './surroundings';
export type { TimeFactor } from './surroundings';
