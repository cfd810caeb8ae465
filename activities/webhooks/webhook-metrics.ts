import type { Registry } from 'prom-client';
import type { WebhookCounts } from '../../db/webhooks/webhook-counts';
import { metricFactories } from '../platform/instruments';
import type { AttemptEnd } from './sender/attempt';

export type SenderMetrics = ReturnType<typeof createSenderMetrics>;
export type WebhookGauges = ReturnType<typeof createWebhookGauges>;

/** Creates the webhook metrics that a sender counts itself. */
export function createSenderMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricFactories(registry);
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
    countAttempt: ({ delivery, startedAt, result }: AttemptEnd) => {
      attempts.inc({ outcome: result.outcome });
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

/**
 * Creates gauges of the deliveries that wait in the database, for all shards together. Every worker therefore shows
 * the same values.
 */
export function createWebhookGauges(registry: Registry) {
  const { gauge } = metricFactories(registry);
  const depth = gauge(
    'webhook_deliveries',
    'Deliveries that are not finished, by state; counted up to 100,000',
    'state',
  );
  const age = gauge(
    'webhook_queue_age_seconds',
    'Age of the oldest first attempt that is due at an endpoint that may be sent to',
  );
  const held = gauge('webhook_held_for_pdf', 'Events that wait for a PDF');
  const failed = gauge('webhook_held_by_failed_pdf', 'Events that wait for a PDF that failed');
  return {
    show: (counts: WebhookCounts, queueAgeSeconds: number) => {
      for (const state of ['queued', 'retried', 'leased'] as const) depth.set({ state }, counts[state]);
      age.set(queueAgeSeconds);
      held.set(counts.held_for_pdf);
      failed.set(counts.failed_pdf);
    },
  };
}
