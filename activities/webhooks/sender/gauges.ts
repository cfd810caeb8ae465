import type { Registry } from 'prom-client';
import type { WebhookCounts } from '../../../db/webhooks/webhook-counts';
import { instrumentsOf } from '../../platform/instruments';

export type WebhookGauges = ReturnType<typeof createWebhookGauges>;

/**
 * Creates gauges of the deliveries that wait in the database, for all shards together. Every worker therefore shows
 * the same values.
 */
export function createWebhookGauges(registry: Registry) {
  const { gauge } = instrumentsOf(registry);
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
