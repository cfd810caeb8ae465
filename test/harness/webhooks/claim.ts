import { fetchDue, scanDue } from '../../../db/webhooks/deliveries';
import type {
  ClaimedDelivery,
  DueEndpoint,
  FetchedDelivery,
  ScanOfDue,
} from '../../../db/webhooks/deliveries';
import type { Webhooks } from './webhooks';

const firstId = '00000000-0000-0000-0000-000000000000';

/** The input of a scan that looks for due deliveries in all endpoints and all months. There is only one shard. */
export const wideScan: ScanOfDue = {
  shard: 0,
  shards: 1,
  after: firstId,
  limitEndpoints: 1_000,
  months: 'all',
};

/** Returns the ids of the open endpoints that have due deliveries. */
export async function scanOpen({ worker }: Webhooks, more: Partial<ScanOfDue> = {}): Promise<string[]> {
  const found = await worker.queryAsWorker<DueEndpoint>(scanDue({ ...wideScan, ...more }));
  return found.filter(({ is_open }) => is_open).map(({ endpoint_id }) => endpoint_id);
}

/** Returns the input for fetching deliveries of one endpoint. */
export const fetchOf = (endpoint_id: string, limit = 4, watermark_s = 0) => ({
  endpoint_id,
  limit,
  limit_beside_retries: Math.min(limit, 1),
  watermark_s,
});

/** Leases due deliveries, at most `limit` for each open endpoint. */
export async function claimDue(
  webhooks: Webhooks,
  owner: string,
  { limit = 4, held = [] }: { limit?: number; held?: readonly ClaimedDelivery[] } = {},
): Promise<FetchedDelivery[]> {
  const chosen = (await scanOpen(webhooks)).map((id) => fetchOf(id, limit));
  return webhooks.worker.queryAsWorker(fetchDue(owner, chosen, held, 'all'));
}
