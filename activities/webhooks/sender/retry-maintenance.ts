import type { Database } from '../../../db/platform/database';
import { listAbandonedRetries, listRetriesToStart } from '../../../db/webhooks/delivery-retries';
import type { ScannedEndpoint } from '../../../db/webhooks/delivery-retries';
import { listUnmailedPauses } from '../../../db/webhooks/webhook-pauses';
import type { EndpointScope } from '../../../workflows/ids';

type RetryMaintenanceDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  signal: (endpoint: EndpointScope) => void;
  /** An endpoint is signalled when its deliveries are overdue by this many milliseconds. */
  lateMs?: number;
};

/**
 * Limits the endpoints that one query selects. The signaller sends 20 signals per second, so it signals this many
 * endpoints within 5 s.
 */
const limitSignals = 100;
const limitEndpoints = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Finds endpoints whose signals were lost. Signals get lost if there are too many of them, while Temporal is
 * unavailable, or if the worker dies. Both functions return the number of endpoints that they signalled.
 */
export function createRetryMaintenance({ database, signal, lateMs = 3_000 }: RetryMaintenanceDeps) {
  let after = noId;
  return {
    /**
     * Signals endpoints whose deliveries are overdue or leased by a dead worker. Each call scans the next 500
     * endpoints.
     */
    startMissedRetries: async (): Promise<number> => {
      const { scanned, abandoned } = await database.writeAsWorker(async (trx) => ({
        scanned: await trx.rows(listRetriesToStart(after, limitEndpoints, lateMs)),
        abandoned: await trx.rows(listAbandonedRetries),
      }));
      const overdue = scanned.filter(isOverdue);
      const late = overdue.slice(0, limitSignals);
      const last = overdue.length > late.length ? late.at(-1) : scanned.at(-1);
      const isThrough = scanned.length < limitEndpoints && overdue.length === late.length;
      after = isThrough ? noId : (last?.endpoint_id ?? noId);
      const found = [...late, ...abandoned];
      for (const { endpoint_id, merchant_id, environment } of found)
        signal({ endpoint_id, merchant_id, environment });
      return found.length;
    },

    /**
     * Signals endpoints that the platform paused and whose owners got no mail about it. The workflow then sends the
     * mail.
     */
    mailMissedPauses: async (): Promise<number> => {
      const found = await database.writeAsWorker((trx) => trx.rows(listUnmailedPauses(limitSignals)));
      found.forEach(signal);
      return found.length;
    },
  };
}

const isOverdue = (scanned: ScannedEndpoint): scanned is ScannedEndpoint & EndpointScope =>
  scanned.is_overdue;
