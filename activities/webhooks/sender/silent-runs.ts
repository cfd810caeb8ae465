import type { RetryRunSum } from './retry-run';

/**
 * Limits the concurrent retry runs for silent endpoints. An endpoint counts as silent if an attempt timed out in its
 * last retry run in this process. The first run of an endpoint that has just fallen silent is therefore not limited.
 */
export function createSilentRuns(limit: number) {
  const silent = new Set<string>();
  let taken = 0;
  return {
    /** Runs `work`. Returns undefined without running it if the endpoint counts as silent and the limit is reached. */
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
