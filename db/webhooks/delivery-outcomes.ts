import { columnsOf, toArrayOfJson, joinTextBytes } from '../platform/columns';
import type { Statement } from '../platform/statement';
import { maxAttempts } from './vocabulary';
import type { AttemptOutcome } from './vocabulary';

const pausedAfter = '5 days';
/**
 * If an endpoint had no failure for this long, its next failure starts a new streak of failures. The longest wait
 * between two attempts is a little shorter: 24 h + 20 %, doubled for `Retry-After`.
 */
const silence = '58 hours';
/** SQL for the start of the current streak of failures of an endpoint `e`. */
const failingSince = `case when e.last_failed_at > now() - interval '${silence}' then e.failing_since end`;

/** The outcome of one attempt. */
export type DeliveryOutcome = {
  /**
   * An outcome is recorded only if the series of the delivery and the number of earlier attempts in it still match, so
   * an attempt that was reclaimed in the meantime is not recorded twice.
   */
  delivery: { id: string; series: number; attempts: number };
  /** The value of `performance.now()` when the attempt began. The database's clock gives the time that is stored. */
  startedAt: number;
  /** Milliseconds until the next attempt, if there is one. */
  wait_ms: number;
  /** JSON on one line, without control characters. */
  request_headers: string | null;
  request_body: string | null;
  result: {
    outcome: AttemptOutcome;
    status: number | null;
    error: string | null;
    response_headers: Record<string, string> | null;
    response_body: string | null;
    is_truncated: boolean;
    peer_address: string | null;
    /** The duration of each phase in milliseconds. */
    ms: Record<'dns' | 'connect' | 'tls' | 'first_byte' | 'total', number | null>;
  };
};

const shown = `status, error, request_headers, request_body, response_headers, response_body, is_truncated,
  peer_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms`;
const isEndpointGone = `exists (select from webhook_endpoint e where e.id = d.endpoint_id and e.deleted_at is not null)`;

/**
 * Returns the branches of a SQL `case` for the state after an attempt that was not acknowledged. `isLost` is a SQL
 * condition for an attempt whose worker died.
 */
const stateAfterFailure = (isLost: string) => `
  when ${isEndpointGone} then 'cancelled'
  when d.attempts + 1 >= ${maxAttempts} then 'gave_up'
  when ${isLost} then d.state
  else 'retried'`;

/**
 * Records attempts, delivery states and endpoint health in one statement. Skips deliveries that were reclaimed, because their attempts are
 * already recorded as `worker_lost`. Running the statement twice is safe. Returns the ids of the deliveries
 * whose outcome was recorded.
 */
export const recordOutcomes = (outcomes: readonly DeliveryOutcome[]): Statement<{ id: string }> => {
  const deliveries = outcomes.map(({ delivery }) => delivery);
  const results = outcomes.map(({ result }) => result);
  const ids = deliveries.map(({ id }) => id).sort();
  const now = performance.now();
  const { joined, places, lengths } = joinTextBytes(outcomes.map(({ request_body }) => request_body));
  return {
    name: 'record_outcomes',
    text: `
      with outcome as materialized (
        select o.*, case when body_bytes > 0 then convert_from(substring($12::bytea from body_at for body_bytes), 'UTF8') end as request_body
        from unnest($3::uuid[], $4::int[], $5::int[], $6::text[], $7::float8[], $8::float8[], $9::int[],
          $10::text[], $11::text[], $13::text[], $14::text[], $15::bool[], $16::text[], $17::real[],
          $18::real[], $19::real[], $20::real[], $21::real[], $22::int[], $23::int[]) as o (id, series, attempts, outcome, wait_ms,
          since_ms, ${shown.replace('request_body, ', '')}, body_at, body_bytes)
      ),
      recorded as (
        update webhook_delivery d set
          (state, next_attempt_at, finished_at) = (
            select s.state,
              case when s.state in ('queued', 'retried') then clock_timestamp() + o.wait_ms * interval '1 ms' end,
              case when s.state in ('acknowledged', 'gave_up', 'cancelled') then clock_timestamp() end
            from (select case when o.outcome = 'acknowledged' then 'acknowledged' ${stateAfterFailure(`o.outcome = 'worker_lost'`)} end) s (state)
          ),
          attempts = d.attempts + 1, is_released = d.is_released and o.outcome = 'worker_lost', triggered_by = null,
          last_outcome = o.outcome, last_status = o.status
        from outcome o
        where d.id = any ($3) and d.id = o.id and d.id >= $1 and d.id <= $2
          and d.series = o.series and d.attempts = o.attempts
        returning d.id, d.merchant_id, d.environment, d.endpoint_id, d.series, d.attempts, d.state,
          old.triggered_by, o.outcome, o.since_ms, ${shown.replaceAll(/\w+/g, 'o.$&')}
      ),
      kept as (
        insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome, triggered_by, ${shown})
        select merchant_id, environment, id, series, attempts, clock_timestamp() - since_ms * interval '1 ms', outcome,
          triggered_by, status, error, request_headers::json, request_body, response_headers::json, response_body,
          is_truncated, peer_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms
        from recorded
      ),
      health as materialized (
        select endpoint_id,
          bool_or(outcome = 'acknowledged') as is_well,
          bool_or(outcome not in ('acknowledged', 'worker_lost')) as is_ill,
          bool_or(status = 410 and outcome = 'refused') as is_gone
        from recorded group by endpoint_id
      ),
      assessed as (
        select h.endpoint_id, h.is_well,
          case when h.is_gone then 'gone'
            when not h.is_well and h.is_ill and e.since < now() - interval '${pausedAfter}' then 'failing'
          end as reason
        from health h cross join lateral (
          select e.failing_since, e.last_failed_at, e.paused_reason, ${failingSince} as since
          from webhook_endpoint e where e.id = h.endpoint_id limit 1
        ) e
        where (h.is_well and e.failing_since is not null)
          or (h.is_ill and not h.is_well and (e.since is null or e.last_failed_at < now() - interval '1 hour'))
          or (e.paused_reason is null and (h.is_gone or (h.is_ill and e.since < now() - interval '${pausedAfter}')))
      ),
      touched as (
        update webhook_endpoint e set
          failing_since = case when not j.is_well then coalesce(${failingSince}, now()) end,
          last_failed_at = case when j.is_well then e.last_failed_at else now() end,
          paused_reason = coalesce(e.paused_reason, j.reason),
          paused_at = coalesce(e.paused_at, case when j.reason is not null then now() end)
        from assessed j where e.id = j.endpoint_id and e.id = any (array(select endpoint_id from assessed))
      )
      select id from recorded`,
    values: [
      ids[0],
      ids.at(-1),
      ...columnsOf(deliveries, 'id', 'series', 'attempts'),
      results.map(({ outcome }) => outcome),
      outcomes.map(({ wait_ms }) => wait_ms),
      outcomes.map(({ startedAt }) => now - startedAt),
      ...columnsOf(results, 'status', 'error'),
      toArrayOfJson(outcomes.map(({ request_headers }) => request_headers)),
      joined,
      toArrayOfJson(
        results.map(({ response_headers }) => response_headers && JSON.stringify(response_headers)),
      ),
      ...columnsOf(results, 'response_body', 'is_truncated', 'peer_address'),
      ...columnsOf(
        results.map(({ ms }) => ms),
        'dns',
        'connect',
        'tls',
        'first_byte',
        'total',
      ),
      places,
      lengths,
    ],
  };
};

const lostError = 'the sender ended before the answer was recorded: it may have arrived';

/** Senders take advisory locks with two keys. These numbers are the first key; the second is the shard or the owner. */
export const shardLock = 5_001;
export const ownerLock = 5_002;

/**
 * Reclaims the deliveries that dead senders of all shards have leased: records an attempt with the outcome
 * `worker_lost` for each, and makes them due now. A sender is alive if it holds the advisory lock of its owner id.
 */
export const reclaimDeliveries = (owner: string): Statement<{ reclaimed: number; gave_up: number }> => ({
  name: 'reclaim_deliveries',
  text: `
    with dead as (
      delete from webhook_lease l
      where l.owner <> $1 and not (hashtext(l.owner::text)::bigint & 4294967295)::oid = any (array(
        select k.objid from pg_locks k where k.locktype = 'advisory' and k.classid = ${ownerLock} and k.objsubid = 2
          and k.database = (select oid from pg_database where datname = current_database())
      ))
      returning l.delivery_ids, l.stamps
    ),
    lost as materialized (
      select held.id, held.stamp from dead cross join lateral unnest(dead.delivery_ids, dead.stamps) as held (id, stamp)
    ),
    reclaimed as (
      update webhook_delivery d set
        (state, next_attempt_at, finished_at) = (
          select s.state, case when s.state in ('queued', 'retried') then clock_timestamp() end,
            case when s.state not in ('queued', 'retried') then clock_timestamp() end
          from (select case ${stateAfterFailure('true')} end) s (state)
        ),
        attempts = d.attempts + 1, triggered_by = null, last_outcome = 'worker_lost', last_status = null
      from lost l
      where d.id = any (array(select id from lost)) and d.id = l.id and d.series * 100 + d.attempts = l.stamp
      returning d.merchant_id, d.environment, d.id, d.series, d.attempts, d.state, old.triggered_by
    ),
    kept as (
      insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome, error, triggered_by)
      select merchant_id, environment, id, series, attempts, clock_timestamp(), 'worker_lost', '${lostError}', triggered_by
      from reclaimed
    )
    select count(*)::int as reclaimed, (count(*) filter (where state = 'gave_up'))::int as gave_up from reclaimed`,
  values: [owner],
});
