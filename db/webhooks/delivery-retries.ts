import type { ScopedEndpoint } from './scoped-endpoint';
import { claimedColumns, payloadSources } from './deliveries';
import type { ClaimedDelivery } from './deliveries';
import type { Statement } from '../platform/statement';

/** An endpoint that the scan of `listRetriesToStart` came by; `is_overdue` where its workflow is to be signalled. */
export type ScannedEndpoint = {
  endpoint_id: string;
  merchant_id: string | null;
  environment: string | null;
  is_overdue: boolean;
};

const isWaiting = `d.state = 'retried' and d.owner is null`;
const canBeSentTo = `e.enabled and e.paused_reason is null and e.deleted_at is null`;

/**
 * The next `limitEndpoints` endpoints behind `after` with deliveries that wait for their retry, and which of them are
 * overdue by `late_ms` without anybody at work on them. A loose index scan: it reads two entries of each endpoint, however
 * many wait.
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
 * Endpoints of which a dead `attemptDue` holds deliveries, some time after it was to be done: their next one takes them
 * back. What is in a hand is some hundred rows.
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
 * Lets waiting deliveries of an endpoint go out now: one, or with null the first `limitRows` that are not due. Those
 * attempted since `askedAt` are left alone.
 */
export const hurryRetries = (
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

/** A run of `attemptDue` when it claims. */
export type RetriesClaim = {
  owner: string;
  endpointId: string;
  /** Calls at a time, and those under way. */
  slots: number;
  inFlight?: number;
  /** What `holdRetries` answered last: a run that another one has followed claims nothing. Null: not asked. */
  until?: string | null;
};

/** What the loops have under way of the endpoint `e`; what they hold and have recorded is none of it. */
const loopsCalls = `(
  select count(*)::int from webhook_hand h cross join lateral unnest(h.delivery_ids, h.stamps) as held (id, stamp)
  cross join lateral (
    select from webhook_delivery d
    where d.id = held.id and d.endpoint_id = e.id and d.state = 'queued' and d.series * 100 + d.attempts = held.stamp
    limit 1
  ) d
)`;

/**
 * Takes in hand what is due of an endpoint's retries, no more than can be sent at once; none while it is paused, turned
 * off or deleted.
 *
 * An endpoint's own limit is split, never shared: one call is the loops' (of a limit of one none), and as many more as
 * they still have under way from before the run. Only a claim of a loop that was under way while the run began is not
 * seen by its first claim.
 */
export const claimRetried = (claim: RetriesClaim): Statement<ClaimedDelivery> => ({
  name: 'claim_retried',
  text: `
    with place as materialized (
      select e.id, e.version, case
        when e.in_flight_limit is null then $3::int
        else least($3::int, e.in_flight_limit - greatest(least(1, e.in_flight_limit - 1), ${loopsCalls}))
      end - $4::int as free
      from webhook_endpoint e
      where e.id = $2 and e.enabled and e.paused_reason is null and e.deleted_at is null
        and ($5::timestamptz is null or e.retrying_until = $5)
    ),
    picked as materialized (
      select d.id from place cross join lateral (
        select d.id from webhook_delivery d
        where d.endpoint_id = place.id and d.state = 'retried' and d.owner is null and d.next_attempt_at <= now()
        order by d.next_attempt_at, d.id limit greatest(0, place.free) for update skip locked
      ) d
    ),
    claimed as (
      update webhook_delivery d set owner = $1
      where d.id = any (array(select id from picked))
      returning d.*
    )
    select ${claimedColumns}, (select version from place) as version
    from claimed d ${payloadSources}`,
  values: [claim.owner, claim.endpointId, claim.slots, claim.inFlight ?? 0, claim.until ?? null],
});
