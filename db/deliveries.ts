import { estimatedPayloadBytes, renderedPayload } from './webhook-payload';
import type { Statement } from './scope';

/** One delivery in hand, with what its next attempt sends. */
export type ClaimedDelivery = {
  id: string;
  merchant_id: string;
  environment: string;
  endpoint_id: string;
  /** Of the endpoint, when it was claimed. */
  version: number;
  event: string;
  series: number;
  /** Made before in this series. */
  attempts: number;
  /** Null for the test event. */
  payload: string | null;
  /** Since it was born, in milliseconds. */
  age_ms: number;
  /** Seconds since 1970 by the database's clock. */
  now_s: number;
};

/** A row of a claim: the first one always comes, without a delivery where there was none to claim. */
export type ClaimRow = { [Key in keyof ClaimedDelivery]: ClaimedDelivery[Key] | null } & {
  /** Since when it was due, in seconds since 1970 by the database's clock. */
  due_s: number | null;
  /** Where to go on, when the claim ended before the last endpoint; else null. */
  resume_after: string | null;
  /** Endpoints whose due deliveries were too large for what was left of `limitBytes`. */
  too_large: string[];
};

export type ClaimLimits = {
  owner: string;
  shard: number;
  shards: number;
  /** Deliveries at most. */
  limitRows: number;
  /** Of payloads above `smallBytes`, in all; the others are bound by their number. */
  limitBytes: number;
  /** The first of those is taken however large it is. */
  takesOneLarge: boolean;
  /** Endpoints looked at, at most. */
  limitEndpoints: number;
  /** Looks at endpoints behind this one only. */
  after: string;
  /** Only deliveries of these ids, so that other months' partitions are left alone; `before` is not among them. */
  from: string;
  before: string;
  /** Known endpoints, their free slots and calls under way; others have `startSlots`. */
  endpointIds: readonly string[];
  slots: readonly number[];
  inFlight: readonly number[];
  /** Of other endpoints than those that are marked here, so many deliveries in all. */
  isProven: readonly boolean[];
  limitUnproven: number;
  /** What the owner has in hand already, with the stamps of it; what was in its hand beside is nobody's again. */
  heldIds: readonly string[];
  heldStamps: readonly number[];
  startSlots: number;
  /** Endpoints, in their order and behind `after`, and since when at the earliest what is claimed of them is due, in seconds since 1970. */
  floorIds: readonly string[];
  floors: readonly number[];
};

/** Payloads up to here are never counted: 100 of them are 3 MiB. */
export const smallBytes = 32 * 1024;

const isDue = `d.state = 'queued' and d.owner is null and d.id >= $7 and d.id < $8`;
/** Beside a delivery `d`, what `claimedColumns` reads. */
export const payloadSources = `
  left join lateral (
    select * from interview_result r where r.merchant_id = d.merchant_id and r.id = d.result_id limit 1
  ) r on true
  left join lateral (
    select * from enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id limit 1
  ) e on true`;
/** A `ClaimedDelivery` but for its version. */
export const claimedColumns = `d.id, d.merchant_id, d.environment, d.endpoint_id, d.event, d.series, d.attempts,
  ${renderedPayload} as payload, extract(epoch from clock_timestamp() - d.created_at)::float8 * 1000 as age_ms,
  extract(epoch from clock_timestamp())::float8 as now_s`;

/** What tells an attempt from the others of its delivery. */
export const stampOf = ({ series, attempts }: Pick<ClaimedDelivery, 'series' | 'attempts'>): number =>
  series * 100 + attempts;

/**
 * Takes in hand what is due of one shard's endpoints, endpoint by endpoint in the order of their ids, of each no more
 * than its free slots, and renders what to send (design/webhooks.md). The endpoints come from a loose index scan, which
 * reads one entry each however many deliveries wait, and only as far as the limit needs, and from `floorIds`, which it
 * reads nothing of: what was delivered leaves entries that have to be read again and again while an old snapshot is open.
 * An `attemptDue` that is at work leaves one slot. An owner whose hand is gone, because it was taken for dead, gets nothing.
 *
 * The hand is one row of all that the owner holds: deliveries themselves are not written to (measured: 45 µs less for
 * each), and only one loop at a time claims of a shard, so that they need no lock. Nobody waits for the disk either: the
 * hand is for a worker that dies, and only where Postgres dies in the same fraction of a second is it lost.
 *
 * What would be too many bytes is left before anything of it is rendered, or even read: the length of a text that is
 * stored apart stands in its row.
 */
export const claimQueued = (limits: ClaimLimits): Statement => ({
  name: 'claim_queued',
  text: `
    with recursive hand as materialized (
      select h.owner from webhook_hand h where h.owner = $1 for update
    ),
    held as materialized (
      select one.id, one.stamp from webhook_hand h cross join lateral unnest(h.delivery_ids, h.stamps) as one (id, stamp)
      union all
      -- Also when Postgres has forgotten the hand in a crash of its own.
      select * from unnest($13::uuid[], $14::int[])
    ),
    due as (
      select 0 as n, $6::uuid as endpoint_id, timestamptz '-infinity' as floor, 1 as at from hand
      union all
      select due.n + 1, coalesce(other.endpoint_id, known.endpoint_id),
        case when other.endpoint_id is null then known.floor else '-infinity' end,
        case when other.endpoint_id is null then due.at + 1 else due.at end
      from due
      cross join lateral (select ($19::uuid[])[due.at] as endpoint_id, to_timestamp(($20::float8[])[due.at]) as floor) known
      left join lateral (
        select d.endpoint_id from webhook_delivery d
        where ${isDue} and d.endpoint_id > due.endpoint_id
          and d.endpoint_id < coalesce(known.endpoint_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by d.endpoint_id limit 1
      ) other on true
      where due.n < $5 and coalesce(other.endpoint_id, known.endpoint_id) is not null
    ),
    picked as materialized (
      select one.*, e.version, e.is_proven from due
      cross join lateral (
        select e.version, e.enabled and e.paused_reason is null and e.deleted_at is null as is_open, case
          when e.retrying_until > now() then least(known.slots, case e.in_flight_limit when 1 then 0 else 1 end - known.in_flight)
          else least(known.slots, e.in_flight_limit - known.in_flight)
        end as slots, known.is_proven
        from webhook_endpoint e, (
          select coalesce(($10::int[])[at], $11) as slots, coalesce(($12::int[])[at], 0) as in_flight,
            coalesce(($17::bool[])[at], false) as is_proven
          from (select array_position($9::uuid[], due.endpoint_id) as at) known
        ) known
        where e.id = due.endpoint_id
        limit 1
      ) e
      cross join lateral (
        select d.* from webhook_delivery d
        where ${isDue} and d.endpoint_id = due.endpoint_id and d.next_attempt_at between due.floor and now()
          and (d.id, d.series * 100 + d.attempts) not in (select held.id, held.stamp from held)
        order by d.next_attempt_at limit greatest(0, e.slots)
      ) one
      where due.n > 0 and e.is_open and ($3 = 1 or abs(mod(hashtext(due.endpoint_id::text), $3)) = $2)
      limit $4
    ),
    sized as materialized (
      select s.*, s.large = 0 or s.through <= $15 or (s.through = s.large and $16) as fits,
        s.is_proven or s.unproven <= $18 as has_room
      from (
        select l.*, sum(l.large) over (rows unbounded preceding) as through,
          count(*) filter (where not l.is_proven) over (rows unbounded preceding) as unproven from (
          select p.*, case when r.bytes > ${smallBytes} then r.bytes else 0 end as large
          from picked p left join lateral (
            select ${estimatedPayloadBytes} as bytes from interview_result r
            where r.merchant_id = p.merchant_id and r.id = p.result_id limit 1
          ) r on true
        ) l
      ) s
    ),
    taken as materialized (select * from sized where fits and has_room),
    kept as (
      update webhook_hand h set delivery_ids = $13::uuid[] || array(select t.id from taken t),
        stamps = $14::int[] || array(select t.series * 100 + t.attempts from taken t)
      where h.owner = $1
    )
    select ${claimedColumns}, d.version, extract(epoch from d.next_attempt_at)::float8 as due_s,
      case when (select count(*) from picked) < $4 then (select endpoint_id from due where n = $5)
        else (select endpoint_id from picked order by endpoint_id desc limit 1) end as resume_after,
      array(select distinct endpoint_id from sized where not fits) as too_large
    from (select set_config('synchronous_commit', 'off', true)) always left join taken d on true ${payloadSources}`,
  values: [
    limits.owner,
    limits.shard,
    limits.shards,
    limits.limitRows,
    limits.limitEndpoints,
    limits.after,
    limits.from,
    limits.before,
    limits.endpointIds,
    limits.slots,
    limits.startSlots,
    limits.inFlight,
    limits.heldIds,
    limits.heldStamps,
    limits.limitBytes,
    limits.takesOneLarge,
    limits.isProven,
    limits.limitUnproven,
    limits.floorIds,
    limits.floors,
  ],
});
