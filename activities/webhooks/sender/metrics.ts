import type { Registry } from 'prom-client';
import { instrumentsOf } from '../../platform/instruments';
import type { AttemptEnd } from './attempt';

export type SenderMetrics = ReturnType<typeof createSenderMetrics>;

/**
 * Creates the webhook metrics that the worker counts itself. The metrics of waiting deliveries are read from the
 * database (gauges.ts).
 */
export function createSenderMetrics(registry: Registry) {
  const { counter, gauge, histogram } = instrumentsOf(registry);
  const attempts = counter('webhook_attempts_total', 'Recorded attempts by outcome', 'outcome');
  const fenced = counter(
    'webhook_attempts_fenced_total',
    'Attempts whose delivery had been reclaimed before they were recorded',
  );
  const lag = histogram(
    'webhook_lag_seconds',
    'From the creation of a delivery to the end of its first attempt',
    [0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.15, 0.5, 1, 5, 30, 120, 600],
  );
  const inFlight = gauge('webhook_in_flight', 'Calls in flight', 'shard');
  const inFlightBytes = gauge(
    'webhook_in_flight_bytes',
    'Bytes of payloads in flight or not yet recorded',
    'shard',
  );
  return {
    countAttempt: ({ delivery, startedAt, outcome }: AttemptEnd) => {
      attempts.inc({ outcome: outcome.outcome });
      if (delivery.attempts === 0 && delivery.series === 1)
        lag.observe((delivery.age_ms + performance.now() - startedAt) / 1_000);
    },
    countFenced: (count: number) => fenced.inc(count),
    setInFlight: (shard: number, count: number, bytes: number) => {
      inFlight.set({ shard }, count);
      inFlightBytes.set({ shard }, bytes);
    },
  };
}
