import type { Statement } from './scope';

/** Leaves the sender's loop one slot of the endpoint for so long; answers how many are the caller's. */
export const beginRetrying = (endpointId: string, slots: number, seconds: number): Statement => ({
  name: 'begin_retrying',
  text: `
    update webhook_endpoint set retrying_until = clock_timestamp() + $3 * interval '1 second' where id = $1
    returning least($2::int, greatest(1, coalesce(in_flight_limit, 50) - 1)) as slots`,
  values: [endpointId, slots, seconds],
});

export const endRetrying = (endpointId: string): Statement => ({
  name: 'end_retrying',
  text: 'update webhook_endpoint set retrying_until = null where id = $1',
  values: [endpointId],
});

export type RetryState = {
  waiting: number;
  /** Until the earliest is due; null where none waits. */
  next_due_in_ms: number | null;
  paused_reason: string | null;
};

/** What waits for its next attempt at an endpoint. Rows in somebody's hand wait, too: what is to become of them is open. */
export const findRetries = (endpointId: string): Statement => ({
  name: 'find_retries',
  text: `
    select waits.waiting, e.paused_reason,
      case when waits.waiting > 0 then
        greatest(0, ceil(extract(epoch from waits.next_due - clock_timestamp()) * 1000))::float8
      end as next_due_in_ms
    from webhook_endpoint e cross join lateral (
      select count(*)::int as waiting, min(d.next_attempt_at) as next_due from webhook_delivery d
      where d.endpoint_id = e.id and d.state = 'retried' and d.owner is null
    ) waits
    where e.id = $1`,
  values: [endpointId],
});
