/* The part of this domain that other domains may use. */
export { coachStatuses, resultStatuses } from './vocabulary';
