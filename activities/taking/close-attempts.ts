import type { Database } from '../../db/platform/database';
import { closeDueAttempts, closingBatch } from '../../db/taking/attempt-work';

/** Closes all attempts that are due, in batches with their own transactions (docs/taking.md#ends). */
export async function closeAttempts(database: Pick<Database, 'writeAsWorker'>): Promise<void> {
  let closed: number;
  do ({ closed } = await database.writeAsWorker((trx) => trx.one(closeDueAttempts)));
  while (closed >= closingBatch);
}
