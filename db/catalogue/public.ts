/* Other domains may import only what this file exports. */
export { findDirectoryOwner } from './catalogue';
export { listPortalDomains } from './portal-catalogue';
