import { LRUCache } from 'lru-cache';
import { customHeaders } from '../../../api/webhooks/webhook-headers';
import type { Database } from '../../../db/platform/database';
import type { Seal } from '../../../db/platform/sealed';
import { findSendingEndpoints } from '../../../db/webhooks/sending-endpoints';
import type { SendingEndpoint } from '../../../db/webhooks/sending-endpoints';
import { maxEndpoints } from './limits';
import { masksOf } from './mask-response';
import { openSigningSecret } from './request-headers';
import { plannedWaitsMs } from './retry-schedule';

/** The data of an endpoint that an attempt needs, with decrypted headers and decoded secrets. */
export type Endpoint = ReturnType<typeof openEndpoint>;
export type EndpointCache = ReturnType<typeof createEndpointCache>;

/**
 * Keeps endpoints in memory. Each version of an endpoint is decrypted once, because decrypting takes longer than
 * sending.
 */
export function createEndpointCache(database: Pick<Database, 'queryAsWorker'>, seal: Seal) {
  const known = new LRUCache<string, Endpoint>({ max: maxEndpoints });
  return {
    find: (id: string): Endpoint | undefined => known.get(id),
    /** Loads the wanted endpoints, except those that are in memory in the wanted version or a later one. */
    async load(wanted: readonly { endpoint_id: string; version: number }[]): Promise<void> {
      const unknown = wanted.filter(
        ({ endpoint_id, version }) => (known.get(endpoint_id)?.version ?? -1) < version,
      );
      if (unknown.length === 0) return;
      const ids = [...new Set(unknown.map(({ endpoint_id }) => endpoint_id))];
      for (const row of await database.queryAsWorker(findSendingEndpoints(ids)))
        known.set(row.id, openEndpoint(row, seal));
    },
  };
}

/** Decrypts an endpoint. `problem` says why nothing can be sent to it, or is null. */
function openEndpoint(row: SendingEndpoint, seal: Seal) {
  const { id, version, url, custom_headers_sealed: sealedHeaders } = row;
  const facts = {
    version,
    url,
    timeoutMs: row.timeout_seconds * 1_000,
    waitsMs: row.retry_waits_ms ?? plannedWaitsMs,
  };
  try {
    const json = sealedHeaders ? seal.open(sealedHeaders, `webhook_endpoint/${id}`) : '{}';
    const headers = customHeaders.parse(JSON.parse(json));
    const secrets = row.secrets.map(({ id: secretId, sealed, ends_s }) => ({
      key: openSigningSecret(seal.open(Buffer.from(sealed, 'base64'), `webhook_secret/${secretId}`)),
      ends_s,
    }));
    return { ...facts, headers, masks: masksOf(headers), secrets, problem: null };
  } catch {
    const problem = "the endpoint's headers or secrets cannot be opened: their key is not among SEALING_KEYS";
    return { ...facts, problem };
  }
}
