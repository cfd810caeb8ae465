/* What other domains may use. */
export {
  findAccounts,
  findTestRecipients,
  insertAccess,
  insertAccounts,
  lockAccountInvitations,
} from './accounts';
export type { AccountRow } from './accounts';
