/** Looks at everything that take less, all of them together, need no floors. */
const cheapMs = 10;
/** While something is found; else sooner. */
const fullEachMs = 1_000;
/** Of the time, looks at everything take a tenth at most. */
const fullShare = 10;
/** A delivery is due since its transaction began: one that took no longer is never behind the floor. */
const slackSeconds = 1;
/** Each is looked at by each claim that uses floors. */
const maxEndpoints = 256;

export type Floors = ReturnType<typeof createFloors>;

/**
 * Since when, of endpoints that were claimed of, what they have left is due: an endpoint's deliveries are claimed in that
 * order. While somebody has an old snapshot open (a backup, a long report), every claim would else read again all that
 * was delivered since (measured: 5 ms become 150 ms with 200,000).
 *
 * Hints only: what is due since longer, of a transaction that took longer, waits for the next look at everything.
 */
export function createFloors() {
  const floors = new Map<string, number>();
  let isFull = true;
  /** Of the last look at everything. */
  let beganAt = -Infinity;
  let tookMs = 0;

  return {
    /**
     * A round of claims begins; `hasFound`: the last one has found something. True where it must not leave out anything,
     * since others do.
     */
    begin(hasFound: boolean): boolean {
      const now = performance.now();
      const isCheap = tookMs < cheapMs;
      isFull = isCheap || now - beganAt > Math.max(hasFound ? fullEachMs : 0, fullShare * tookMs);
      if (isFull) {
        beganAt = now;
        tookMs = 0;
      }
      return isFull && !isCheap;
    },

    /** Runs a claim. */
    async time<T>(claim: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      try {
        return await claim();
      } finally {
        if (isFull) tookMs += performance.now() - startedAt;
      }
    },

    /** For a claim of endpoints behind this one. */
    behind(after: string): { floorIds: string[]; floors: number[] } {
      const found = isFull ? [] : [...floors].filter(([id]) => id > after);
      found.sort(([one], [other]) => (one < other ? -1 : 1));
      return { floorIds: found.map(([id]) => id), floors: found.map(([, floor]) => floor) };
    },

    /** In the order in which they were claimed; those of `tooLarge` have been passed over. */
    learn(claimed: readonly { endpoint_id: string; due_s: number }[], tooLarge: readonly string[]): void {
      for (const { endpoint_id, due_s } of claimed) {
        floors.delete(endpoint_id);
        floors.set(endpoint_id, due_s - slackSeconds);
      }
      for (const id of tooLarge) floors.delete(id);
      for (const [oldest] of floors) {
        if (floors.size <= maxEndpoints) break;
        floors.delete(oldest);
      }
    },
  };
}
