import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import { runLoop } from '../../platform/loop';
import { createRetryMaintenance } from './retry-maintenance';
import type { RetrySignaller } from './signal-retries';

const maintenancePauseMs = 5_000;
const pausesPauseMs = 60_000;

type RetryLoopDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  signaller: RetrySignaller;
  log: Pick<Logger, 'warn'>;
};

/**
 * Repeats lost signals until `signal` aborts: signals that start retries, and signals that start mails about pauses.
 * Then closes the signaller.
 */
export async function runRetryLoops(
  { database, signaller, log }: RetryLoopDeps,
  signal: AbortSignal,
): Promise<void> {
  const { startMissedRetries, mailMissedPauses } = createRetryMaintenance({
    database,
    signal: signaller.signal,
  });
  const onError = (err: unknown) => log.warn({ err }, 'failed to start missed retries');
  await Promise.all([
    runLoop(startMissedRetries, { pauseMs: maintenancePauseMs, signal, onError }),
    runLoop(mailMissedPauses, { pauseMs: pausesPauseMs, signal, onError }),
  ]);
  await signaller.close();
}
