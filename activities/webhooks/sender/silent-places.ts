import type { RetryRunSum } from './retry-run';

/**
 * Keeps endpoints that are known as silent from holding all runs: those whose last run here has met with silence have so
 * many places in all. One that has fallen silent since is not known to be so: it holds any place, once.
 */
export function createSilentPlaces(places: number) {
  const silent = new Set<string>();
  let taken = 0;
  return {
    /** Undefined, without any work, where no place is free. */
    run: async (endpointId: string, work: () => Promise<RetryRunSum>): Promise<RetryRunSum | undefined> => {
      const isSilent = silent.has(endpointId);
      if (isSilent && taken >= places) return undefined;
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
