import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` again and again, `pauseMs` apart, until the signal aborts; resolves when the last run has ended.
 * A run that fails is reported and the loop goes on: the database may be away for a while.
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
