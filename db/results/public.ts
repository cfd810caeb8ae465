/* The part of this domain that other domains may use. */
export { coachStatuses, failedStatuses, resultStatuses } from './vocabulary';
