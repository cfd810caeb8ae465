import type { Knex } from 'knex';
import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import { isInQueue } from './deliveries';
import { idFloor } from './delivery-history';
import { replayableStates } from './vocabulary';
import type { DeliveryFilter } from './vocabulary';

/** Selects the deliveries that match every given field. Times are ISO 8601; `until` is exclusive. */
export type ReplayFilter = {
  endpoint_id?: string | null;
  state?: (typeof replayableStates)[number] | null;
  event?: string | null;
  result_id?: string | null;
  /** The outcome and status of the last attempt. */
  outcome?: string | null;
  status?: number | null;
  /** `since` and `until` limit when the delivery was created. */
  since?: string | null;
  until?: string | null;
};

/**
 * Returns `{matched}`, the number of deliveries of the caller's merchant and environment that a replay would send.
 */
export const countReplayable = (filter: ReplayFilter): Query<{ matched: number }> =>
  replayable(filter).select(sql.raw('count(*) as matched'));

/**
 * Stores a replay of the deliveries that match now and returns `{id, matched}`. The same transaction must also run
 * `insertWorkflowStart('webhookReplay', webhookReplayId(id), { replay_id: id })`. `perSecond` is 1 to 1,000.
 */
export const insertReplay = (
  filter: ReplayFilter,
  perSecond: number,
): Query<{ id: string; matched: number }> =>
  sql.raw(
    `insert into webhook_replay (filter, per_second, matched) select ?::jsonb, ?::int, (?) returning id, matched`,
    [JSON.stringify(filter), perSecond, countReplayable(filter)],
  );

/** Makes other calls that start a replay of the same merchant and environment wait until the transaction ends. */
export const lockReplays: Statement = {
  text: `select pg_advisory_xact_lock(hashtextextended('webhook replays ' || app.merchant_id() || ' ' || app.environment(), 0))`,
};

/**
 * Returns `{running}`, the number of running replays of the caller's merchant and environment. Call it after
 * `lockReplays`.
 */
export const countRunningReplays: Statement<{ running: number }> = {
  text: `
    select count(*)::int as running from webhook_replay
    where merchant_id = app.merchant_id() and environment = app.environment() and state = 'running'`,
};

/** The filter of a replay, stored as the caller sent it. */
type StoredFilter = Omit<DeliveryFilter, 'state'> & { state?: (typeof replayableStates)[number] | undefined };

export type ReplayRow = {
  id: string;
  state: 'running' | 'done' | 'cancelled';
  filter: StoredFilter;
  per_second: number;
  matched: number;
  replayed: number;
  requested_by: string;
  created_at: string;
  finished_at: string | null;
};

/** Returns a replay as its merchant sees it. */
export const findReplay = (id: string): Statement<ReplayRow> => ({
  name: 'find_replay',
  text: `
    select id, state, filter, per_second, matched, replayed, requested_by, created_at, finished_at
    from webhook_replay where id = $1`,
  values: [id],
});

/** Cancels a replay, which stops after its current page. Changes no row when the replay has ended. */
export const cancelReplay = (id: string): Statement => ({
  text: `update webhook_replay set state = 'cancelled', finished_at = now() where id = $1 and state = 'running'`,
  values: [id],
});

export type ReplayState = 'running' | 'done' | 'cancelled';
export type Replay = {
  id: string;
  merchant_id: string;
  environment: string;
  filter: ReplayFilter;
  per_second: number;
  state: ReplayState;
  matched: number;
  replayed: number;
  last_delivery_id: string | null;
  requested_by: string;
  created_at: string;
};

/** Locks the replay, so that two workers do not process pages of the same replay at the same time. */
export const lockReplay = (id: string): Statement<Replay> => ({
  text: `
    select id, merchant_id, environment, filter, per_second, state, matched, replayed, last_delivery_id, requested_by, created_at
    from webhook_replay where id = $1 for update`,
  values: [id],
});

/** The progress of one page of a replay. */
export type RequeuedPage = {
  requeued: number;
  last_id: string | null;
  is_last: boolean;
};

/** The maximum number of deliveries that one page scans, however few match. */
const scanRows = 20_000;
const hourMs = 3_600_000;

/**
 * Requeues the next `limitRows` deliveries that match the replay's filter and are older than the replay, in the order
 * of their ids. The worker calls it. A retry that waits becomes due and is released now; any other delivery starts
 * a new series of attempts.
 */
export function requeuePage(replay: Replay, limitRows: number): Query<RequeuedPage> {
  const { merchant_id, environment, filter, created_at, last_delivery_id, requested_by } = replay;
  const after = last_delivery_id ?? noId;
  const all = sql('webhook_delivery as d').where({
    'd.merchant_id': merchant_id,
    'd.environment': environment,
  });
  // `created_at` is the time at which a transaction began. An id contains the time of the insert, which can be up to
  // an hour later.
  const scanned = all
    .clone()
    .where('d.id', '>', after)
    .where('d.id', '>=', filter.since ? idFloor(Date.parse(filter.since)) : noId)
    .where('d.id', '<', idFloor(Date.parse(created_at) + hourMs))
    .orderBy('d.id')
    .limit(scanRows)
    .select('d.id');
  const page = replayable(filter)
    .where({ 'd.merchant_id': merchant_id, 'd.environment': environment })
    .where('d.created_at', '<', sql('webhook_replay').where('id', replay.id).select('created_at'))
    .where('d.id', '>', after)
    .whereRaw('d.id <= (select id from scanned order by id desc limit 1)')
    .orderBy('d.id')
    .limit(limitRows)
    .forUpdate('d')
    .select('d.id');
  return sql.raw(
    `with scanned as (?), page as (?),
    requeued as (
      update webhook_delivery d set
        state = case when d.state = 'retried' then 'retried' else 'queued' end,
        series = case when d.state = 'retried' then d.series else d.series + 1 end,
        attempts = case when d.state = 'retried' then d.attempts else 0 end,
        is_released = d.state = 'retried', next_attempt_at = now(), finished_at = null, triggered_by = ?
      from page where d.id = page.id
      returning d.id
    ), ends as (
      select (select count(*) from page) = ? as is_full, (select count(*) from scanned) = ? as goes_on
    )
    select (select count(*) from requeued) as requeued,
      (select id from page where is_full union all select id from scanned where not is_full order by id desc limit 1) as last_id,
      not is_full and not goes_on as is_last
    from ends`,
    [scanned, page, requested_by, limitRows, scanRows],
  );
}

/** Records the progress of a replay. Call it in the same transaction as `requeuePage`. */
export const recordPage = (id: string, { requeued, last_id, is_last }: RequeuedPage): Statement => ({
  text: `
    update webhook_replay set replayed = replayed + $2, last_delivery_id = coalesce($3, last_delivery_id),
      state = case when $4 then 'done' else state end, finished_at = case when $4 then now() end
    where id = $1`,
  values: [id, requeued, last_id, is_last],
});

/** Wakes an idle sender. A busy sender soon finds the deliveries without a notification. */
export const wakeIdleSender: Statement = {
  text: `select pg_notify('webhook_delivery', '') where exists (select from webhook_sender where is_idle)`,
};

/** Selects the deliveries that match the filter, are not in the sender's queue, and whose endpoint is not deleted. */
function replayable(filter: ReplayFilter): Knex.QueryBuilder {
  const { endpoint_id, state, event, result_id, outcome, status, since, until } = filter;
  const query = sql('webhook_delivery as d')
    .whereIn('d.state', state ? [state] : [...replayableStates])
    .whereRaw(`not ${isInQueue}`)
    .whereExists(sql('webhook_endpoint as e').whereRaw('e.id = d.endpoint_id').whereNull('e.deleted_at'));
  const asked = { endpoint_id, event, result_id, last_outcome: outcome, last_status: status };
  for (const [column, value] of Object.entries(asked))
    if (value !== undefined && value !== null) query.where(`d.${column}`, value);
  // The time in an id is never before `created_at`, so this condition on ids excludes no matching row. It lets
  // Postgres skip the partitions of earlier months.
  if (since) query.where('d.created_at', '>=', since).where('d.id', '>=', idFloor(Date.parse(since)));
  if (until) query.where('d.created_at', '<', until);
  return query;
}

const noId = '00000000-0000-0000-0000-000000000000';
