import type { Statement } from '../platform/statement';

/**
 * The result of maintaining a month's partition. `kept` means that the partition is past retention but contains a
 * delivery that is open or was open recently.
 */
export type KeptPartition = {
  part: string;
  month: string;
  done: 'made' | 'dropped' | 'kept' | 'failed';
  error: string | null;
};

/**
 * Creates missing partitions for the coming months and for months that already have rows, and drops partitions past
 * retention that have no open delivery. Each call creates or drops at most one partition, so repeat the call until it
 * has nothing left to do.
 */
export const keepWebhookPartitions = (retentionDays: number): Statement<KeptPartition> => ({
  text: 'select * from app.keep_webhook_partitions(make_interval(days => $1))',
  values: [retentionDays],
});

/**
 * Reads 5,000 deliveries after the given id, in a month whose partition was kept past retention, and deletes those
 * that ended more than a week ago. Returns the id after which the next call resumes, or null at the end of the month.
 */
export const expireDeliveries = (
  month: string,
  retentionDays: number,
  after: string,
): Statement<{ last_id: string | null }> => ({
  text: 'select app.expire_webhook_deliveries($1, make_interval(days => $2), $3) as last_id',
  values: [month, retentionDays, after],
});

/**
 * Cancels at most `limitRows` deliveries that have been due for a year at a paused or disabled endpoint. As long as
 * such a delivery waits, the partition of its month cannot be dropped.
 */
export const cancelOutwaited = (limitRows: number): Statement => {
  const isOutwaited = `d.id < app.month_floor(now() - interval '1 year')
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
