import { Connection, isRetryableError, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { Logger } from 'pino';
import { explainConnection } from './platform/text/explain-connection';
import type { TemporalOptions } from './platform/text/temporal-variables';

const maxPauseMs = 500;
const reportAfterMs = 4_000;

/**
 * Creates a connection that is opened by its first call, so that the API can start and serve reads while Temporal is
 * unavailable. Every call has a deadline. Retries and reconnections wait only briefly, so that a call ends soon after
 * its deadline, and calls succeed soon after Temporal is back.
 */
export const openTemporalConnection = (options: TemporalOptions): Connection =>
  Connection.lazy({
    ...options,
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': maxPauseMs,
      'grpc.max_reconnect_backoff_ms': 2_000,
    },
    interceptors: [
      makeGrpcRetryInterceptor({
        delayFunction: (attempt) => Math.min(maxPauseMs, 50 * 2 ** attempt),
        // There is no limit on the number of attempts, because the deadline of the call ends the retries.
        retryableDecider: (_attempt, status) => isRetryableError(status),
      }),
    ],
  });

/**
 * Calls Temporal once and logs why it cannot be reached. Nobody waits for this call: without Temporal, the API serves
 * reads, and its operations return a 503 that does not say why.
 */
export async function reportUnreachable(
  connection: Connection,
  options: TemporalOptions,
  log: Logger,
): Promise<void> {
  try {
    await connection.withDeadline(Date.now() + reportAfterMs, () =>
      connection.workflowService.getSystemInfo({}),
    );
  } catch (err) {
    log.warn({ err, reason: await explainConnection(options) }, 'failed to connect to Temporal');
  }
}
