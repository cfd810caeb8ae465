import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import {
  cancelOutwaited,
  expireDeliveries,
  keepWebhookPartitions,
} from '../../db/webhooks/webhook-partitions';
import type { KeptPartition } from '../../db/webhooks/webhook-partitions';

const cancelledRows = 10_000;
/**
 * Limits how many partitions one call creates and drops. A call never needs this many; if it did, the next call would
 * continue.
 */
const maxSteps = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

type PartitionsDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  retentionDays: number;
  log: Pick<Logger, 'warn'>;
};

/**
 * Maintains the partitions of deliveries and attempts (db/webhooks/sql/partitions.sql), each step in its own
 * transaction. A failure in the partition of one month is only logged. Stops early if the signal aborts.
 */
export async function maintainPartitions(
  { database, retentionDays, log }: PartitionsDeps,
  signal: AbortSignal,
): Promise<void> {
  const cancel = () => database.writeAsWorker((trx) => trx.count(cancelOutwaited(cancelledRows)));
  while (!signal.aborted && (await cancel()) === cancelledRows);

  let parts: KeptPartition[] = [];
  for (let step = 0; step < maxSteps && !signal.aborted; step++) {
    parts = await database.writeAsWorker((trx) => trx.rows(keepWebhookPartitions(retentionDays)));
    if (!parts.some(({ done }) => done === 'made' || done === 'dropped')) break;
  }
  for (const { part, error } of parts.filter(({ done }) => done === 'failed'))
    log.warn({ part, reason: error }, 'failed to maintain a webhook partition');

  for (const { month } of parts.filter(({ done }) => done === 'kept'))
    for (let after: string | null = firstId; after !== null && !signal.aborted;)
      after = await expire({ database, retentionDays }, month, after);
}

const expire = async (
  { database, retentionDays }: Pick<PartitionsDeps, 'database' | 'retentionDays'>,
  month: string,
  after: string,
): Promise<string | null> => {
  return (await database.writeAsWorker((trx) => trx.one(expireDeliveries(month, retentionDays, after))))
    .last_id;
};
