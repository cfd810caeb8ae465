import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { AttemptEnd } from './attempt';

export type SenderMetrics = ReturnType<typeof createSenderMetrics>;

/**
 * Creates the webhook metrics that the worker counts itself. The metrics of waiting deliveries are read from the
 * database (gauges.ts).
 */
export function createSenderMetrics(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Recorded attempts by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const fenced = new Counter({
    name: 'webhook_attempts_fenced_total',
    help: 'Attempts whose delivery had been taken back before they were recorded',
    registers,
  });
  const lag = new Histogram({
    name: 'webhook_lag_seconds',
    help: "From a delivery's birth to the end of its first attempt",
    buckets: [0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.15, 0.5, 1, 5, 30, 120, 600],
    registers,
  });
  const inFlight = new Gauge({
    name: 'webhook_in_flight',
    help: 'Calls in flight',
    labelNames: ['shard'],
    registers,
  });
  const inFlightBytes = new Gauge({
    name: 'webhook_in_flight_bytes',
    help: 'Bytes of payloads under way or not yet on record',
    labelNames: ['shard'],
    registers,
  });
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
