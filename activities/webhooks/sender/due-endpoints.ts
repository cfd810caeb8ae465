import type { Database } from '../../../db/platform/database';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { Calls, EndpointLoad } from './calls';
import { polling } from './limits';

const firstId = '00000000-0000-0000-0000-000000000000';

export type SenderShard = { owner: string; shard: number; shards: number };

/** Keeps the endpoints of a shard that have deliveries in the queue, and leases as many of the due ones as planned. */
export function createDueEndpoints(
  database: Pick<Database, 'queryAsWorker'>,
  scope: SenderShard,
  calls: Calls,
) {
  /** The endpoints that probably have due deliveries, by their ids, in the order in which they are served. */
  const due = new Map<string, EndpointLoad>();
  /** The last endpoint of the last page, or `firstId` if the next scan begins a pass. */
  let after = firstId;
  let passStartedAt = 0;
  let nextScanAt = 0;
  let ignoresWatermarks = true;
  let nextIgnoreAt = 0;

  return {
    /** True if a pass has more pages to read. */
    isScanning: () => after !== firstId,

    /**
     * Scans for endpoints with deliveries in the queue: now if `scansNow` or if a pass has more pages, otherwise when the
     * pause since the last pass is over. Once in `ignoreWatermarkMs`, a pass resets the watermarks of all endpoints that it finds, so that their
     * next lease reads the whole queue.
     */
    async scan(scansNow: boolean): Promise<void> {
      const startedAt = performance.now();
      if (!scansNow && startedAt < nextScanAt) return;
      if (after === firstId) {
        passStartedAt = startedAt;
        ignoresWatermarks = startedAt >= nextIgnoreAt;
        if (ignoresWatermarks) nextIgnoreAt = startedAt + polling.ignoreWatermarkMs;
      }
      const page = { ...scope, after, limitEndpoints: polling.pageEndpoints };
      const rows = await database.queryAsWorker(listQueuedEndpoints(page));
      for (const { endpoint_id, merchant_id, in_flight_limit, is_ours } of rows) {
        if (!is_ours || merchant_id === null) continue;
        const load = calls.findOrCreate(endpoint_id, merchant_id);
        load.limit = in_flight_limit ?? Infinity;
        if (ignoresWatermarks) load.watermarkS = 0;
        due.set(load.id, load);
      }
      after = (rows.length === polling.pageEndpoints ? rows.at(-1)?.endpoint_id : undefined) ?? firstId;
      if (after !== firstId) return;
      const now = performance.now();
      const pauseMs = Math.max(polling.scanMs, polling.scanPauseFactor * (now - passStartedAt));
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
        const load = due.get(endpoint_id);
        if (!load) continue;
        load.watermarkS = Math.max(load.watermarkS, due_s - polling.commitSlackS);
        load.hotUntil = now + polling.hotMs;
      }
      // Endpoints that stay go to the end of the order.
      for (const load of plan.keys()) {
        due.delete(load.id);
        if (load.hotUntil > now) due.set(load.id, load);
      }
      return leased;
    },
  };
}
