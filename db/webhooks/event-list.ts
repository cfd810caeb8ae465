import type { Statement } from '../platform/statement';
import { renderedPayload } from './webhook-payload';

/** How many days events are kept. */
export const eventDays = 90;

/**
 * An event after a cursor, with facts about the log. `is_wanted` is false for an event that the filter leaves out. If
 * there are no events, the query returns one row whose `id` is null.
 */
type ListedEvent = {
  merchant_id: string;
  environment: string;
  generation: string;
  now: string;
  lag_ms: number;
  id: string | null;
  tx: string;
  created_at: string;
  is_wanted: boolean;
  body: Record<string, unknown> | null;
};

/**
 * Lists the first events after a place, in the order of db/sync/changes.ts. The deliveries of an event were inserted in
 * its transaction, so they have its time.
 */
export const listEvents = (
  { tx, id }: { tx: string; id: string },
  isUndelivered: boolean,
  limitRows: number,
): Statement<ListedEvent> => ({
  name: 'list_events',
  text: `
    with boundary as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as tx),
    d as materialized (
      select w.*, 1 as series, null::uuid as triggered_by from webhook_event w
      where w.merchant_id = app.merchant_id() and w.environment = app.environment()
        and (w.tx, w.id) > ($1::xid8, $2::uuid) and w.tx < (select tx from boundary)
      order by w.tx, w.id limit $4
    ), found as materialized (
      select d.*, not $3::boolean or (
        select count(*) = 0 or bool_or(o.state <> 'acknowledged') from webhook_delivery o
        where o.merchant_id = d.merchant_id and o.result_id = d.result_id and o.event = d.event
          and o.created_at = d.created_at
      ) as is_wanted
      from d
    )
    select app.merchant_id() as merchant_id, app.environment() as environment, generation, clock_timestamp() as now,
      coalesce((
        select greatest(0, extract(epoch from clock_timestamp() - w.created_at) * 1000) from webhook_event w
        where w.merchant_id = app.merchant_id() and w.environment = app.environment()
          and w.tx >= (select tx from boundary)
        order by w.tx, w.id limit 1
      ), 0)::float8 as lag_ms,
      d.id, d.tx, d.created_at, d.is_wanted, case when d.is_wanted then (${renderedPayload})::json end as body
    from sync_generation left join found d on true
    left join interview_result r on r.merchant_id = d.merchant_id and r.id = d.result_id
    left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    order by d.tx, d.id`,
  values: [tx, id, isUndelivered, limitRows],
});

/** Removes events that are too old for every cursor. */
export const deleteOldEvents: Statement = {
  name: 'delete_old_events',
  text: `
    delete from webhook_event where (merchant_id, environment, tx, id) in (
      select merchant_id, environment, tx, id from webhook_event
      where created_at < now() - interval '${eventDays + 1} days' limit 10000
    )`,
};
