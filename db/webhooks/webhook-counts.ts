import type { Statement } from '../platform/statement';
import { behindEndpoint, canBeSentTo } from './open-endpoints';

export type WebhookCounts = {
  /** These counts stop at `limitRows`. Deliveries in flight are counted in their state and as `leased`. */
  queued: number;
  retried: number;
  leased: number;
  held_for_pdf: number;
  failed_pdf: number;
};

/** Counts waiting deliveries for the metrics of the worker. */
export const countWebhooks = (limitRows: number): Statement<WebhookCounts> => ({
  name: 'count_webhooks',
  text: `
    select
      (select count(*) from (select from webhook_delivery d where d.state = 'queued' limit $1) c) as queued,
      (select count(*) from (select from webhook_delivery d where d.state = 'retried' limit $1) c) as retried,
      (select coalesce(sum(cardinality(l.delivery_ids)), 0) from webhook_lease l)::int as leased,
      (select count(*) from (select from webhook_hold limit $1) c) as held_for_pdf,
      (select count(*) from (
        select from webhook_hold h cross join lateral (
          select r.pdf_failed_at from interview_result r
          where r.merchant_id = h.merchant_id and r.id = h.result_id limit 1
        ) r where r.pdf_failed_at is not null limit $1
      ) c) as failed_pdf`,
  values: [limitRows],
});

export type QueueAge = {
  /** The number of seconds since the earliest waiting first attempt became due. Only open endpoints count. */
  age_s: number;
  /** The id of the endpoint after which the next call resumes. Null means that all endpoints were visited. */
  resume_after: string | null;
};

/**
 * Returns how long deliveries have waited at the next `limitEndpoints` endpoints after the id `after`. Paused
 * endpoints do not count, because their deliveries wait on purpose; the scan skips to the next open endpoint, as
 * `listQueuedEndpoints` does.
 */
export const ageQueues = (after: string, limitEndpoints: number): Statement<QueueAge> => ({
  name: 'age_queues',
  text: `
    with recursive due as (
      select 0 as n, $1::uuid as endpoint_id, $1::uuid as from_id, null::timestamptz as since
      union all
      select due.n + 1, next.endpoint_id,
        ${behindEndpoint},
        case when e.is_open then next.since end
      from due
      cross join lateral (
        select d.endpoint_id, d.next_attempt_at as since from webhook_delivery d
        where d.state = 'queued' and d.endpoint_id > due.endpoint_id and d.endpoint_id >= due.from_id
        order by d.endpoint_id, d.next_attempt_at limit 1
      ) next
      left join lateral (
        select ${canBeSentTo} as is_open
        from webhook_endpoint e where e.id = next.endpoint_id limit 1
      ) e on true
      where due.n < $2
    )
    select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(due.since)), 0))::float8 as age_s,
      (select endpoint_id from due where n = $2) as resume_after
    from due`,
  values: [after, limitEndpoints],
});
