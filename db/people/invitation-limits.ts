import type { Statement } from '../platform/statement';

/**
 * Makes calls that mail invitations of the caller's merchant and environment wait for one another, and counts the mails
 * that each of these people got in the last 24 hours. People who are not known yet are left out.
 */
export const lockInvitations = (emailKeys: string[]): Statement<{ email_key: string; mailed: number }> => ({
  name: 'lock_invitations',
  text: 'select * from app.lock_invitations($1)',
  values: [emailKeys],
});

/** Team and coaching invitations that the merchant mailed in the last 24 hours in the caller's environment. */
export const countAccountInvitations: Statement<{ mailed: number }> = {
  name: 'count_account_invitations',
  text: 'select app.count_account_invitations() as mailed',
};
