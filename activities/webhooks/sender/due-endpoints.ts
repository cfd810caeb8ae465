import type { Database } from '../../../db/platform/database';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { Calls, EndpointLoad } from './calls';
import { polling } from './limits';

const firstId = '00000000-0000-0000-0000-000000000000';

export type SenderScope = { owner: string; shard: number; shards: number };

/** Keeps the endpoints of a shard that have due deliveries, and leases as many of these deliveries as planned. */
export function createDueEndpoints(
  database: Pick<Database, 'queryAsWorker'>,
  scope: SenderScope,
  calls: Calls,
) {
  /** The endpoints that probably have due deliveries, by their ids, in the order in which they are served. */
  const due = new Map<string, EndpointLoad>();
  /** The last endpoint of the last scan, or `firstId` if the next scan begins again. */
  let after = firstId;
  let nextScanAt = 0;
  let ignoresWatermarks = true;
  let nextWholeLeaseAt = 0;

  return {
    /**
     * Scans for endpoints with due deliveries: now if `isNotified`, otherwise when the pause since the last scan is
     * over. Once in `wholeLeaseMs`, the next leases of all endpoints that it finds are to ignore the watermark.
     */
    async scan(isNotified: boolean): Promise<void> {
      const startedAt = performance.now();
      if (!isNotified && startedAt < nextScanAt) return;
      if (after === firstId) ignoresWatermarks = startedAt >= nextWholeLeaseAt;
      if (ignoresWatermarks) nextWholeLeaseAt = startedAt + polling.wholeLeaseMs;
      const page = { ...scope, after, limitEndpoints: polling.pageEndpoints };
      const rows = await database.queryAsWorker(listQueuedEndpoints(page));
      for (const { endpoint_id, merchant_id, in_flight_limit, is_ours } of rows) {
        if (!is_ours || merchant_id === null) continue;
        const receiver = calls.find(endpoint_id, merchant_id);
        receiver.limit = in_flight_limit ?? Infinity;
        if (ignoresWatermarks) receiver.watermarkS = 0;
        due.set(receiver.id, receiver);
      }
      after = (rows.length === polling.pageEndpoints ? rows.at(-1)?.endpoint_id : undefined) ?? firstId;
      const now = performance.now();
      const pauseMs = Math.max(polling.scanMs, polling.scanShare * (now - startedAt));
      nextScanAt = now + Math.min(pauseMs, polling.backstopMs);
    },

    /**
     * Leases due deliveries, as many as `calls` plans. `held` returns the deliveries that the sender already works on,
     * which stay leased; `unrecorded` is the number of outcomes that are not recorded yet.
     */
    async lease(unrecorded: number, held: () => LeasedDelivery[]): Promise<LeasedDelivery[]> {
      const plan = calls.plan(due.values(), unrecorded);
      if (plan.size === 0) return [];
      const requests = Array.from(plan, ([{ id, watermarkS }, limit]) => ({
        endpoint_id: id,
        limit,
        watermark_s: watermarkS,
      }));
      const leased = await database.queryAsWorker(leaseDue(scope.owner, requests, held()));
      const now = performance.now();
      for (const { endpoint_id, due_s } of leased) {
        const receiver = due.get(endpoint_id);
        if (!receiver) continue;
        receiver.watermarkS = Math.max(receiver.watermarkS, due_s - polling.commitSlackS);
        receiver.hotUntil = now + polling.hotMs;
      }
      // Endpoints that stay go to the end of the order.
      for (const receiver of plan.keys()) {
        due.delete(receiver.id);
        if (receiver.hotUntil > now) due.set(receiver.id, receiver);
      }
      return leased;
    },
  };
}
