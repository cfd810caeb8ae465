import type { Caller, Database, Transaction } from '../../../db/platform/database';

/** Thrown to roll back a transaction whose work has succeeded. */
class DryRun<T> extends Error {
  constructor(readonly value: T) {
    super('the transaction is a dry run');
  }
}

/**
 * Runs a write transaction, rolls it back and returns its value. What it returns is what the same work would return now,
 * with the same checks and locks. Ids of rows that it inserted mean nothing afterwards.
 */
export async function dryRun<T>(
  database: Pick<Database, 'write'>,
  caller: Caller,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const end = await database
    .write(caller, async (trx) => {
      throw new DryRun(await work(trx));
    })
    .catch((error: unknown) => error);
  if (end instanceof DryRun) return end.value as T;
  throw end;
}
