export type Delays = {
  /** Waits. Resolves to true when the time has passed, and to false if the server is closed before. */
  wait: (waitMs: number) => Promise<boolean>;
  /** Ends all waits as if their time had passed. */
  release: () => void;
  cut: () => void;
};

/**
 * Creates delays that `release` and `cut` can end before their time. The delays are kept in a set, because thousands
 * of listeners on one AbortSignal are slow to remove.
 */
export function createDelays(): Delays {
  const endings = new Set<(passed: boolean) => void>();
  return {
    wait: (waitMs) =>
      new Promise((resolve) => {
        const end = (passed: boolean) => {
          clearTimeout(timer);
          endings.delete(end);
          resolve(passed);
        };
        const timer = setTimeout(end, waitMs, true);
        endings.add(end);
      }),
    release() {
      for (const end of endings) end(true);
    },
    cut() {
      for (const end of endings) end(false);
    },
  };
}
