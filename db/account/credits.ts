import type { Statement } from '../platform/statement';

/**
 * Reserves at most `wanted` invitations from the budget of the caller's merchant and returns how many were `granted`.
 * Locks the account.
 */
export const reserveInvitations = (wanted: number): Statement<{ granted: number }> => ({
  name: 'reserve_invitations',
  text: 'select app.reserve_invitations($1) as granted',
  values: [wanted],
});

/** Starts the next period of every account whose current period has ended. */
export const renewCreditAccounts: Statement = {
  name: 'renew_credit_accounts',
  text: 'select app.renew_credit_accounts(500)',
};
