import type { RetryRunSum } from './retry-run';

/**
 * Limits the retry runs that silent endpoints hold at the same time. An endpoint is known as silent if its last run
 * in this process met a timeout. An endpoint that has just fallen silent is not known yet, so it can hold any run
 * once.
 */
export function createSilentRuns(limit: number) {
  const silent = new Set<string>();
  let taken = 0;
  return {
    /** Returns undefined, without doing any work, if the limit is reached. */
    run: async (endpointId: string, work: () => Promise<RetryRunSum>): Promise<RetryRunSum | undefined> => {
      const isSilent = silent.has(endpointId);
      if (isSilent && taken >= limit) return undefined;
      if (isSilent) taken += 1;
      try {
        const sum = await work();
        if (sum.is_silent) silent.add(endpointId);
        else if (sum.attempted > 0) silent.delete(endpointId);
        return sum;
      } finally {
        if (isSilent) taken -= 1;
      }
    },
  };
}
