/* The part of this domain that other domains may use. */
export { findDirectoryOwner } from './catalogue';
export { listPortalDomains } from './portal-catalogue';
