import type { Statement } from '../platform/statement';
import type { EndpointScope } from './endpoint-scope';
import { canBeSentTo } from './open-endpoints';

/*
 * Retries wait with the state `retried` until the workflow of their endpoint releases them. A released retry is in the
 * sender's queue (`isInQueue` in deliveries.ts).
 */

const isWaiting = `d.state = 'retried' and not d.is_released`;

/** Releases retries of an open endpoint that are due, at most `limitRows`. */
export const releaseDueRetries = (endpointId: string, limitRows: number): Statement => ({
  name: 'release_due_retries',
  text: `
    update webhook_delivery d set is_released = true
    where ${isWaiting} and d.id = any (array(
      select d.id from (select e.id from webhook_endpoint e where e.id = $1 and ${canBeSentTo}) endpoint
      cross join lateral (
        select d.id from webhook_delivery d
        where d.endpoint_id = endpoint.id and ${isWaiting} and d.next_attempt_at <= now()
        order by d.next_attempt_at, d.id limit $2 for update skip locked
      ) d
    ))`,
  values: [endpointId, limitRows],
});

/** The deliveries of an endpoint that failed and have not ended, and whether the endpoint can be sent to. */
export type RetryState = {
  /** The number of retries that wait to be released. */
  waiting: number;
  /** The number of retries that are in the sender's queue or in flight. */
  in_progress: number;
  /** Milliseconds until the earliest waiting retry is due: 0 if it is due now, null if none waits. */
  next_due_in_ms: number | null;
  /** How the last attempt of the delivery with the earliest retry ended, such as `HTTP 500`. Null if none waits. */
  last_failure: string | null;
  paused_reason: string | null;
  /** True if the endpoint is neither paused nor disabled nor deleted. */
  is_open: boolean;
};

/** Returns the state of an endpoint's retries, with zeros if the endpoint does not exist. */
export const findRetries = (endpointId: string): Statement<RetryState> => ({
  name: 'find_retries',
  text: `
    select count.waiting, count.in_progress, e.paused_reason,
      coalesce(${canBeSentTo}, false) as is_open,
      case when next.last_outcome = 'refused' then 'HTTP ' || next.last_status else replace(next.last_outcome, '_', ' ') end as last_failure,
      case when next.next_attempt_at is not null then
        greatest(0, ceil(extract(epoch from next.next_attempt_at - clock_timestamp()) * 1000))::float8
      end as next_due_in_ms
    from (select $1::uuid as id) one
    left join webhook_endpoint e on e.id = one.id
    cross join lateral (
      select (count(*) filter (where not d.is_released))::int as waiting,
        (count(*) filter (where d.is_released))::int as in_progress
      from webhook_delivery d where d.endpoint_id = one.id and d.state = 'retried'
    ) count
    left join lateral (
      select d.next_attempt_at, d.last_outcome, d.last_status from webhook_delivery d
      where d.endpoint_id = one.id and ${isWaiting} order by d.next_attempt_at, d.id limit 1
    ) next on true`,
  values: [endpointId],
});

/**
 * Lists the next `limitRows` open endpoints after the id `after` that have a due retry that is not released. A loose
 * index scan reads a few entries per endpoint, however many deliveries wait.
 */
export const listDueRetries = (after: string, limitRows: number): Statement<EndpointScope> => ({
  name: 'list_due_retries',
  text: `
    with recursive retried as (
      select $1::uuid as endpoint_id
      union all
      select next.endpoint_id from retried cross join lateral (
        select d.endpoint_id from webhook_delivery d where d.state = 'retried' and d.endpoint_id > retried.endpoint_id
        order by d.endpoint_id limit 1
      ) next
    )
    select e.id as endpoint_id, e.merchant_id, e.environment from retried r cross join lateral (
      select e.id, e.merchant_id, e.environment from webhook_endpoint e
      where e.id = r.endpoint_id and ${canBeSentTo} and (
        select d.next_attempt_at from webhook_delivery d where d.endpoint_id = e.id and ${isWaiting}
        order by d.next_attempt_at, d.id limit 1
      ) <= now()
      limit 1
    ) e
    where r.endpoint_id > $1 limit $2`,
  values: [after, limitRows],
});

/**
 * Makes waiting retries of the endpoint due now: the one with the given id, or the first `limitRows` if the id is
 * null. Skips deliveries that were attempted after `askedAt`.
 */
export const makeRetriesDue = (
  endpointId: string,
  deliveryId: string | null,
  askedAt: string,
  limitRows: number,
): Statement => ({
  text: `
    update webhook_delivery d set next_attempt_at = now()
    where ${isWaiting} and d.id in (
      select d.id from webhook_delivery d
      where ${isWaiting} and d.endpoint_id = $1 and d.next_attempt_at > now() and ($2::uuid is null or d.id = $2)
        and not exists (
          select from webhook_attempt a
          where a.merchant_id = d.merchant_id and a.delivery_id = d.id and a.series = d.series and a.attempt = d.attempts
            and a.started_at >= $3
        )
      order by d.next_attempt_at limit $4 for update of d
    )`,
  values: [endpointId, deliveryId, askedAt, limitRows],
});
