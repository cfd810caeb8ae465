/** SQL that is true if the endpoint `e` is open, which means that deliveries may be sent to it. */
export const canBeSentTo = `e.enabled and e.paused_reason is null and e.deleted_at is null`;

/**
 * SQL for the endpoint id from which a scan over endpoints continues after it has visited the row `next`. If the
 * endpoint in this row cannot be sent to, the scan jumps to the next open endpoint (with 5,000 paused endpoints: 9 ms
 * instead of 200).
 */
export const behindEndpoint = `case when e.is_open then next.endpoint_id else coalesce((
          select e.id from webhook_endpoint e where ${canBeSentTo} and e.id > next.endpoint_id
          order by e.id limit 1
        ), 'ffffffff-ffff-ffff-ffff-ffffffffffff') end`;
