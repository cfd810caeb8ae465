/* Other domains may import only what this file exports. */
export { creditBuckets, reserveInvitations } from './credits';
export { findPortalDomain } from './merchant-settings';
