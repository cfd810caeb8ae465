/* The part of this domain that other domains may use. */
export { reserveInvitations } from './credits';
export { findPortalDomain } from './merchant-settings';
