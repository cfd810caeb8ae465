import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { WebhookCounts } from '../../../db/webhooks/webhook-counts';

export type WebhookGauges = ReturnType<typeof createWebhookGauges>;

/**
 * Creates gauges of the deliveries that wait in the database, for all shards and workers together. Every worker shows
 * the same values.
 */
export function createWebhookGauges(registry: Registry) {
  const registers = [registry];
  const depth = new Gauge({
    name: 'webhook_deliveries',
    help: 'Deliveries that are not finished, by state; counted up to 100,000',
    labelNames: ['state'],
    registers,
  });
  const age = new Gauge({
    name: 'webhook_queue_age_seconds',
    help: 'Age of the oldest first attempt that is due at an endpoint that may be sent to',
    registers,
  });
  const held = new Gauge({ name: 'webhook_held_for_pdf', help: 'Events that wait for a PDF', registers });
  const failed = new Gauge({
    name: 'webhook_held_by_failed_pdf',
    help: 'Events that wait for a PDF that failed',
    registers,
  });
  return {
    show: (counts: WebhookCounts, queueAgeSeconds: number) => {
      for (const state of ['queued', 'retried', 'leased'] as const) depth.set({ state }, counts[state]);
      age.set(queueAgeSeconds);
      held.set(counts.held_for_pdf);
      failed.set(counts.failed_pdf);
    },
  };
}
