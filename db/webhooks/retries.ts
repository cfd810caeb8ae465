import type { Statement } from '../platform/statement';
import { canBeSentTo } from './open-endpoints';

/**
 * Reserves the endpoint for a retry run for `seconds`. Meanwhile, the senders may make only one call to it at a time.
 * Returns `{until}`, which identifies the run. To extend the reservation, the run passes its last `until` as `mine`;
 * it gets no row if another run has replaced it.
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

/** Ends a retry run: the senders get the endpoint's full concurrency limit back, unless another run has taken over. */
export const endRetrying = (endpointId: string, mine: string): Statement => ({
  name: 'end_retrying',
  text: 'update webhook_endpoint set retrying_until = null where id = $1 and retrying_until = $2',
  values: [endpointId, mine],
});

export type RetryState = {
  waiting: number;
  /** Milliseconds until the earliest retry is due; null when none waits. */
  next_due_in_ms: number | null;
  paused_reason: string | null;
  /** True if the endpoint is neither paused nor disabled nor deleted. */
  is_open: boolean;
};

/** Returns how many retries wait at an endpoint, not counting leased ones, and whether the endpoint can be sent to. */
export const findRetries = (endpointId: string): Statement<RetryState> => ({
  name: 'find_retries',
  text: `
    select waits.waiting, e.paused_reason, ${canBeSentTo} as is_open,
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

/**
 * Returns a row if a retry is due at an open endpoint. A retry run that has claimed nothing should then try again,
 * because calls of the senders or a row lock kept it from claiming the due retry.
 */
export const findHeldUp = (endpointId: string): Statement => ({
  name: 'find_held_up',
  text: `
    select e.id from webhook_endpoint e
    where e.id = $1 and ${canBeSentTo} and exists (
      select from webhook_delivery d
      where d.endpoint_id = e.id and d.state = 'retried' and d.owner is null and d.next_attempt_at <= now()
    )`,
  values: [endpointId],
});

/**
 * Locks and returns the endpoint if it has been paused since `since` or earlier; if `since` is null, any pause
 * matches. No pause begins or ends while the row is locked. Like all times that statements return, `since` is precise
 * to the millisecond.
 */
export const holdPause = (endpointId: string, since: string | null): Statement => ({
  text: `
    select e.id from webhook_endpoint e
    where e.id = $1 and e.paused_reason is not null
      and ($2::timestamptz is null or date_trunc('milliseconds', e.paused_at) <= $2)
    for update`,
  values: [endpointId, since],
});
