import { isAfterCursor } from '../platform/page-place';
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

export const creditBuckets = ['monthly', 'extra', 'single', 'coaching'] as const;
export type CreditBucket = (typeof creditBuckets)[number];

type AddedCredits = { bucket: CreditBucket; amount: number; reason: string; positionId: string | null };

/**
 * Adds credits to the account of the caller's merchant, or takes some away. Returns the id of the entry and the balance
 * of the bucket after the entry has paid attempts that wait for credits, or no row if a balance would fall below 0.
 */
export const addCredits = (added: AddedCredits): Statement<{ id: string; balance: number }> => ({
  text: 'select * from app.add_credits($1, $2, $3, $4)',
  values: [added.bucket, added.amount, added.reason, added.positionId],
});

/** An entry of the ledger. `id` is null in the only row of an empty page. */
export type ListedCreditEntry = {
  place: unknown;
  total: number;
  /** False if the filter names a result that the caller cannot see. */
  is_known: boolean;
  id: string | null;
  bucket: CreditBucket;
  kind: 'grant' | 'renewal' | 'expiry' | 'charge' | 'refund';
  amount: number;
  balance_after: number;
  reason: string | null;
  /** Null for what the product does by itself. */
  actor: 'platform_admin' | 'platform_key' | null;
  position_id: string | null;
  /** Null if the result belongs to another environment than the caller's. */
  interview_result_id: string | null;
  attempt: number | null;
  created_at: string;
};

/** The caller sees only results of its environment, so the filter finds nothing for a result of another one. */
const matchesFilter = `e.merchant_id = app.merchant_id() and ($1::text is null or e.bucket = $1)
        and ($4::uuid is null or e.result_id = (
          select r.id from interview_result r where r.merchant_id = app.merchant_id() and r.id = $4
        )) and ${isAfterCursor('$5', { 'e.created_at': 'timestamptz', 'e.id': 'uuid' })}`;

/** SQL that selects what is shown of entries `e`. */
const shown = `select e.id, e.bucket, e.kind, e.amount, e.balance_after, e.reason, e.actor, e.position_id,
        (
          select r.id from interview_result r where r.merchant_id = e.merchant_id and r.id = e.result_id
        ) as interview_result_id, e.attempt, e.created_at, jsonb_build_array(e.created_at, e.id) as place`;

/** Reads entries as lists show them. */
export const findCreditEntries = (ids: readonly string[]): Statement<ListedCreditEntry & { id: string }> => ({
  name: 'find_credit_entries',
  text: `${shown} from credit_entry e where e.merchant_id = app.merchant_id() and e.id = any ($1)`,
  values: [ids],
});

/** Lists the entries of the ledger of the caller's merchant, newest first. */
export const listCreditEntries = (
  filter: {
    bucket?: CreditBucket | undefined;
    interview_result_id?: string | undefined;
    /** The place of a cursor, as JSON. */
    place?: string | null;
  },
  limitRows: number,
  offset: number,
): Statement<ListedCreditEntry> => ({
  text: `
    select counted.total, counted.is_known, page.*
    from (
      select count(*) as total, $4::uuid is null or exists (
        select from interview_result r where r.merchant_id = app.merchant_id() and r.id = $4
      ) as is_known
      from credit_entry e where ${matchesFilter}
    ) counted
    left join (
      ${shown}
      from (
        select * from credit_entry e where ${matchesFilter}
        order by created_at desc, id desc limit $2 offset $3
      ) e
    ) page on true
    order by page.created_at desc, page.id desc`,
  values: [
    filter.bucket ?? null,
    limitRows,
    offset,
    filter.interview_result_id ?? null,
    filter.place ?? null,
  ],
});
