import type { Statement } from '../platform/statement';
import type { EndpointScope } from './endpoint-scope';
import type { PauseReason } from './vocabulary';

/** Pauses an endpoint at a user's request. If the endpoint is already paused, nothing changes. */
export const pauseEndpoint = (id: string): Statement<{ paused_reason: PauseReason; paused_at: string }> => ({
  text: `
    update webhook_endpoint set paused_reason = 'by_hand', paused_at = now(), paused_mailed_at = null
    where id = $1 and paused_reason is null and deleted_at is null
    returning paused_reason, paused_at`,
  values: [id],
});

/**
 * Ends the pause of an endpoint, whatever its reason. Waiting deliveries are sent, and the failure period starts over.
 */
export const resumeEndpoint = (id: string): Statement => ({
  text: `
    update webhook_endpoint set paused_reason = null, paused_at = null, paused_mailed_at = null, failing_since = null
    where id = $1 and paused_reason is not null`,
  values: [id],
});

export type Pause = {
  endpoint_id: string;
  merchant_id: string;
  merchant_name: string;
  environment: string;
  url: string;
  paused_reason: PauseReason;
  paused_at: string;
  failing_since: string | null;
  paused_mailed_at: string | null;
};

/** Returns the pause of an endpoint, or no row when the endpoint is not paused. */
export const findPause = (id: string): Statement<Pause> => ({
  text: `
    select e.id as endpoint_id, e.merchant_id, m.name as merchant_name, e.environment, e.url, e.paused_reason, e.paused_at,
      e.failing_since, e.paused_mailed_at
    from webhook_endpoint e join merchant m on m.id = e.merchant_id
    where e.id = $1 and e.paused_reason is not null and e.deleted_at is null`,
  values: [id],
});

/**
 * Records that the owners were notified of the pause that began at `pausedAt`. That time comes from `findPause`,
 * which returns times to the millisecond.
 */
export const recordPauseMail = (id: string, pausedAt: string): Statement => ({
  text: `
    update webhook_endpoint set paused_mailed_at = now()
    where id = $1 and date_trunc('milliseconds', paused_at) = $2::timestamptz and paused_mailed_at is null`,
  values: [id, pausedAt],
});

/**
 * Locks and returns the endpoint if it has been paused since `since` or earlier; if `since` is null, any pause
 * matches. No pause begins or ends while the row is locked. Like all times that statements return, `since` is precise
 * to the millisecond.
 */
export const lockPause = (endpointId: string, since: string | null): Statement => ({
  text: `
    select e.id from webhook_endpoint e
    where e.id = $1 and e.paused_reason is not null
      and ($2::timestamptz is null or date_trunc('milliseconds', e.paused_at) <= $2)
    for update`,
  values: [endpointId, since],
});

export type Owner = { id: string; name: string | null; email: string };

/**
 * Returns the people to notify of a merchant's problems: its active owners or, if there are none, its other staff; at
 * most 20.
 */
export const listOwners = (merchantId: string): Statement<Owner> => ({
  text: `
    with person as (
      select p.id, p.role from profile p
      where p.merchant_id = $1 and p.home_disabled_at is null and p.home_withdrawn_at is null
      union all
      select a.profile_id, a.role from merchant_access a where a.merchant_id = $1 and a.disabled_at is null
    ), active as (
      select p.id, p.name, p.email, person.role from person join profile p on p.id = person.id
      where person.role in ('merchant_owner', 'merchant') and p.activated_at is not null and p.disabled_at is null
    )
    select distinct id, name, email from active
    where role = 'merchant_owner' or not exists (select from active where role = 'merchant_owner')
    order by id limit 20`,
  values: [merchantId],
});

/** Lists endpoints that the platform paused and whose owners were not notified yet. */
export const listUnmailedPauses = (limitRows: number): Statement<EndpointScope> => ({
  name: 'list_unmailed_pauses',
  text: `
    select id as endpoint_id, merchant_id, environment from webhook_endpoint
    where paused_reason in ('failing', 'gone') and paused_mailed_at is null and deleted_at is null
    order by paused_at limit $1`,
  values: [limitRows],
});
