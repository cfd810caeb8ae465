import type { Statement } from '../platform/statement';

/**
 * Reserves at most `wanted` invitations from the budget of the caller's merchant and returns how many were `granted`.
 * The credit account stays locked until the transaction ends.
 */
export const reserveInvitations = (wanted: number): Statement<{ granted: number }> => ({
  name: 'reserve_invitations',
  text: 'select app.reserve_invitations($1) as granted',
  values: [wanted],
});

/** Starts the next period of accounts whose current period has ended, at most 500 per call. */
export const renewCreditAccounts: Statement = {
  name: 'renew_credit_accounts',
  text: 'select app.renew_credit_accounts(500)',
};
