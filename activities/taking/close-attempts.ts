import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import { closeDueAttempts, closingBatchSize } from '../../db/taking/attempt-work';

/**
 * Closes all attempts whose time is over or whose candidate has left, in batches of one transaction each
 * (docs/taking.md#ends). An attempt that cannot be closed is logged and does not hold up others.
 */
export async function closeAttempts(
  database: Pick<Database, 'writeAsWorker'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const failedIds: string[] = [];
  let found: number;
  do {
    const { closed, failed } = await database.writeAsWorker((trx) => trx.one(closeDueAttempts(failedIds)));
    for (const facts of failed) {
      log.error(facts, 'failed to close an attempt');
      failedIds.push(facts.result_id);
    }
    found = closed + failed.length;
  } while (found >= closingBatchSize);
}
