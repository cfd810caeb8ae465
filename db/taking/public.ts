/* Other domains may import only what this file exports. */
export { timeFactors } from './surroundings';
export type { TimeFactor } from './surroundings';
