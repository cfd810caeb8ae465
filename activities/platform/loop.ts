import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` repeatedly, `pauseMs` apart, until the signal aborts. Resolves when the last run has ended. A failed
 * run is reported and the loop continues, because the database may be unavailable for a while.
 */
export async function runLoop(
  work: () => Promise<unknown>,
  { pauseMs, signal, onError }: { pauseMs: number; signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(onError);
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
