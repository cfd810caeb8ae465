/* Other domains may import only what this file exports. */
export { findDirectoryOwner } from './catalogue';
export type { JobContent, Recordings } from './jobs';
export { listPortalDomains } from './portal-catalogue';
