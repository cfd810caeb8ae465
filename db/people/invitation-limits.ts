import type { Statement } from '../platform/statement';

/**
 * Serializes the calls that mail invitations of the caller's merchant and environment, and counts the mails that each
 * person got in the last 24 hours. Unknown people are left out.
 */
export const lockInvitations = (emailKeys: string[]): Statement<{ email_key: string; mailed: number }> => ({
  name: 'lock_invitations',
  text: 'select * from app.lock_invitations($1)',
  values: [emailKeys],
});

/**
 * Counts the team and coaching invitations that the merchant mailed in the last 24 hours in the caller's environment.
 */
export const countAccountInvitations: Statement<{ mailed: number }> = {
  name: 'count_account_invitations',
  text: 'select app.count_account_invitations() as mailed',
};
