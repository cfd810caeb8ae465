import type { Database } from '../../db/platform/database';
import { closeDueAttempts, closingBatch } from '../../db/taking/attempt-work';

/**
 * Closes all attempts whose time is over or whose candidate has left, in batches of one transaction each
 * (docs/taking.md#ends).
 */
export async function closeAttempts(database: Pick<Database, 'writeAsWorker'>): Promise<void> {
  let closed: number;
  do ({ closed } = await database.writeAsWorker((trx) => trx.one(closeDueAttempts)));
  while (closed >= closingBatch);
}
