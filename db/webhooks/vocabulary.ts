/** The events about a result (docs/guide/webhooks.md#when-events-fire). */
export const resultEvents = ['interview_result', 'interview_collected', 'interview_failed'] as const;
/** The events that an endpoint can subscribe to. */
export const webhookEvents = [...resultEvents, 'sync.changed'] as const;
/** The event of a delivery. Deliveries with `test` send a sample. */
export const deliveryEvents = [...webhookEvents, 'test'] as const;
/**
 * Why an endpoint is paused. The platform sets `gone` after a 410 response and `failing` after five days of failures.
 * An owner sets `by_hand`.
 */
export const pauseReasons = ['failing', 'gone', 'by_hand'] as const;
export type PauseReason = (typeof pauseReasons)[number];
export const deliveryStates = ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/**
 * States of deliveries that can be replayed. `queued` is not one of them, because queued deliveries are sent anyway.
 */
export const replayableStates = ['retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export const attemptOutcomes = [
  'acknowledged',
  'refused', // a response that is not 2xx
  'timeout',
  'network',
  'blocked_address',
  'worker_lost',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/**
 * The maximum number of attempts in a series (docs/webhooks.md#attempts-and-schedule). When the last one fails, the
 * state of the delivery becomes `gave_up`.
 */
export const maxAttempts = 10;

/** Selects the deliveries that match every given field. */
export type DeliveryFilter = {
  state?: DeliveryState | undefined;
  endpoint_id?: string | undefined;
  event?: (typeof deliveryEvents)[number] | undefined;
  result_id?: string | undefined;
  outcome?: AttemptOutcome | undefined;
  /** The HTTP status of the last attempt. */
  status?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
};
