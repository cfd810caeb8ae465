/** Whether endpoint `e` is open: deliveries may be sent to it. */
export const canBeSentTo = `e.enabled and e.paused_reason is null and e.deleted_at is null`;

/**
 * The endpoint after which a loose scan continues from `next`. When `e.is_open` is false, the scan jumps to the next open
 * endpoint, however many closed ones have queued rows (measured: with 5,000 paused endpoints a claim took 200 ms instead of
 * 9).
 */
export const behindEndpoint = `case when e.is_open then next.endpoint_id else coalesce((
          select e.id from webhook_endpoint e where ${canBeSentTo} and e.id > next.endpoint_id
          order by e.id limit 1
        ), 'ffffffff-ffff-ffff-ffff-ffffffffffff') end`;
