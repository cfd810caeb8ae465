import type { Statement } from '../platform/statement';
import { claimedColumns, payloadSources } from './deliveries';
import type { ClaimedDelivery } from './deliveries';
import { canBeSentTo } from './open-endpoints';
import type { ScopedEndpoint } from './scoped-endpoint';

/** An endpoint that the scan of `listRetriesToStart` visited. `is_overdue` means that its workflow needs a signal. */
export type ScannedEndpoint = {
  endpoint_id: string;
  merchant_id: string | null;
  environment: string | null;
  is_overdue: boolean;
};

const isWaiting = `d.state = 'retried' and d.owner is null`;

/**
 * Lists the next `limitEndpoints` endpoints after the id `after` that have deliveries waiting for a retry.
 * `is_overdue` is true if the earliest retry is more than `lateMs` late and no retry run works on the endpoint. A
 * loose index scan reads two entries per endpoint, however many deliveries wait.
 */
export const listRetriesToStart = (
  after: string,
  limitEndpoints: number,
  lateMs: number,
): Statement<ScannedEndpoint> => ({
  name: 'list_retries_to_start',
  text: `
    with recursive waiting as (
      select 1 as n, first.* from (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d where ${isWaiting} and d.endpoint_id > $1
        order by d.endpoint_id, d.next_attempt_at limit 1
      ) first
      union all
      select waiting.n + 1, next.* from waiting cross join lateral (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d where ${isWaiting} and d.endpoint_id > waiting.endpoint_id
        order by d.endpoint_id, d.next_attempt_at limit 1
      ) next
      where waiting.n < $2
    )
    select w.endpoint_id, e.merchant_id, e.environment, e.id is not null as is_overdue
    from waiting w left join lateral (
      select e.id, e.merchant_id, e.environment from webhook_endpoint e
      where e.id = w.endpoint_id and ${canBeSentTo} and (e.retrying_until is null or e.retrying_until < now())
        and w.next_attempt_at < now() - $3 * interval '1 ms'
      limit 1
    ) e on true
    order by w.n`,
  values: [after, limitEndpoints, lateMs],
});

/**
 * Lists endpoints with deliveries that are still leased to a retry run (an activity `attemptDue`) that has died. The
 * next run reclaims these deliveries. The scan is cheap, because only some hundred rows are leased at any time.
 */
export const listAbandonedRetries: Statement<ScopedEndpoint> = {
  name: 'list_abandoned_retries',
  text: `
    select e.id as endpoint_id, e.merchant_id, e.environment from (
      select distinct d.endpoint_id from webhook_delivery d where d.owner is not null and d.state = 'retried'
    ) held
    cross join lateral (
      select * from webhook_endpoint e
      where e.id = held.endpoint_id and e.deleted_at is null
        and (e.retrying_until is null or e.retrying_until < now() - interval '10 seconds')
      limit 1
    ) e
    limit 100`,
};

/**
 * Makes waiting deliveries of the endpoint due now: the one with the given id, or the first `limitRows` if the id is
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
    where d.state = 'retried' and d.owner is null and d.id in (
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

/** The parameters of a claim by a retry run (`attemptDue`). */
type RetriesClaim = {
  owner: string;
  endpointId: string;
  /**
   * `limit` is the maximum number of concurrent calls that the run makes, and `inFlight` the number it is making now.
   */
  limit: number;
  inFlight?: number;
  /**
   * The `until` that `holdRetries` last returned. If another run has replaced this one, the claim leases nothing.
   * Null skips this check.
   */
  until?: string | null;
};

/**
 * SQL for the number of calls that the senders have in flight to the endpoint `e`. Leased deliveries whose outcome is
 * already recorded do not count.
 */
const senderCalls = `(
  select count(*)::int from webhook_lease l cross join lateral unnest(l.delivery_ids, l.stamps) as held (id, stamp)
  cross join lateral (
    select from webhook_delivery d
    where d.id = held.id and d.endpoint_id = e.id and d.state = 'queued' and d.series * 100 + d.attempts = held.stamp
    limit 1
  ) d
)`;

/**
 * Leases due retries of an endpoint, at most as many as can be sent at the same time. Leases none while the endpoint
 * is paused, disabled or deleted.
 *
 * If the endpoint has a concurrency limit, the run uses only what the senders' calls in flight leave free, and always
 * leaves the senders at least one call (none if the limit is one). The run's first claim does not count deliveries
 * that a sender was claiming when the run began.
 */
export const claimRetried = (claim: RetriesClaim): Statement<ClaimedDelivery> => ({
  name: 'claim_retried',
  text: `
    with endpoint as materialized (
      select e.id, e.version, case
        when e.in_flight_limit is null then $3::int
        else least($3::int, e.in_flight_limit - greatest(least(1, e.in_flight_limit - 1), ${senderCalls}))
      end - $4::int as free
      from webhook_endpoint e
      where e.id = $2 and ${canBeSentTo}
        and ($5::timestamptz is null or e.retrying_until = $5)
    ),
    picked as materialized (
      select d.id from endpoint cross join lateral (
        select d.id from webhook_delivery d
        where d.endpoint_id = endpoint.id and d.state = 'retried' and d.owner is null and d.next_attempt_at <= now()
        order by d.next_attempt_at, d.id limit greatest(0, endpoint.free) for update skip locked
      ) d
    ),
    claimed as (
      update webhook_delivery d set owner = $1
      where d.id = any (array(select id from picked))
      returning d.*
    )
    select ${claimedColumns}, (select version from endpoint) as version
    from claimed d ${payloadSources}`,
  values: [claim.owner, claim.endpointId, claim.limit, claim.inFlight ?? 0, claim.until ?? null],
});
