import type { Database } from '../../../db/platform/database';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { EndpointLoad } from './call-plan';
import type { Calls } from './calls';
import { polling } from './limits';

const firstId = '00000000-0000-0000-0000-000000000000';

export type SenderScope = { owner: string; shard: number; shards: number };

/** Keeps the endpoints of a shard that have due deliveries, and leases as many of these deliveries as planned. */
export function createDueEndpoints(
  database: Pick<Database, 'queryAsWorker'>,
  scope: SenderScope,
  calls: Calls,
) {
  /** The endpoints that probably have due deliveries, in the order in which they are served. */
  const due = new Set<EndpointLoad>();
  const scans = { recent: newScan(), other: newScan() };
  let wholeLeasesFrom = 0;

  /** Reads the next page of endpoints with due deliveries. After the last page, the scan pauses for at least `pauseMs`. */
  const scan = async (months: 'recent' | 'other', pauseMs: number): Promise<void> => {
    const state = scans[months];
    const startedAt = performance.now();
    const rows = await database.queryAsWorker(
      listQueuedEndpoints({ ...scope, after: state.after, limitEndpoints: polling.pageEndpoints, months }),
    );
    for (const { endpoint_id, merchant_id, in_flight_limit, is_ours } of rows) {
      if (!is_ours || merchant_id === null) continue;
      due.add(calls.find(endpoint_id, merchant_id, in_flight_limit));
    }
    const now = performance.now();
    state.tookMs += now - startedAt;
    state.after = (rows.length === polling.pageEndpoints ? rows.at(-1)?.endpoint_id : undefined) ?? firstId;
    if (state.after !== firstId) return;
    state.nextAt =
      now + Math.max(pauseMs, Math.min(polling.maxScanPauseMs, polling.scanShare * state.tookMs));
    state.tookMs = 0;
    if (months === 'other') calls.forget((receiver) => due.has(receiver));
  };

  /** Updates what is known about an endpoint after a lease, and puts it at the end of the order if it stays. */
  const update = (receiver: EndpointLoad, found: readonly LeasedDelivery[]): void => {
    const last = found.at(-1);
    due.delete(receiver);
    if (last) {
      receiver.watermarkS = last.due_s - polling.commitSlackS;
      receiver.hotUntil = performance.now() + polling.hotMs;
    }
    if (receiver.hotUntil > performance.now()) due.add(receiver);
  };

  return {
    isWaiting: () => due.size > 0,
    /** True if a scan has more pages to read. */
    isScanning: () => scans.recent.after !== firstId || scans.other.after !== firstId,

    /**
     * Scans for endpoints with due deliveries: now if `isNotified`, otherwise when the pause since the last scan is
     * over. The pause is longer while the sender `isAtCapacity`: more endpoints are of no use to it.
     */
    async scan(isNotified: boolean, isAtCapacity: boolean): Promise<void> {
      const now = performance.now();
      if (isNotified || now >= scans.recent.nextAt)
        await scan('recent', isAtCapacity ? polling.scanFullMs : polling.scanMs);
      if (now >= scans.other.nextAt) await scan('other', polling.otherMonthsMs);
    },

    /**
     * Leases at most `capacity` deliveries. `held` returns the deliveries that the sender already works on, which stay
     * leased.
     */
    async lease(
      capacity: number,
      held: () => LeasedDelivery[],
    ): Promise<{ delivery: LeasedDelivery; receiver: EndpointLoad }[]> {
      const plan = calls.plan(due, capacity);
      if (plan.size === 0) return [];
      const startedAt = performance.now();
      let isWhole = false;
      const requests = Array.from(plan, ([receiver, limit]) => {
        const ignoresWatermark =
          startedAt >= Math.max(receiver.wholeLeaseAt + polling.wholeLeaseMs, wholeLeasesFrom);
        if (ignoresWatermark) receiver.wholeLeaseAt = startedAt;
        isWhole ||= ignoresWatermark;
        return { endpoint_id: receiver.id, limit, watermark_s: ignoresWatermark ? 0 : receiver.watermarkS };
      });
      const rows = await database.queryAsWorker(leaseDue(scope.owner, requests, held()));
      const now = performance.now();
      if (isWhole) wholeLeasesFrom = now + (polling.wholeLeaseShare - 1) * (now - startedAt);
      const found = new Map<string, LeasedDelivery[]>(Array.from(plan.keys(), ({ id }) => [id, []]));
      for (const row of rows) found.get(row.endpoint_id)?.push(row);
      return [...plan.keys()].flatMap((receiver) => {
        const deliveries = found.get(receiver.id) ?? [];
        update(receiver, deliveries);
        return deliveries.map((delivery) => ({ delivery, receiver }));
      });
    },
  };
}

const newScan = () => ({ after: firstId, tookMs: 0, nextAt: 0 });
