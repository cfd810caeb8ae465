import type { Statement } from './scope';

/**
 * Records what the caller does, in the transaction that does it: merchant, environment, actor and its role come from the
 * scope. `act` is the operation's name; `details` hold what changed, never a secret. Callers need a merchant.
 */
export const recordAct = (
  act: string,
  subjectId: string | null,
  details: Record<string, unknown> = {},
): Statement => ({
  name: 'record_act',
  text: 'insert into audit_entry (act, subject_id, details) values ($1, $2, $3)',
  values: [act, subjectId, JSON.stringify(details)],
});

export type Act = {
  id: string;
  act: string;
  subject_id: string | null;
  details: Record<string, unknown>;
  created_at: string;
  actor_role: string;
  /** Of a person of the merchant, or of a key of it; null for a platform admin, an operator or a platform key. */
  actor_name: string | null;
  total: number;
};

/** What was done at the caller's merchant, the latest first. */
export const listActs = (limitRows: number, offset: number): Statement => ({
  name: 'list_acts',
  text: `
    select a.id, a.act, a.subject_id, a.details, a.created_at, a.actor_role, (count(*) over ())::int as total,
      coalesce(p.name, p.email, k.name) as actor_name
    from audit_entry a
    left join profile p on p.id = a.actor_id and p.merchant_id = a.merchant_id
    left join service_key k on k.id = a.actor_id and k.merchant_id = a.merchant_id
    where a.merchant_id = app.merchant_id() and a.environment = app.environment()
    order by a.id desc limit $1 offset $2`,
  values: [limitRows, offset],
});
