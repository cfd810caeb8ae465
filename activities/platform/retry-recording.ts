import { setTimeout as wait } from 'node:timers/promises';

const retryRecordingMs = 300_000;

/**
 * Retries `work`, which records the outcomes of mails, every second for five minutes. Mails without a recorded
 * outcome would be sent again.
 */
export async function retryRecordingOutcomes<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = Date.now() + retryRecordingMs;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until || signal.aborted) throw error;
      await wait(1_000, undefined, { signal }).catch(() => undefined);
    }
}
