import { setTimeout as wait } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { explainConnection } from '../../api/platform/text/explain-connection';
import type { TemporalOptions } from '../../api/platform/text/temporal-variables';

/**
 * Connects to Temporal. Retries until the connection is open, so that a worker can start before Temporal does.
 * Returns undefined if the signal aborts.
 */
export async function connectTemporal(
  options: TemporalOptions,
  signal: AbortSignal,
  log: Logger,
): Promise<NativeConnection | undefined> {
  while (!signal.aborted) {
    try {
      return await NativeConnection.connect(options);
    } catch (err) {
      const reason = await explainConnection(options);
      log.warn({ err, reason }, 'failed to connect to Temporal, retrying');
      await wait(1_000, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
