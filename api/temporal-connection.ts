import { Connection, isRetryableError, makeGrpcRetryInterceptor } from '@temporalio/client';

const maxPauseMs = 500;

/**
 * A connection that is made with its first call: an API that starts while Temporal is away serves reads until
 * it is back. Every call has a deadline. The package's own pauses between attempts grow to 5 s, so that a call
 * would end that much after its deadline; gRPC's between connections to 2 minutes, so that calls would fail for as
 * long after Temporal's return.
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
        // The deadline ends it.
        retryableDecider: (_attempt, status) => isRetryableError(status),
      }),
    ],
  });
