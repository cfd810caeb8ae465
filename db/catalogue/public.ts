/* What other domains may use. */
export { findDirectoryOwner } from './catalogue';
export { listPortalDomains } from './portal-catalogue';
