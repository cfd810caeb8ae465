import type { Statement } from '../platform/statement';

/** Takes up to so many invitations from the budget of the caller's merchant; answers `granted`. Locks the account. */
export const reserveInvitations = (wanted: number): Statement<{ granted: number }> => ({
  name: 'reserve_invitations',
  text: 'select app.reserve_invitations($1) as granted',
  values: [wanted],
});

/** Begins the next period of the accounts where it is due. */
export const renewCreditAccounts: Statement = {
  name: 'renew_credit_accounts',
  text: 'select app.renew_credit_accounts(500)',
};
