/* The part of this domain that other domains may use. */
export { decideScore, findOpenRun, rescoreResult } from './requests';
export { scoringStates } from './vocabulary';
