/* Other domains may import only what this file exports. */
export { findAccounts, findTestRecipients, insertAccess, insertAccounts, restoreAccess } from './accounts';
export type { AccountRow } from './accounts';
