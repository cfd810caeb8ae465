import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';
import { behindEndpoint, canBeSentTo } from './open-endpoints';
import { isReplay, renderedPayload } from './webhook-payload';

/** One leased delivery, with the data that its next attempt sends. */
export type LeasedDelivery = {
  id: string;
  merchant_id: string;
  environment: string;
  endpoint_id: string;
  /** The endpoint's version at the time of the lease. */
  version: number;
  event: string;
  series: number;
  /** The number of earlier attempts in this series. */
  attempts: number;
  /** Null for the test event. */
  payload: string | null;
  /** The name of the sample that a test event sends. Null for all other events. */
  sample: string | null;
  is_replay: boolean;
  /** Milliseconds since the delivery was created. */
  age_ms: number;
  /** The database's time when the delivery was leased, in seconds since 1970. The payload contains the same time. */
  now_s: number;
  /** The time at which the delivery became due, in seconds since 1970 by the database's clock. */
  due_s: number;
};

/**
 * SQL that is true if the delivery `d` is in the sender's queue: it waits for its first attempt, or the workflow of its
 * endpoint has released its retry. The index of the queue has the same condition.
 */
export const isInQueue = `(d.state = 'queued' or d.state = 'retried' and d.is_released)`;

/** The joins on which `leasedColumns` depends. */
const payloadSources = `
  left join lateral (
    select * from interview_result r where r.merchant_id = d.merchant_id and r.id = d.result_id limit 1
  ) r on true
  left join lateral (
    select * from enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id limit 1
  ) e on true`;
const leasedColumns = `d.id, d.version, d.merchant_id, d.environment, d.endpoint_id, d.event, d.series, d.attempts,
  ${renderedPayload} as payload, case when d.event = 'test' then d.reason end as sample, ${isReplay} as is_replay,
  extract(epoch from clock_timestamp() - d.created_at)::float8 * 1000 as age_ms,
  extract(epoch from statement_timestamp())::float8 as now_s, extract(epoch from d.next_attempt_at)::float8 as due_s`;

/** Returns a number that no other attempt of the same delivery has. */
export const stampOf = ({ series, attempts }: Pick<LeasedDelivery, 'series' | 'attempts'>): number =>
  series * 100 + attempts;

/** Returns the size of the body in bytes. The body of a sample counts as 0. */
export const bytesOf = ({ payload }: LeasedDelivery): number =>
  payload === null ? 0 : Buffer.byteLength(payload);

/** An endpoint with deliveries in the queue. The endpoint may be paused, disabled or deleted. */
export type QueuedEndpoint = {
  endpoint_id: string;
  merchant_id: string | null;
  in_flight_limit: number | null;
  /** True if the endpoint can be sent to and belongs to this shard. All workers must have the same number of shards. */
  is_ours: boolean;
};

/** A page of endpoints: the first `limitEndpoints` of the shard after the id `after`. */
export type EndpointPage = {
  shard: number;
  shards: number;
  after: string;
  limitEndpoints: number;
};

/**
 * Returns the next endpoints that have deliveries in the queue. A loose index scan reads one entry per endpoint,
 * however many deliveries wait.
 */
export const listQueuedEndpoints = ({
  shard,
  shards,
  after,
  limitEndpoints,
}: EndpointPage): Statement<QueuedEndpoint> => ({
  name: 'list_queued_endpoints',
  text: `
    with recursive due as (
      select 0 as n, $1::uuid as endpoint_id, $1::uuid as from_id, null::uuid as merchant_id, null::int as in_flight_limit,
        false as is_open
      union all
      select due.n + 1, next.endpoint_id, ${behindEndpoint}, e.merchant_id, e.in_flight_limit, coalesce(e.is_open, false)
      from due
      cross join lateral (
        select d.endpoint_id from webhook_delivery d
        where ${isInQueue} and d.endpoint_id > due.endpoint_id and d.endpoint_id >= due.from_id
        order by d.endpoint_id limit 1
      ) next
      left join lateral (
        select e.merchant_id, e.in_flight_limit, ${canBeSentTo} as is_open
        from webhook_endpoint e where e.id = next.endpoint_id limit 1
      ) e on true
      where due.n < $2
    )
    select endpoint_id, merchant_id, in_flight_limit,
      is_open and ($4 = 1 or abs(mod(hashtext(endpoint_id::text), $4)) = $3) as is_ours
    from due where n > 0 order by n`,
  values: [after, limitEndpoints, shard, shards],
});

/** How many deliveries to lease for one endpoint, as the sender has planned (activities/webhooks/sender/calls.ts). */
export type LeaseRequest = {
  endpoint_id: string;
  /** The maximum number of deliveries. */
  limit: number;
  /** Only deliveries that became due at this time or later are leased. In seconds since 1970. */
  watermark_s: number;
};

/**
 * Leases the next due deliveries of each chosen endpoint that is open, up to the limit in `LeaseRequest`, and renders
 * their bodies (docs/webhooks.md#the-sender).
 *
 * Each owner has one lease row, which lists the ids of its leased deliveries. This statement replaces the list with
 * the deliveries that the owner is still sending (`held`) and the new ones. If the reply is lost, the owner does not
 * know the new ones. The next call then removes them from the list and can lease them again.
 *
 * The rows of deliveries are not updated (measured: saves 45 µs each) and not locked, because only one sender at a
 * time leases for a shard. With `synchronous_commit` off, the commit does not wait for the disk: if Postgres crashes,
 * the lease may be lost, and the delivery is sent again without a record of the first attempt.
 */
export const leaseDue = (
  owner: string,
  requests: readonly LeaseRequest[],
  held: readonly LeasedDelivery[],
): Statement<LeasedDelivery> => ({
  name: 'lease_due',
  text: `
    with mine as materialized (select l.owner from webhook_lease l where l.owner = $1 for update),
    leased as materialized (
      select unnest(l.delivery_ids) as id from webhook_lease l where l.owner <> $1
      union all
      select unnest($5::uuid[])
    ),
    taken as materialized (
      select d.*, e.version
      from mine cross join unnest($2::uuid[], $3::int[], $4::float8[]) as one (endpoint_id, n, watermark)
      cross join lateral (
        select e.version from webhook_endpoint e where e.id = one.endpoint_id and ${canBeSentTo} limit 1
      ) e
      cross join lateral (
        select d.* from webhook_delivery d
        where ${isInQueue} and d.endpoint_id = one.endpoint_id
          and d.next_attempt_at between to_timestamp(one.watermark) and now()
          and d.id not in (select leased.id from leased)
        order by d.next_attempt_at limit one.n
      ) d
    ),
    kept as (
      update webhook_lease l set delivery_ids = $5::uuid[] || array(select t.id from taken t),
        stamps = $6::int[] || array(select t.series * 100 + t.attempts from taken t)
      where l.owner = $1
    )
    select ${leasedColumns}
    from (select set_config('synchronous_commit', 'off', true)) always cross join taken d ${payloadSources}`,
  values: [
    owner,
    ...columnsOf(requests, 'endpoint_id', 'limit', 'watermark_s'),
    held.map(({ id }) => id),
    held.map(stampOf),
  ],
});
