import type { Database } from '../db/platform/database';
import { findFeedEdges, recordWaitingChanges } from '../db/sync/changes';

/** How often the worker looks. The lag that it measures is exact to this interval. */
export const lagEveryMs = 5_000;

/**
 * Returns a function that measures how far the feeds of `GET /sync` and `GET /event-list` are behind: how long the
 * oldest change has waited for a transaction that is still running, or to be recorded. It remembers which transactions had
 * ended when it looked.
 */
export function createLagMeter(database: Pick<Database, 'queryAsWorker'>, now = () => performance.now()) {
  let seen: { next: bigint; at: number }[] = [];
  return async (): Promise<number> => {
    const at = now();
    const [edges] = await database.queryAsWorker(findFeedEdges);
    if (!edges) throw new Error('Postgres has no snapshot');
    // Readers get everything that had ended by then.
    seen = [...seen, { next: BigInt(edges.next), at }].filter(({ next }) => next > BigInt(edges.boundary));
    return Math.max(edges.unrecorded_s, seen[0] ? (at - seen[0].at) / 1_000 : 0);
  };
}

/** Records the changes that transactions have left because they were very many (docs/sync.md#very-many-changes). */
export async function recordDeferredChanges(
  database: Pick<Database, 'writeAsWorker'>,
  signal: AbortSignal,
): Promise<void> {
  const recordSome = () => database.writeAsWorker((trx) => trx.one(recordWaitingChanges));
  while (!signal.aborted && (await recordSome()).recorded);
}
