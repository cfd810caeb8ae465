import { sql } from '../platform/database';
import { isAfterCursor } from '../platform/page-place';
import type { Query, Statement } from '../platform/statement';
import type { Environment } from '../platform/vocabulary';
import { inState, newestInState } from './delivery-history';
import type { DeliveryState, PauseReason, webhookEvents } from './vocabulary';

/*
 * A merchant's webhook endpoints (docs/webhooks.md#endpoints). `headersContext` and `secretContext` return the
 * contexts for sealing custom headers and secrets.
 */

export const headersContext = (endpointId: string) => `webhook_endpoint/${endpointId}`;
export const secretContext = (secretId: string) => `webhook_secret/${secretId}`;

/** Makes other calls that count the endpoints of the merchant and environment wait until the transaction ends. */
export const lockEndpoints: Statement = {
  text: `select pg_advisory_xact_lock(hashtextextended('webhook endpoints ' || app.merchant_id() || ' ' || app.environment(), 0))`,
};

type NewEndpointIds = { endpoint_id: string; secret_id: string; count: number };

/**
 * Returns the ids for a new endpoint and its secret, and the current number of endpoints. Call it after
 * `lockEndpoints`.
 */
export const prepareEndpoint: Statement<NewEndpointIds> = {
  text: `
    select uuidv7() as endpoint_id, uuidv7() as secret_id, count(*)::int as count
    from webhook_endpoint where deleted_at is null`,
};

export type EndpointColumns = {
  url: string;
  events: string[];
  custom_headers_sealed: Buffer | null;
  timeout_seconds: number;
  description: string | null;
  enabled: boolean;
};

export const insertEndpoint = (id: string, columns: EndpointColumns): Query =>
  sql('webhook_endpoint').insert({ id, ...columns });

export type LockedEndpoint = EndpointColumns & {
  id: string;
  paused_reason: 'failing' | 'gone' | 'by_hand' | null;
  paused_at: string | null;
  has_retried: boolean;
};

/**
 * Counts the deliveries that wait at the endpoint `e`, up to the limit. The `order by` makes the planner use the index
 * with that order.
 */
const countWaiting = (state: 'queued' | 'retried', limit: string) =>
  `(select count(*) from (
      select from webhook_delivery d where d.endpoint_id = e.id and d.state = '${state}'
      order by d.next_attempt_at limit ${limit}
    ) counted)`;

/** Locks the endpoint until the transaction ends. Deleted endpoints are not found. */
export const lockEndpoint = (id: string): Statement<LockedEndpoint> => ({
  name: 'lock_endpoint',
  text: `
    select e.id, e.url, e.events, e.custom_headers_sealed, e.timeout_seconds, e.description, e.enabled, e.paused_reason,
      e.paused_at,
      ${countWaiting('retried', '1')} > 0 as has_retried
    from webhook_endpoint e where e.id = $1 and e.deleted_at is null for update of e`,
  values: [id],
});

/**
 * `isSendersBusiness` says whether the URL, headers or timeout change. If so, the version is raised, because the
 * sender caches endpoints by version. A new URL also ends the endpoint's streak of failures, and so does enabling the
 * endpoint.
 */
export const updateEndpoint = (
  id: string,
  columns: Partial<EndpointColumns>,
  isSendersBusiness: boolean,
): Query =>
  sql('webhook_endpoint')
    .where({ id })
    .update({
      ...columns,
      ...(isSendersBusiness ? { version: sql.raw('version + 1') } : {}),
      ...(columns.url !== undefined || columns.enabled === true ? { failing_since: null } : {}),
    });

export const deleteEndpoint = (id: string): Statement => ({
  text: 'update webhook_endpoint set deleted_at = now(), version = version + 1 where id = $1',
  values: [id],
});

/**
 * Cancels at most `limitRows` open deliveries of a deleted endpoint. Attempts in flight are still recorded. Deliveries locked by other transactions are left to the cleanup job, because waiting for the locks
 * could deadlock (docs/webhooks.md#lock-order).
 */
export const cancelDeliveries = (endpointId: string, limitRows: number): Statement => ({
  text: `
    update webhook_delivery set state = 'cancelled', finished_at = now(), next_attempt_at = null
    where state in ('queued', 'retried') and id in (
      select id from (
        select id from webhook_delivery where endpoint_id = $1 and state = 'queued'
        order by next_attempt_at limit $2 for update skip locked
      ) queued
      union all
      select id from (
        select id from webhook_delivery where endpoint_id = $1 and state = 'retried'
        order by next_attempt_at limit $2 for update skip locked
      ) retried
      limit $2
    )`,
  values: [endpointId, limitRows],
});

/**
 * Cancels deliveries of deleted endpoints that the deletion could not cancel, because another transaction had locked or
 * was inserting them. The worker runs this statement regularly.
 */
export const cancelDeliveriesOfDeletedEndpoints: Statement = {
  name: 'cancel_deliveries_of_deleted',
  text: `
    update webhook_delivery set state = 'cancelled', finished_at = now(), next_attempt_at = null
    where state in ('queued', 'retried') and id in (
      select d.id from webhook_endpoint e cross join lateral (
        (select id from webhook_delivery where endpoint_id = e.id and state = 'queued' order by next_attempt_at limit 20000)
        union all
        (select id from webhook_delivery where endpoint_id = e.id and state = 'retried' order by next_attempt_at limit 20000)
      ) d
      where e.deleted_at > now() - interval '7 days' limit 20000
    )`,
};

export const insertSecret = (id: string, endpointId: string, sealed: Buffer): Statement => ({
  text: 'insert into webhook_secret (id, endpoint_id, secret_sealed) values ($1, $2, $3)',
  values: [id, endpointId, sealed],
});

type NewSecretIds = { secret_id: string; previous_expires_at: string; live: number };

/**
 * Returns the id of the next secret, the time at which the older secrets will end, and how many secrets sign now.
 * Call it after `lockEndpoint`.
 */
export const prepareSecret = (endpointId: string, overlapHours: number): Statement<NewSecretIds> => ({
  text: `
    select uuidv7() as secret_id, now() + $2 * interval '1 hour' as previous_expires_at, count(*)::int as live
    from webhook_secret where endpoint_id = $1 and (expires_at is null or expires_at > now())`,
  values: [endpointId, overlapHours],
});

/**
 * Makes the secrets of an endpoint end at `expiresAt`, unless they end earlier. Raises the endpoint's version, so
 * that the sender reads the secrets again.
 */
export const endSecrets = (endpointId: string, expiresAt: string): Statement => ({
  text: `
    with raised as (update webhook_endpoint set version = version + 1 where id = $1)
    update webhook_secret set expires_at = $2
    where endpoint_id = $1 and (expires_at is null or expires_at > $2)`,
  values: [endpointId, expiresAt],
});

/** Inserts a delivery that sends a sample and is due now. Its reason is the name of the sample. */
export const insertTestDelivery = (endpointId: string, sample: string): Statement<{ id: string }> => ({
  text: `
    insert into webhook_delivery (endpoint_id, event, reason, triggered_by) values ($1, 'test', $2, app.caller_id())
    returning id`,
  values: [endpointId, sample],
});

/**
 * Wakes an idle sender. Use it only for requests by people, because the commit of a notification takes a lock on the
 * whole database.
 */
export const wakeSender: Statement = { text: `select pg_notify('webhook_delivery', '')` };

const newest = (state: DeliveryState) =>
  `(select d.id, d.series, d.finished_at from webhook_delivery d
    where ${inState('e.id', state)} order by ${newestInState} limit 5)`;

/**
 * The columns of an endpoint `e` with its health, computed from its newest deliveries. If none of these deliveries
 * failed, `last_failure_at` comes from `last_failed_at`, which is accurate only to the hour.
 */
const shownColumns = (waitingLimit: string) => `
  e.id, e.environment, e.url, e.events, e.description, e.timeout_seconds, e.enabled, e.paused_reason, e.paused_at,
  e.failing_since, e.created_at, e.updated_at,
  json_build_object('queued', ${countWaiting('queued', waitingLimit)}, 'retried', ${countWaiting('retried', waitingLimit)}) as waiting,
  (select max(n.finished_at) from ${newest('acknowledged')} n) as last_success_at,
  greatest(e.last_failed_at, (
    select max(a.started_at) from (${newest('retried')} union all ${newest('gave_up')} union all ${newest('acknowledged')}) n
    join webhook_attempt a on a.delivery_id = n.id and a.outcome <> 'acknowledged'
  )) as last_failure_at`;

/** An endpoint as lists return it. */
type EndpointRow = {
  id: string;
  environment: Environment;
  url: string;
  events: (typeof webhookEvents)[number][];
  description: string | null;
  timeout_seconds: number;
  enabled: boolean;
  paused_reason: PauseReason | null;
  paused_at: string | null;
  failing_since: string | null;
  waiting: { queued: number; retried: number };
  last_success_at: string | null;
  last_failure_at: string | null;
  created_at: string;
  updated_at: string;
};

/** Returns a page of the endpoints and the total. For an empty page, the query returns one row whose id is null. */
const listedEndpoints = `deleted_at is null and ${isAfterCursor('$4', { id: 'uuid' }, 'asc')}`;
export const listEndpoints = (
  limit: number,
  offset: number,
  waitingLimit: number,
  place: string | null,
): Statement<EndpointRow & { total: number; place: unknown }> => ({
  text: `
    select count.total, page.*, jsonb_build_array(page.id) as place from (
      select count(*)::int as total from webhook_endpoint where ${listedEndpoints}
    ) count
    left join (
      select ${shownColumns('$3')} from (
        select * from webhook_endpoint where ${listedEndpoints} order by id limit $1 offset $2
      ) e
    ) page on true
    order by page.id`,
  values: [limit, offset, waitingLimit, place],
});

/** Returns one endpoint with the secrets that its deliveries are signed with, newest first. */
export const getEndpoint = (
  id: string,
  waitingLimit: number,
): Statement<
  EndpointRow & {
    custom_headers_sealed: Buffer | null;
    secrets: { created_at: string; expires_at: string | null }[];
  }
> => ({
  text: `
    select ${shownColumns('$2')}, e.custom_headers_sealed, array(
      select json_build_object('created_at', s.created_at, 'expires_at', s.expires_at)
      from webhook_secret s where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())
      order by s.id desc
    ) as secrets
    from webhook_endpoint e where e.id = $1 and e.deleted_at is null`,
  values: [id, waitingLimit],
});
