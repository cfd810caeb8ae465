import type { Statement } from './scope';

export type WebhookCounts = {
  /** No more than `limitRows` of each are counted. */
  queued: number;
  retried: number;
  in_hand: number;
  /** Of the oldest first attempt that is due and may be sent, in seconds. */
  queue_age_s: number;
  held_for_pdf: number;
  failed_pdf: number;
};

/** How much waits, for the worker's gauges. Of paused endpoints rows wait by intention: they make no queue old. */
export const countWebhooks = (limitRows: number): Statement => ({
  name: 'count_webhooks',
  text: `
    with recursive due as (
      select 1 as n, first.* from (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.state = 'queued' and d.owner is null order by d.endpoint_id, d.next_attempt_at limit 1
      ) first
      union all
      select due.n + 1, next.* from due cross join lateral (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.state = 'queued' and d.owner is null and d.endpoint_id > due.endpoint_id
        order by d.endpoint_id, d.next_attempt_at limit 1
      ) next
      where due.n < 1000
    ),
    counted as (
      select
        (select count(*) from (select from webhook_delivery d where d.state = 'queued' and d.owner is null limit $1) c) as queued,
        (select count(*) from (select from webhook_delivery d where d.state = 'retried' and d.owner is null limit $1) c) as retried,
        (select count(*) from (select from webhook_delivery d where d.owner is not null limit $1) c) as in_hand,
        (select count(*) from (select from webhook_hold limit $1) c) as held_for_pdf,
        (select count(*) from (
          select from webhook_hold h cross join lateral (
            select r.pdf_failed_at from interview_result r
            where r.merchant_id = h.merchant_id and r.id = h.result_id limit 1
          ) r where r.pdf_failed_at is not null limit $1
        ) c) as failed_pdf
    )
    select counted.*, coalesce((
      select greatest(0, extract(epoch from clock_timestamp() - min(due.next_attempt_at)))::float8
      from due cross join lateral (
        select e.enabled and e.paused_reason is null and e.deleted_at is null as is_open from webhook_endpoint e
        where e.id = due.endpoint_id limit 1
      ) e where e.is_open
    ), 0) as queue_age_s
    from counted`,
  values: [limitRows],
});
