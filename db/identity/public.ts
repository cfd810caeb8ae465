/* The part of this domain that other domains may use. */
export { findAccounts, findTestRecipients, insertAccess, insertAccounts, readmitPeople } from './accounts';
export type { AccountRow } from './accounts';
