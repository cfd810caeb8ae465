import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import type { QueuedEndpoint, EndpointPage, LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { Webhooks } from './webhooks';

const firstId = '00000000-0000-0000-0000-000000000000';

/** A page with all endpoints. There is only one shard. */
export const allEndpoints: EndpointPage = {
  shard: 0,
  shards: 1,
  after: firstId,
  limitEndpoints: 1_000,
};

/** Returns the ids of the open endpoints that have due deliveries. */
export async function findOpen({ worker }: Webhooks, more: Partial<EndpointPage> = {}): Promise<string[]> {
  const found = await worker.queryAsWorker<QueuedEndpoint>(listQueuedEndpoints({ ...allEndpoints, ...more }));
  return found.filter(({ is_ours }) => is_ours).map(({ endpoint_id }) => endpoint_id);
}

/** Asks for deliveries of one endpoint. */
export const request = (endpoint_id: string, limit = 4, watermark_s = 0) => ({
  endpoint_id,
  limit,
  watermark_s,
});

/** Leases due deliveries, at most `limit` for each open endpoint. */
export async function leaseAll(
  webhooks: Webhooks,
  owner: string,
  { limit = 4, held = [] }: { limit?: number; held?: readonly LeasedDelivery[] } = {},
): Promise<LeasedDelivery[]> {
  const requests = (await findOpen(webhooks)).map((id) => request(id, limit));
  return webhooks.worker.queryAsWorker(leaseDue(owner, requests, held));
}
