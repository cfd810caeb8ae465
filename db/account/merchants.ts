import type { Statement } from '../platform/statement';

/* Accounts of merchants, as platform admins and service keys of the platform see and change them. */

type NewMerchant = { name: string; parentId: string | null; plan: string; timeZone: string };

/**
 * Creates a merchant, to which the rest of the transaction then belongs (`actForMerchant` ends that). `id` is null if the parent
 * is unknown or is a sub-merchant itself. Fails with SQLSTATE 22023 when Postgres does not know the time zone.
 */
export const createMerchant = ({
  name,
  parentId,
  plan,
  timeZone,
}: NewMerchant): Statement<{ id: string | null }> => ({
  text: 'select app.create_merchant($1, $2, $3, $4) as id',
  values: [name, parentId, plan, timeZone],
});

/** Makes the rest of the transaction belong to this merchant, or to none. */
export const actForMerchant = (merchantId: string | null): Statement => ({
  text: `select set_config('app.merchant_id', $1, true)`,
  values: [merchantId ?? ''],
});

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export type ListedMerchant = {
  id: string;
  name: string;
  parent_merchant_id: string | null;
  subscription_type: string;
  subscription_status: SubscriptionStatus | null;
  credits_interview_monthly_limit: number;
  credits_coaching_monthly_limit: number;
  credits_interview_monthly: number;
  credits_interview_extra: number;
  credits_interview_single: number;
  credits_coaching_monthly: number;
  created_at: string;
  total: number;
  place: unknown;
};

/**
 * Lists the merchants whose name contains the text or whose id it is. An empty text and a null plan are no filter. `total`
 * is the number of all matches.
 */
export const listMerchants = (
  filterText: string,
  plan: string | null,
  limitRows: number,
  offset: number,
  place: string | null,
): Statement<ListedMerchant> => ({
  name: 'list_merchants',
  text: 'select * from app.list_merchants($1, $2, $3, $4, $5)',
  values: [filterText, plan, limitRows, offset, place],
});

/** A change of an account. A value that is undefined stays as it is. */
export type AccountChange = {
  name: string | undefined;
  plan: string | undefined;
  subscriptionStatus: SubscriptionStatus | null | undefined;
  monthlyLimit: number | undefined;
  coachingLimit: number | undefined;
};
export type AccountColumn = 'name' | 'plan' | 'subscription_status' | 'monthly_limit' | 'coaching_limit';

/** Changes the account of the caller's merchant and returns what has changed. */
export const changeAccount = (change: AccountChange): Statement<{ changed: AccountColumn[] }> => ({
  text: 'select app.change_account($1, $2, $3, $4, $5, $6) as changed',
  values: [
    change.name ?? null,
    change.plan ?? null,
    change.subscriptionStatus !== undefined,
    change.subscriptionStatus ?? null,
    change.monthlyLimit ?? null,
    change.coachingLimit ?? null,
  ],
});
