import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import { announceChanges } from '../../db/webhooks/sync-events';
import { ageQueues, countWebhooks } from '../../db/webhooks/webhook-counts';
import type { QueueAge } from '../../db/webhooks/webhook-counts';
import { runLoop } from '../platform/loop';
import type { WebhookGauges } from './webhook-metrics';
import { maintainPartitions } from './webhook-partitions';

const gaugesPauseMs = 15_000;
const partitionsPauseMs = 3_600_000;
const announcementsPauseMs = 5_000;
const limitAnnouncements = 1_000;
const limitRows = 100_000;
const limitEndpoints = 1_000;
const firstId = '00000000-0000-0000-0000-000000000000';

type MaintenanceDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  retentionDays: number;
  gauges: WebhookGauges;
  log: Pick<Logger, 'warn'>;
};

/** Maintains the partitions and gauges of the webhook tables, and announces changes to endpoints, until the signal aborts. */
export async function runWebhookMaintenance(deps: MaintenanceDeps, signal: AbortSignal): Promise<void> {
  const { database, gauges, log } = deps;
  const onError = (err: unknown) => log.warn({ err }, 'failed to maintain webhooks');
  await Promise.all([
    runLoop(
      async () => {
        const [counts] = await database.queryAsWorker(countWebhooks(limitRows));
        if (counts) gauges.show(counts, await findQueueAge(database));
      },
      { pauseMs: gaugesPauseMs, signal, onError },
    ),
    runLoop(() => database.queryAsWorker(announceChanges(limitAnnouncements)), {
      pauseMs: announcementsPauseMs,
      signal,
      onError,
    }),
    runLoop(() => maintainPartitions(deps, signal), {
      pauseMs: partitionsPauseMs,
      signal,
      onError,
    }),
  ]);
}

/**
 * Returns how many seconds the oldest first attempt that is due has waited. Reads the endpoints in batches, so that
 * no statement takes long.
 */
async function findQueueAge({ queryAsWorker }: MaintenanceDeps['database']): Promise<number> {
  let oldest = 0;
  for (let after: string | null = firstId; after !== null;) {
    const [row]: QueueAge[] = await queryAsWorker(ageQueues(after, limitEndpoints));
    oldest = Math.max(oldest, row?.age_s ?? 0);
    after = row?.resume_after ?? null;
  }
  return oldest;
}
