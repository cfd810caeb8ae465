/* What other domains may use. */
export { reserveInvitations } from './credits';
