import { maxAttempts } from '../../db/webhooks/vocabulary';
import type { DeliveryCircumstances } from '../../db/webhooks/delivery-history';

/** Returns the reason why an open delivery waits, as a sentence. Null if it has ended. */
export function waitingFor(delivery: DeliveryCircumstances): string | null {
  const { state, attempts, next_attempt_at, is_being_sent, is_due } = delivery;
  if (state !== 'queued' && state !== 'retried') return null;
  const attempt = `attempt ${Math.min(attempts + 1, maxAttempts)} of ${maxAttempts}`;
  if (is_being_sent) return `It is being sent right now: ${attempt}.`;
  if (delivery.endpoint_deleted) return 'Its endpoint was deleted: it is cancelled shortly.';
  if (!delivery.endpoint_enabled)
    return 'Its endpoint is turned off: webhook-endpoint-update with enabled true lets it go on.';
  if (delivery.endpoint_paused_reason)
    return `Its endpoint is paused (${pauses[delivery.endpoint_paused_reason]}): webhook-endpoint-resume lets it go on.`;
  return is_due
    ? `It is due: ${attempt} follows in its turn.`
    : `It waits for ${attempt} at ${next_attempt_at}.`;
}

const pauses: Record<string, string> = {
  failing: 'for days every attempt failed',
  gone: 'it answered 410 Gone',
  by_hand: 'by hand',
};
