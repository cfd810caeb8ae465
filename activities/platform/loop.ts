import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` again and again until the signal aborts. Pauses `pauseMs` between two runs, or less if `alarm` rings.
 * Resolves when the last run has ended. A failed run is reported and the loop continues, because the database may be
 * unavailable for a while.
 */
export async function runLoop(
  work: () => Promise<unknown>,
  {
    pauseMs,
    signal,
    onError,
    alarm,
  }: {
    pauseMs: number;
    signal: AbortSignal;
    onError: (error: unknown) => void;
    alarm?: LoopWaker | undefined;
  },
): Promise<void> {
  while (!signal.aborted) {
    const next = alarm?.next();
    await work().catch(onError);
    await wait(pauseMs, undefined, { signal: next ? AbortSignal.any([signal, next]) : signal }).catch(
      () => undefined,
    );
  }
}

/**
 * An alarm ends the pauses of the loops that share it. If it rings while a loop's work runs, the loop skips the next
 * pause.
 */
export type LoopWaker = { ring: () => void; next: () => AbortSignal };

export function createLoopWaker(): LoopWaker {
  let current = new AbortController();
  return {
    ring: () => current.abort(),
    next: () => {
      if (current.signal.aborted) current = new AbortController();
      return current.signal;
    },
  };
}
