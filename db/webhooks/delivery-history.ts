import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import type { AttemptOutcome, DeliveryFilter, DeliveryState, deliveryEvents } from './vocabulary';

/* Webhook deliveries as callers read them (docs/webhooks.md#retries-and-replays). The sender has its own statements. */

/**
 * The columns of deliveries `d` that lists return. While the endpoint is paused or disabled, `next_attempt_at` is
 * null. The endpoint is checked with `exists`, because a join would change the query plan.
 */
const columns = `d.id, d.endpoint_id, d.event, d.result_id, d.reason, d.state, d.series, d.attempts,
  case when exists (
    select from webhook_endpoint e where e.id = d.endpoint_id and e.enabled and e.paused_reason is null
  ) then d.next_attempt_at end as next_attempt_at,
  d.last_outcome, d.last_status, d.triggered_by, d.created_at, d.finished_at`;

/** SQL that is true if an attempt of `d` is in progress: the lease of a sender lists the attempt. */
const isBeingSent = (ids: string) => `(d.state in ('queued', 'retried')
  and (d.id, d.series * 100 + d.attempts) in (select l.id, l.stamp from app.leased_deliveries(${ids}) l)) as is_being_sent`;

/** `after` is the last delivery of the page before, if there is a cursor. */
type DeliveryPage = { limit: number; offset: number; counted: number; after?: string | null };
/** A delivery as lists return it. */
type DeliveryRow = {
  id: string;
  endpoint_id: string;
  event: (typeof deliveryEvents)[number];
  result_id: string | null;
  reason: string;
  state: DeliveryState;
  series: number;
  attempts: number;
  next_attempt_at: string | null;
  is_being_sent: boolean;
  last_outcome: AttemptOutcome | null;
  last_status: number | null;
  triggered_by: string | null;
  created_at: string;
  finished_at: string | null;
};
/** A row of a page. Every row has the fields about the whole list. An empty page is one row whose id is null. */
type ListedDelivery = DeliveryRow & KnownNames & { total: number; has_more: boolean };

/**
 * Returns a page of the matching deliveries, newest first, and the number of matches, which stops at `counted`. If
 * the filter has an endpoint or limits the states, the query uses the index on endpoint and state, because the index
 * on the merchant would read millions of rows to find a few deliveries in a rare state.
 */
export function listDeliveries(
  filter: DeliveryFilter,
  { limit, offset, counted, after }: DeliveryPage,
): Query<ListedDelivery> {
  const wanted = Math.max(counted + 1, offset + limit + 1);
  return sql.raw(
    `with found as materialized (?),
    shown as materialized (select id from found order by id desc limit ? offset ?),
    facts as (
      select least(count(*), ?)::int as total, count(*) > ? as has_more,
        (?::uuid is null or exists (select from webhook_endpoint where id = ?)) as endpoint_known,
        (?::uuid is null or exists (select from interview_result where id = ?)) as result_known
      from found
    )
    select facts.*, page.* from facts left join (
      select ${columns}, ${isBeingSent('array(select id from shown)')} from webhook_delivery d
      where d.id = any (array(select id from shown))
    ) page on true
    order by page.id desc`,
    [
      findMatches({ ...filter, after }, wanted),
      limit,
      offset,
      counted,
      offset + limit,
      filter.endpoint_id ?? null,
      filter.endpoint_id ?? null,
      filter.result_id ?? null,
      filter.result_id ?? null,
    ],
  );
}

type Placed = DeliveryFilter & { after?: string | null | undefined };
type Matches = ReturnType<typeof matching>;

/** Finds the ids of the newest matching deliveries, at most `limitRows`. */
function findMatches(filter: Placed, limitRows: number): Matches {
  const states = statesOf(filter);
  if (!states && !filter.endpoint_id) return newest(matching(filter), limitRows);
  const branches = (states ?? allStates).map((state) =>
    state === 'queued' ? waiting(filter, limitRows) : left(filter, state, limitRows),
  );
  return newest(sql.from(sql.unionAll(branches, true).as('d')), limitRows);
}

const allStates: readonly DeliveryState[] = ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'];

/** Returns the states that can match, or undefined for all. After a failure, the state is not `acknowledged`. */
function statesOf({ state, outcome, status }: Placed): readonly DeliveryState[] | undefined {
  if (state) return [state];
  const hasFailed =
    (outcome !== undefined && outcome !== 'acknowledged') ||
    (status !== undefined && (status < 200 || status > 299));
  return hasFailed ? allStates.filter((each) => each !== 'acknowledged') : undefined;
}

const newest = (query: Matches, limitRows: number): Matches =>
  query.select('d.id').orderBy('d.id', 'desc').limit(limitRows);

/** Runs the query `ofOne`, which has a limit, for each endpoint `e` and returns the ids of its deliveries. */
const ofEachEndpoint = ({ endpoint_id }: Placed, ofOne: Matches): Matches =>
  sql
    .from(
      sql.raw('unnest(?) as e (id) cross join lateral (?) d', [
        endpoint_id
          ? sql.raw('array[?::uuid]', [endpoint_id])
          : sql.raw('array(select id from webhook_endpoint)'),
        ofOne,
      ]),
    )
    .select('d.id');

const ofOneEndpoint = (filter: Placed) => matching({ ...filter, endpoint_id: undefined }).select('d.id');

/**
 * For each endpoint, selects the queued deliveries that become due last. Apart from replays, these are the newest
 * ones. Postgres reads them in the order of an index, because sorting all of them takes half a second for 500,000.
 */
const waiting = (filter: Placed, limitRows: number): Matches =>
  ofEachEndpoint(
    filter,
    ofOneEndpoint(filter)
      .whereRaw(`d.endpoint_id = e.id and d.state = 'queued'`)
      .orderBy('d.next_attempt_at', 'desc')
      .limit(limitRows),
  );

/** Selects the newest deliveries in `state` of each endpoint. Queued deliveries are selected by `waiting` instead. */
const left = (filter: Placed, state: DeliveryState, limitRows: number): Matches =>
  ofEachEndpoint(
    filter,
    ofOneEndpoint(filter).whereRaw(inState('e.id', state)).orderByRaw(newestInState).limit(limitRows),
  );

/**
 * Returns SQL for an endpoint's deliveries `d` in a state other than `queued`, to be ordered by `newestInState`.
 * Compares whole rows, because with `=` on single columns, the planner may scan all ids instead of the index on these
 * three columns (500 ms instead of 1 ms on 1,500,000 rows).
 */
export const inState = (endpoint: string, state: DeliveryState): string => `d.state <> 'queued'
  and (d.endpoint_id, d.state, d.id) >= (${endpoint}, '${state}', '00000000-0000-0000-0000-000000000000'::uuid)
  and (d.endpoint_id, d.state, d.id) <= (${endpoint}, '${state}', 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`;
export const newestInState = 'd.endpoint_id desc, d.state desc, d.id desc';

const hourMs = 3_600_000;

/** Selects the deliveries `d` that match the filter, ignoring its `state`. */
function matching(filter: Placed) {
  const { endpoint_id, event, result_id, outcome, status, since, until, after } = filter;
  const query = sql.from('webhook_delivery as d');
  const asked = { endpoint_id, event, result_id, last_outcome: outcome, last_status: status };
  for (const [column, value] of Object.entries(asked))
    if (value !== undefined) query.where(`d.${column}`, value);
  // An id contains the time of the insert. `created_at` is the time at which the inserting transaction started, up to
  // an hour earlier. The condition on ids lets Postgres use the index.
  if (since !== undefined)
    query.where('d.created_at', '>=', since).where('d.id', '>=', idFloor(Date.parse(since)));
  if (until !== undefined)
    query.where('d.created_at', '<', until).where('d.id', '<', idFloor(Date.parse(until) + hourMs));
  if (after) query.where('d.id', '<', after);
  return query;
}

/** Returns the smallest uuidv7 with this time, which is in milliseconds since 1970. */
export function idFloor(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The fields that determine what an open delivery is waiting for. */
export type DeliveryCircumstances = {
  state: DeliveryState;
  series: number;
  attempts: number;
  next_attempt_at: string | null;
  is_being_sent: boolean;
  is_due: boolean;
  endpoint_enabled: boolean;
  endpoint_paused_reason: string | null;
  endpoint_deleted: boolean;
};
const circumstances = `${isBeingSent('array[d.id]')}, coalesce(d.next_attempt_at <= now(), true) as is_due,
  e.enabled as endpoint_enabled, e.paused_reason as endpoint_paused_reason, e.deleted_at is not null as endpoint_deleted`;

/** A delivery that the current transaction has locked. */
export type LockedDelivery = DeliveryCircumstances & { id: string; endpoint_id: string };

/** An attempt of a delivery. Custom headers and signatures are masked. */
export type DeliveryAttemptRow = {
  series: number;
  attempt: number;
  started_at: string;
  outcome: AttemptOutcome;
  status: number | null;
  error: string | null;
  triggered_by: string | null;
  peer_address: string | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  total_ms: number | null;
  request_headers: unknown;
  request_body: string | null;
  response_headers: unknown;
  response_body: string | null;
  is_truncated: boolean;
};

/** Returns one delivery and the facts that determine what it is waiting for. */
export const getDelivery = (id: string): Statement<DeliveryRow & DeliveryCircumstances> => ({
  name: 'get_delivery',
  text: `
    select ${columns}, ${circumstances} from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.id = $1`,
  values: [id],
});

/** Returns the latest attempts of a delivery, oldest first. */
export const listAttempts = (deliveryId: string, limitRows: number): Statement<DeliveryAttemptRow> => ({
  name: 'list_attempts',
  text: `
    select a.* from (
      select series, attempt, started_at, outcome, status, error, triggered_by, peer_address, dns_ms, connect_ms, tls_ms,
        first_byte_ms, total_ms, request_headers, request_body, response_headers, response_body, is_truncated
      from webhook_attempt where delivery_id = $1 order by series desc, attempt desc limit $2
    ) a order by a.series, a.attempt`,
  values: [deliveryId, limitRows],
});

export type KnownNames = { endpoint_known: boolean; result_known: boolean };

/** Checks that the endpoint and the result of a filter exist. Returns true for an id that the filter does not have. */
export const checkNames = (
  endpointId: string | undefined,
  resultId: string | undefined,
): Statement<KnownNames> => ({
  name: 'check_names',
  text: `
    select
      ($1::uuid is null or exists (select from webhook_endpoint where id = $1 and deleted_at is null)) as endpoint_known,
      ($2::uuid is null or exists (select from interview_result where id = $2)) as result_known`,
  values: [endpointId, resultId],
});

/**
 * Locks the endpoint of a delivery, so that the endpoint cannot be deleted until the transaction ends. Recording an
 * outcome does not wait for this lock (docs/webhooks.md#lock-order). Returns no row when the delivery is unknown.
 */
export const holdEndpointOf = (deliveryId: string): Statement => ({
  text: `
    select from webhook_endpoint where id = (select endpoint_id from webhook_delivery where id = $1) for key share`,
  values: [deliveryId],
});

/** Locks the delivery. To avoid deadlocks, lock its endpoint first with `holdEndpointOf`, as deletions do. */
export const lockDelivery = (id: string): Statement<LockedDelivery> => ({
  text: `
    select d.id, d.endpoint_id, d.state, d.series, d.attempts, d.next_attempt_at, ${circumstances}
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.id = $1 for update of d`,
  values: [id],
});

/** Queues a new series for a delivery that has ended. The retry of a waiting delivery becomes due and is released now. */
export const retryDelivery = (
  id: string,
): Statement<Pick<LockedDelivery, 'id' | 'state' | 'series' | 'attempts'>> => ({
  text: `
    update webhook_delivery set
      state = case when state = 'retried' then state else 'queued' end,
      series = case when state = 'retried' then series else series + 1 end,
      attempts = case when state = 'retried' then attempts else 0 end,
      is_released = state = 'retried', next_attempt_at = now(), finished_at = null, triggered_by = app.caller_id()
    where id = $1
    returning id, state, series, attempts, next_attempt_at`,
  values: [id],
});
