import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` repeatedly, `pauseMs` apart or sooner when `alarm` rings, until the signal aborts. Resolves when the last run
 * has ended. A failed run is reported and the loop continues, because the database may be unavailable for a while.
 */
export async function runLoop(
  work: () => Promise<unknown>,
  {
    pauseMs,
    signal,
    onError,
    alarm,
  }: { pauseMs: number; signal: AbortSignal; onError: (error: unknown) => void; alarm?: Alarm | undefined },
): Promise<void> {
  while (!signal.aborted) {
    const next = alarm?.next();
    await work().catch(onError);
    await wait(pauseMs, undefined, { signal: next ? AbortSignal.any([signal, next]) : signal }).catch(
      () => undefined,
    );
  }
}

/** Ends the pause of a loop. A ring during a run of the loop ends the pause after it. */
export type Alarm = { ring: () => void; next: () => AbortSignal };

export function createAlarm(): Alarm {
  let current = new AbortController();
  return {
    ring: () => current.abort(),
    next: () => {
      current = new AbortController();
      return current.signal;
    },
  };
}
