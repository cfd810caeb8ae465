import type { Statement } from '../platform/statement';

/**
 * Leaves the sender's loop one slot of the endpoint for so long. Answers `{until}`, by which the run that said so is told
 * from others: with `mine`, its last one, it says so again, and gets no row when another run has followed it.
 */
export const holdRetries = (
  endpointId: string,
  seconds: number,
  mine: string | null,
): Statement<{ until: string }> => ({
  name: 'hold_retries',
  text: `
    update webhook_endpoint set retrying_until = clock_timestamp() + $2 * interval '1 second'
    where id = $1 and ($3::timestamptz is null or retrying_until = $3)
    returning retrying_until::text as until`,
  values: [endpointId, seconds, mine],
});

/** Gives the loop its slots back, unless another run has them now. */
export const endRetrying = (endpointId: string, mine: string): Statement => ({
  name: 'end_retrying',
  text: 'update webhook_endpoint set retrying_until = null where id = $1 and retrying_until = $2',
  values: [endpointId, mine],
});

export type RetryState = {
  waiting: number;
  /** Until the earliest is due; null where none waits. */
  next_due_in_ms: number | null;
  paused_reason: string | null;
  /** Neither paused nor turned off nor deleted. */
  is_open: boolean;
};

/** What waits for its next attempt at an endpoint. Rows in somebody's hand wait, too: what is to become of them is open. */
export const findRetries = (endpointId: string): Statement<RetryState> => ({
  name: 'find_retries',
  text: `
    select waits.waiting, e.paused_reason, e.enabled and e.paused_reason is null and e.deleted_at is null as is_open,
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

/** A row where something is due of an endpoint that can be sent to: a claim got none of it, so it is to be tried again. */
export const findHeldUp = (endpointId: string): Statement => ({
  name: 'find_held_up',
  text: `
    select e.id from webhook_endpoint e
    where e.id = $1 and e.enabled and e.paused_reason is null and e.deleted_at is null and exists (
      select from webhook_delivery d
      where d.endpoint_id = e.id and d.state = 'retried' and d.owner is null and d.next_attempt_at <= now()
    )`,
  values: [endpointId],
});

/**
 * A row where the endpoint is paused, by a pause that began no later than `since`, on the wire to the millisecond, or with
 * null by any; held, so that no other begins or ends.
 */
export const holdPause = (endpointId: string, since: string | null): Statement => ({
  text: `
    select e.id from webhook_endpoint e
    where e.id = $1 and e.paused_reason is not null
      and ($2::timestamptz is null or date_trunc('milliseconds', e.paused_at) <= $2)
    for update`,
  values: [endpointId, since],
});
