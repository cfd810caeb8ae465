import type { Database } from '../db/platform/database';
import { findFeedEdges } from '../db/sync/changes';

/** How often the worker looks. The lag that it measures is exact to this interval. */
export const lagEveryMs = 5_000;

/**
 * Returns a function that measures how far the feeds of `GET /sync` and `GET /event-list` are behind: how long the
 * oldest change has waited for a transaction that is still running. It remembers which transactions had ended when it looked.
 */
export function createLagMeter(database: Pick<Database, 'queryAsWorker'>, now = () => performance.now()) {
  let seen: { next: bigint; at: number }[] = [];
  return async (): Promise<number> => {
    const at = now();
    const [edges] = await database.queryAsWorker(findFeedEdges);
    if (!edges) throw new Error('Postgres has no snapshot');
    // Readers get everything that had ended by then.
    seen = [...seen, { next: BigInt(edges.next), at }].filter(({ next }) => next > BigInt(edges.boundary));
    return seen[0] ? (at - seen[0].at) / 1_000 : 0;
  };
}
