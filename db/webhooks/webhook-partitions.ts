import type { Statement } from '../platform/statement';

/** What was done with one month's partition; `kept` though its time is over, since a delivery of it is or was just open. */
export type KeptPartition = {
  part: string;
  month: string;
  done: 'made' | 'dropped' | 'kept' | 'failed';
  error: string | null;
};

/**
 * Makes the partitions of the months ahead, with what came while one was missing, and drops those that are older than the
 * retention and without an open delivery. A call makes or drops one: to be repeated until it answers none.
 */
export const keepWebhookPartitions = (retentionDays: number): Statement<KeptPartition> => ({
  text: 'select * from app.keep_webhook_partitions(make_interval(days => $1))',
  values: [retentionDays],
});

/** Deletes some thousand deliveries of a kept month that ended a week ago, behind that id; answers where to go on. */
export const expireDeliveries = (
  month: string,
  retentionDays: number,
  after: string,
): Statement<{ last_id: string | null }> => ({
  text: 'select app.expire_webhook_deliveries($1, make_interval(days => $2), $3) as last_id',
  values: [month, retentionDays, after],
});

/**
 * Cancels what has been due for a year at an endpoint that is paused or turned off, so many at most: for that long a
 * month outlives its retention.
 */
export const cancelOutwaited = (limitRows: number): Statement => {
  const isOutwaited = `d.owner is null and d.id < app.month_floor(now() - interval '1 year')
    and d.next_attempt_at < now() - interval '1 year'`;
  return {
    text: `
      update webhook_delivery d set state = 'cancelled', finished_at = now(), next_attempt_at = null
      where d.state in ('queued', 'retried') and ${isOutwaited} and d.id in (
        (select d.id from webhook_delivery d where d.state = 'queued' and ${isOutwaited} limit $1)
        union all
        (select d.id from webhook_delivery d where d.state = 'retried' and ${isOutwaited} limit $1)
        limit $1
      )`,
    values: [limitRows],
  };
};
