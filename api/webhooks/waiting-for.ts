import type { DeliveryCircumstances } from '../../db/webhooks/delivery-history';
import { maxAttempts } from '../../db/webhooks/vocabulary';

/** Describes what an open delivery is waiting for. Returns null if the delivery has ended. */
export function describeWaiting(delivery: DeliveryCircumstances): string | null {
  const { state, attempts, next_attempt_at, is_being_sent, is_due } = delivery;
  if (state !== 'queued' && state !== 'retried') return null;
  const attempt = `attempt ${Math.min(attempts + 1, maxAttempts)} of ${maxAttempts}`;
  if (is_being_sent) return `It is being sent right now: ${attempt}.`;
  if (delivery.endpoint_deleted) return 'Its endpoint was deleted, so it will be cancelled shortly.';
  if (!delivery.endpoint_enabled)
    return 'Its endpoint is turned off. Turn it on with webhook-endpoint-update (`enabled` true).';
  if (delivery.endpoint_paused_reason)
    return `${pauses[delivery.endpoint_paused_reason]} Resume it with webhook-endpoint-resume.`;
  return is_due
    ? `It is due: ${attempt} is next in the queue.`
    : `It waits for ${attempt} at ${next_attempt_at}.`;
}

const pauses: Record<string, string> = {
  failing: 'Its endpoint is paused, because every attempt failed for five days.',
  gone: 'Its endpoint is paused, because it responded with 410 Gone.',
  by_hand: 'Its endpoint is paused, because a user or a service key paused it.',
};
