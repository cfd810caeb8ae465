/* Other domains may import only what this file exports. */
export { findDirectoryOwner } from './catalogue';
export type { JobContent } from './jobs';
export { listPortalDomains } from './portal-catalogue';
