import type { ScopedEndpoint } from './scoped-endpoint';
import type { PauseReason } from './vocabulary';
import type { Statement } from '../platform/statement';

/** Pauses an endpoint at somebody's wish; one that is paused already stays as it is. */
export const pauseEndpoint = (id: string): Statement<{ paused_reason: PauseReason; paused_at: string }> => ({
  text: `
    update webhook_endpoint set paused_reason = 'by_hand', paused_at = now(), paused_mailed_at = null
    where id = $1 and paused_reason is null and deleted_at is null
    returning paused_reason, paused_at`,
  values: [id],
});

/** Ends the pause of an endpoint, whatever its reason: what waits goes out, and its days of failures count anew. */
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

/** The pause of an endpoint; no row where it has none. */
export const findPause = (id: string): Statement<Pause> => ({
  text: `
    select e.id as endpoint_id, e.merchant_id, m.name as merchant_name, e.environment, e.url, e.paused_reason, e.paused_at,
      e.failing_since, e.paused_mailed_at
    from webhook_endpoint e join merchant m on m.id = e.merchant_id
    where e.id = $1 and e.paused_reason is not null and e.deleted_at is null`,
  values: [id],
});

/** Remembers that the owners know of the pause that began then, on the wire to the millisecond. */
export const recordPauseMail = (id: string, pausedAt: string): Statement => ({
  text: `
    update webhook_endpoint set paused_mailed_at = now()
    where id = $1 and date_trunc('milliseconds', paused_at) = $2::timestamptz and paused_mailed_at is null`,
  values: [id, pausedAt],
});

export type Owner = { id: string; name: string | null; email: string };

/** Who is to know of a merchant's troubles: its active owners, or where it has none its other staff; at most 20. */
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

/** Endpoints that the platform has paused some time ago and whose owners do not know it yet. */
export const listUnmailedPauses = (limitRows: number): Statement<ScopedEndpoint> => ({
  name: 'list_unmailed_pauses',
  text: `
    select id as endpoint_id, merchant_id, environment from webhook_endpoint
    where paused_reason in ('failing', 'gone') and paused_mailed_at is null and deleted_at is null
      and paused_at < now() - interval '5 seconds'
    order by paused_at limit $1`,
  values: [limitRows],
});
