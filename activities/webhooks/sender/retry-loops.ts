import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/scope';
import { runLoop } from '../../platform/loop';
import type { RetrySignaller } from './signal-retries';
import { createRetrySweep } from './sweep-retries';

const sweepPauseMs = 5_000;
const pausesPauseMs = 60_000;

export type RetryLoopDeps = {
  database: Pick<Database, 'asWorker'>;
  signaller: RetrySignaller;
  log: Pick<Logger, 'warn'>;
};

/** Sweeps for endpoints whose flow nobody has told, until the signal aborts; then ends the signaller too. */
export async function runRetryLoops(
  { database, signaller, log }: RetryLoopDeps,
  signal: AbortSignal,
): Promise<void> {
  const { sweepRetries, sweepPauses } = createRetrySweep({ database, signal: signaller.signal });
  const onError = (err: unknown) => log.warn({ err }, 'sweep of retries failed');
  await Promise.all([
    runLoop(sweepRetries, { pauseMs: sweepPauseMs, signal, onError }),
    runLoop(sweepPauses, { pauseMs: pausesPauseMs, signal, onError }),
  ]);
  await signaller.close();
}
