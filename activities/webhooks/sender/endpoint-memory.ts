import type { KeyObject } from 'node:crypto';
import { customHeaders } from '../../../api/webhooks/webhook-headers';
import type { CustomHeaders } from '../../../api/webhooks/webhook-headers';
import type { Database } from '../../../db/platform/database';
import type { Seal } from '../../../db/platform/sealed';
import { findSendingEndpoints } from '../../../db/webhooks/sending-endpoints';
import type { SendingEndpoint } from '../../../db/webhooks/sending-endpoints';
import { masksOf } from './mask-answer';
import type { Masks } from './mask-answer';
import { plannedWaitsMs } from './schedule';
import { openSigningSecret } from './sign';

/** The data of an endpoint that an attempt needs, with decrypted headers and decoded secrets. */
export type Endpoint = {
  id: string;
  version: number;
  url: string;
  headers: CustomHeaders;
  /** The values of custom headers that stored responses must not show. */
  masks: Masks | null;
  timeoutMs: number;
  waitsMs: readonly number[];
  /** All valid signing secrets, newest first. `ends_s` is in seconds since 1970 by the database's clock. */
  secrets: { key: KeyObject; ends_s: number | null }[];
  /**
   * Set if the headers or secrets cannot be decrypted with `SEALING_KEYS`, so that nothing can be sent. Otherwise null.
   */
  problem: string | null;
};

export type EndpointMemory = ReturnType<typeof createEndpointMemory>;

/** Limits the memory for endpoints, each of which takes a few kilobytes. */
const maxEndpoints = 5_000;

/**
 * Keeps endpoints in memory. Each version of an endpoint is decrypted once, because decrypting takes longer than
 * sending.
 */
export function createEndpointMemory(database: Pick<Database, 'queryAsWorker'>, seal: Seal) {
  const known = new Map<string, Endpoint>();
  const isKnown = ({ endpoint_id, version }: Wanted) => (known.get(endpoint_id)?.version ?? -1) >= version;
  return {
    find: (id: string): Endpoint | undefined => known.get(id),
    /** Loads the wanted endpoints, except those that are in memory in the wanted version or a later one. */
    async learn(wanted: readonly Wanted[]): Promise<void> {
      const unknown = new Set(wanted.filter((one) => !isKnown(one)).map(({ endpoint_id }) => endpoint_id));
      if (unknown.size === 0) return;
      const rows = await database.queryAsWorker(findSendingEndpoints([...unknown]));
      for (const row of rows) {
        known.delete(row.id);
        known.set(row.id, openEndpoint(row, seal));
      }
      for (const [oldest] of known) {
        if (known.size <= maxEndpoints) break;
        if (!unknown.has(oldest)) known.delete(oldest);
      }
    },
  };
}

type Wanted = { endpoint_id: string; version: number };

function openEndpoint(row: SendingEndpoint, seal: Seal): Endpoint {
  const { id, version, url, custom_headers_sealed: headers } = row;
  const facts = {
    id,
    version,
    url,
    timeoutMs: row.timeout_seconds * 1_000,
    waitsMs: row.retry_waits_ms ?? plannedWaitsMs,
  };
  try {
    const opened = headers
      ? customHeaders.parse(JSON.parse(seal.open(headers, `webhook_endpoint/${id}`)))
      : {};
    return {
      ...facts,
      headers: opened,
      masks: masksOf(opened),
      secrets: row.secrets.map(({ id: secretId, sealed, ends_s }) => ({
        key: openSigningSecret(seal.open(Buffer.from(sealed, 'base64'), `webhook_secret/${secretId}`)),
        ends_s,
      })),
      problem: null,
    };
  } catch {
    return {
      ...facts,
      headers: {},
      masks: null,
      secrets: [],
      problem: "the endpoint's headers or secrets cannot be opened: their key is not among SEALING_KEYS",
    };
  }
}
