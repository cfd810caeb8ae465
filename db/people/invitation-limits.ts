import type { Statement } from '../platform/statement';

/**
 * Counts the mails that each of these people got in the last 24 hours; unknown people are left out. Other calls that
 * mail invitations of the caller's merchant and environment wait until the transaction ends.
 */
export const lockAndCountInvitations = (
  emailKeys: string[],
): Statement<{ email_key: string; mailed: number }> => ({
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
