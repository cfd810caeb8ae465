import { setTimeout as wait } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Connects to Temporal. Retries until the connection is open, so that a worker can start before Temporal does.
 * Returns undefined if the signal aborts.
 */
export async function connectTemporal(
  address: string,
  signal: AbortSignal,
  log: Logger,
): Promise<NativeConnection | undefined> {
  while (!signal.aborted) {
    try {
      return await NativeConnection.connect({ address });
    } catch (err) {
      log.warn({ err }, 'failed to connect to Temporal, retrying');
      await wait(1_000, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
