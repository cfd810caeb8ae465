import { Connection, isRetryableError, makeGrpcRetryInterceptor } from '@temporalio/client';

const maxPauseMs = 500;

/**
 * Creates a connection that is opened by its first call, so that the API can start and serve reads while Temporal is
 * unavailable. Every call has a deadline. Retries and reconnections wait only briefly, so that a call ends soon after
 * its deadline, and calls succeed soon after Temporal is back.
 */
export const openTemporalConnection = (address: string): Connection =>
  Connection.lazy({
    address,
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
