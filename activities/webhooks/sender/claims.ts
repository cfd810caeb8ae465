import type { ClaimShares } from '../../../db/webhooks/claim-shares';
import { claimQueued, stampOf } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery, ClaimRow } from '../../../db/webhooks/deliveries';
import { idFloor } from '../../../db/webhooks/delivery-history';
import { takeBackQueued } from '../../../db/webhooks/delivery-outcomes';
import type { Database } from '../../../db/platform/database';
import { createFloors } from './floors';
import { claimBytes } from './slots';

const limitEndpoints = 256;
const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/**
 * Most claims search only the last 24 hours. A claim over all partitions runs once per second, and every time for 10
 * s after it finds older deliveries.
 */
const recentMs = 24 * 3_600_000;
const wideMs = 1_000;
const staysWideMs = 10_000;
const tidyMs = 2_000;

export type ClaimScope = { owner: string; shard: number; shards: number };
export type Claims = ReturnType<typeof createClaims>;

/**
 * Claims the deliveries of a shard, one statement at a time. Each claim starts after the endpoint where the last one
 * ended, so that no endpoint starves.
 */
export function createClaims(database: Pick<Database, 'queryAsWorker'>, scope: ClaimScope) {
  const floors = createFloors();
  let after = firstId;
  /** Whether a claim has found anything since the round began at the first endpoint. */
  let hasFound = false;
  let isWide = true;
  let widePolledAt = -Infinity;
  let othersFoundAt = performance.now();
  let tidiedAt = -Infinity;

  return {
    /**
     * `isRound`: the claims since the first endpoint have covered all endpoints and found nothing. `tooLarge`:
     * endpoints whose due deliveries need more than `freeBytes`.
     */
    async claim(
      limitRows: number,
      freeBytes: number,
      free: ClaimShares,
      held: readonly ClaimedDelivery[],
    ): Promise<{ claimed: ClaimedDelivery[]; isRound: boolean; tooLarge: string[] }> {
      const now = performance.now();
      if (after === firstId) {
        const isWhole = floors.begin(hasFound);
        hasFound = false;
        isWide = isWhole || now - othersFoundAt < staysWideMs || now - widePolledAt > wideMs;
      }
      // These bounds use the process's clock. If it is wrong, deliveries look old and all claims become wide.
      const recent = { from: idFloor(Date.now() - recentMs), before: idFloor(Date.now() + recentMs) };
      const rows = await floors.time(() =>
        database.queryAsWorker(
          claimQueued({
            ...scope,
            limitRows,
            limitBytes: Math.max(0, Math.min(freeBytes, claimBytes)),
            // Otherwise a large delivery would wait forever while smaller ones keep coming.
            takesOneLarge: freeBytes >= claimBytes,
            limitEndpoints,
            after,
            ...(isWide ? { from: firstId, before: lastId } : recent),
            ...free,
            heldIds: held.map(({ id }) => id),
            heldStamps: held.map(stampOf),
            ...floors.behind(after),
          }),
        ),
      );
      const claimed = rows.filter(isClaimed);
      const tooLarge = rows[0]?.too_large ?? [];
      floors.learn(claimed, tooLarge);
      if (isWide) {
        widePolledAt = performance.now();
        if (claimed.some(({ id }) => id < recent.from || id >= recent.before))
          othersFoundAt = performance.now();
      }
      after = rows[0]?.resume_after ?? firstId;
      hasFound ||= claimed.length > 0;
      return { claimed, isRound: after === firstId && !hasFound, tooLarge };
    },

    /** Reclaims the leases of dead senders, at most every two seconds. */
    async tidy(): Promise<void> {
      if (performance.now() - tidiedAt < tidyMs) return;
      tidiedAt = performance.now();
      await database.queryAsWorker(takeBackQueued(scope.owner));
    },
  };
}

type Claimed = ClaimedDelivery & { due_s: number };

const isClaimed = (row: ClaimRow): row is ClaimRow & Claimed => row.id !== null;
