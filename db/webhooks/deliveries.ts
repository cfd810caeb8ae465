import { endpointKind } from './claim-shares';
import type { ClaimShares } from './claim-shares';
import { estimatedPayloadBytes, isReplay, renderedPayload } from './webhook-payload';
import { behindEndpoint } from './open-endpoints';
import type { Statement } from '../platform/statement';

/** One leased delivery, with the data that its next attempt sends. */
export type ClaimedDelivery = {
  id: string;
  merchant_id: string;
  environment: string;
  endpoint_id: string;
  /** The endpoint's version at the time of the claim. */
  version: number;
  event: string;
  series: number;
  /** The number of earlier attempts in this series. */
  attempts: number;
  /** Null for the test event. */
  payload: string | null;
  /** For the test event, the name of the sample that it sends. */
  sample: string | null;
  is_replay: boolean;
  /** Milliseconds since the delivery was created. */
  age_ms: number;
  /** The time of the statement, as in the payload, in seconds since 1970. */
  now_s: number;
};

/** A row of a claim. The first row always exists; its delivery is null when there was none to claim. */
export type ClaimRow = { [Key in keyof ClaimedDelivery]: ClaimedDelivery[Key] | null } & {
  /** When the delivery became due, in seconds since 1970 by the database's clock. */
  due_s: number | null;
  /** The endpoint after which to resume when the claim ended before the last endpoint; otherwise null. */
  resume_after: string | null;
  /** Endpoints whose due deliveries were too large for the rest of `limitBytes`. */
  too_large: string[];
};

export type ClaimLimits = ClaimShares & {
  owner: string;
  shard: number;
  shards: number;
  /** The maximum number of deliveries. */
  limitRows: number;
  /** The total size limit of payloads above `smallBytes`. Smaller ones are limited only by their number. */
  limitBytes: number;
  /** Whether the first large payload is taken whatever its size. */
  takesOneLarge: boolean;
  /** The maximum number of endpoints to look at. */
  limitEndpoints: number;
  /** Looks only at endpoints after this id. */
  after: string;
  /**
   * Only deliveries with ids from `from` up to but not including `before`, so that other months' partitions are not read.
   */
  from: string;
  before: string;
  /** The deliveries that the owner holds, with their stamps. The claim releases everything else in its lease. */
  heldIds: readonly string[];
  heldStamps: readonly number[];
  /**
   * Endpoints after `after`, in order, and for each its due watermark: the earliest due time of what is claimed, in seconds
   * since 1970.
   */
  floorIds: readonly string[];
  floors: readonly number[];
};

/** Payloads up to this size are not counted. 100 of them are 3 MiB. */
export const smallBytes = 32 * 1024;

const isDue = `d.state = 'queued' and d.owner is null and d.id >= $7 and d.id < $8`;
/** The joins that `claimedColumns` needs next to a delivery `d`. */
export const payloadSources = `
  left join lateral (
    select * from interview_result r where r.merchant_id = d.merchant_id and r.id = d.result_id limit 1
  ) r on true
  left join lateral (
    select * from enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id limit 1
  ) e on true`;
/** The columns of a `ClaimedDelivery`, except its version. */
export const claimedColumns = `d.id, d.merchant_id, d.environment, d.endpoint_id, d.event, d.series, d.attempts,
  ${renderedPayload} as payload, case when d.result_id is null then d.reason end as sample, ${isReplay} as is_replay,
  extract(epoch from clock_timestamp() - d.created_at)::float8 * 1000 as age_ms,
  extract(epoch from statement_timestamp())::float8 as now_s`;

/** Returns a number that identifies an attempt among those of its delivery. */
export const stampOf = ({ series, attempts }: Pick<ClaimedDelivery, 'series' | 'attempts'>): number =>
  series * 100 + attempts;

/**
 * Claims the due deliveries of one shard, endpoint by endpoint, up to each one's free share, and renders the bodies
 * (docs/webhooks.md#the-sender). A loose index scan finds the endpoints: it reads one entry per endpoint, however many
 * deliveries wait, and skips closed endpoints and the ids in `floorIds`. While `attemptDue` runs for an endpoint, one
 * request is left for the sender.
 *
 * The lease is one row with all ids of the owner; deliveries are not updated (measured: saves 45 µs each). Only one sender
 * claims for a shard at a time, so rows need no lock, and the commit does not wait for the disk. Bodies over the byte limit
 * are skipped before they are rendered, because the length of a text stored out of line is in its row.
 */
export const claimQueued = (limits: ClaimLimits): Statement<ClaimRow> => ({
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
      select 0 as n, $6::uuid as endpoint_id, $6::uuid as from_id, timestamptz '-infinity' as floor, 1 as at,
        false as is_open, null::uuid as merchant_id, null::int as version, null::int as in_flight_limit, null::bool as is_retrying
      from hand
      union all
      select due.n + 1, next.endpoint_id,
        ${behindEndpoint},
        next.floor, next.at, coalesce(e.is_open, false), e.merchant_id, e.version, e.in_flight_limit, e.is_retrying
      from due
      cross join lateral (select ($19::uuid[])[due.at] as endpoint_id, to_timestamp(($20::float8[])[due.at]) as floor) known
      left join lateral (
        select d.endpoint_id from webhook_delivery d
        where ${isDue} and d.endpoint_id > due.endpoint_id and d.endpoint_id >= due.from_id
          and d.endpoint_id < coalesce(known.endpoint_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by d.endpoint_id limit 1
      ) other on true
      cross join lateral (
        select coalesce(other.endpoint_id, known.endpoint_id) as endpoint_id,
          case when other.endpoint_id is null then known.floor else '-infinity' end as floor,
          case when other.endpoint_id is null then due.at + 1 else due.at end as at
      ) next
      left join lateral (
        select e.merchant_id, e.version, e.in_flight_limit, e.retrying_until > now() as is_retrying,
          e.enabled and e.paused_reason is null and e.deleted_at is null as is_open
        from webhook_endpoint e where e.id = next.endpoint_id limit 1
      ) e on true
      where due.n < $5 and next.endpoint_id is not null
    ),
    picked as materialized (
      select one.*, due.version, e.kind, e.turn, e.room, e.bytes_room, row_number() over () as place from due
      cross join lateral (
        select known.kind, known.turn, known.room, known.bytes_room, case
          when due.is_retrying then least(known.slots, case due.in_flight_limit when 1 then 0 else 1 end - known.in_flight)
          else least(known.slots, due.in_flight_limit - known.in_flight)
        end as slots
        from (
          select room.of_kind as room, mine.kind, mine.turn, mine.in_flight, mine.bytes_room,
            coalesce(mine.slots, least($11, room.of_kind, greatest(1, room.of_kind / 4))) as slots
          from (
            select turn, merchant, ($10::int[])[turn] as slots, coalesce(($12::int[])[turn], 0) as in_flight,
              coalesce(($17::int[])[turn], ${endpointKind.unproven}) as kind, coalesce(($24::float8[])[merchant], $25) as bytes_room
            from (
              select array_position($9::uuid[], due.endpoint_id) as turn, array_position($21::uuid[], due.merchant_id) as merchant
            ) found
          ) mine
          cross join lateral (
            select case mine.kind when ${endpointKind.answering} then $4
              else coalesce(($22::int[])[mine.merchant][mine.kind], ($23::int[])[mine.kind]) end as of_kind
          ) room
        ) known
      ) e
      cross join lateral (
        select d.* from webhook_delivery d
        where ${isDue} and d.endpoint_id = due.endpoint_id and d.next_attempt_at between due.floor and now()
          and (d.id, d.series * 100 + d.attempts) not in (select held.id, held.stamp from held)
        order by d.next_attempt_at limit greatest(0, e.slots)
      ) one
      where due.n > 0 and due.is_open and ($3 = 1 or abs(mod(hashtext(due.endpoint_id::text), $3)) = $2)
      limit $4
    ),
    sized as materialized (
      select s.*, s.of_merchant <= s.room and s.of_kind <= coalesce(($18::int[])[s.kind], $4) as has_room,
        s.large = 0 or (
          (s.through <= $15 or (s.through = s.large and $16))
          and (not s.is_shared or (s.through_merchant - s.large < s.bytes_room and s.through_slow - s.large < $26))
        ) as fits
      from (
        select l.*, sum(l.large) over first_to_last as through,
          sum(l.large) filter (where l.is_shared) over first_to_last as through_slow,
          sum(l.large) over of_merchant as through_merchant, count(*) over of_merchant as of_merchant,
          case l.kind
            when ${endpointKind.slow} then count(*) filter (where l.kind = ${endpointKind.slow}) over first_to_last
            when ${endpointKind.quiet} then count(*) filter (where l.kind = ${endpointKind.quiet}) over first_to_last
            else count(*) filter (where l.kind = ${endpointKind.unproven}) over first_to_last
          end as of_kind
        from (
          select p.*, p.kind in (${endpointKind.slow}, ${endpointKind.unproven}) as is_shared,
            case when r.bytes > ${smallBytes} then r.bytes else 0 end as large
          from picked p left join lateral (
            select ${estimatedPayloadBytes} as bytes from interview_result r
            where r.merchant_id = p.merchant_id and r.id = p.result_id limit 1
          ) r on true
        ) l
        window first_to_last as (order by l.place rows unbounded preceding),
          of_merchant as (partition by l.merchant_id, l.kind order by l.turn, l.place rows unbounded preceding)
      ) s
      order by s.place
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
    limits.kinds,
    limits.kindRooms,
    limits.floorIds,
    limits.floors,
    limits.merchantIds,
    limits.merchantRooms,
    limits.otherMerchantsRooms,
    limits.merchantBytes,
    limits.otherMerchantsBytes,
    limits.slowBytes,
  ],
});
