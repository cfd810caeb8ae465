/** If a full round of claims takes less time than this in total, claims use no due watermarks. */
const cheapMs = 10;
/** The pause between full rounds while claims find something. Otherwise the next full round comes sooner. */
const fullEachMs = 1_000;
/** Full rounds take at most a tenth of the time. */
const fullShare = 10;
/**
 * A delivery is due from the start of its transaction. With this slack, the watermark never passes deliveries of
 * transactions that took up to a second.
 */
const slackSeconds = 1;
/** Every claim that uses watermarks reads all of them, so their number is limited. */
const maxEndpoints = 256;

/**
 * Keeps a due watermark for each endpoint that deliveries were claimed from. An endpoint's deliveries are claimed in
 * the order in which they are due, so the rest is due later. Without watermarks, an open snapshot (a backup, a long
 * report) would make every claim read again what was delivered since: with 200,000 deliveries, 5 ms became 150 ms.
 *
 * Watermarks are only hints. A delivery that is due earlier, from a longer transaction, waits for the next full
 * round.
 */
export function createFloors() {
  const floors = new Map<string, number>();
  let isFull = true;
  /** When the last full round began. */
  let beganAt = -Infinity;
  let tookMs = 0;

  return {
    /**
     * Begins a round of claims. `hasFound` says whether the last round found something. Returns true if this round
     * must search everything, because other rounds skip what is due before the watermarks.
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

    /** Runs a claim and adds its time to that of a full round. */
    async time<T>(claim: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      try {
        return await claim();
      } finally {
        if (isFull) tookMs += performance.now() - startedAt;
      }
    },

    /** Returns the watermarks for a claim that starts after this endpoint. */
    behind(after: string): { floorIds: string[]; floors: number[] } {
      const found = isFull ? [] : [...floors].filter(([id]) => id > after);
      found.sort(([one], [other]) => (one < other ? -1 : 1));
      return { floorIds: found.map(([id]) => id), floors: found.map(([, floor]) => floor) };
    },

    /**
     * Sets the watermarks after a claim. `claimed` is in the order of claiming. Endpoints in `tooLarge` were skipped
     * and lose theirs.
     */
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
