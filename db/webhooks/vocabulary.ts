/** The events that an endpoint can subscribe to (docs/guide/webhooks.md#when-events-fire). */
export const webhookEvents = ['interview_result', 'interview_collected', 'interview_failed'] as const;
/** What a delivery is about; `test` is a sample. */
export const deliveryEvents = [...webhookEvents, 'test'] as const;
/** `gone`: it answered 410; `failing`: nothing but failures for days. Both are the platform's own doing. */
export const pauseReasons = ['failing', 'gone', 'by_hand'] as const;
export type PauseReason = (typeof pauseReasons)[number];
export const deliveryStates = ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/** What can be sent anew: queued ones are due already. */
export const replayableStates = ['retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export const attemptOutcomes = [
  'acknowledged',
  'refused',
  'timeout',
  'network',
  'blocked_address',
  'worker_lost',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/** Attempts of one series (docs/webhooks.md#attempts-and-schedule); after the last failed one the delivery gives up. */
export const maxAttempts = 10;

/** Which deliveries are meant; each part that is there narrows. */
export type DeliveryFilter = {
  state?: DeliveryState | undefined;
  endpoint_id?: string | undefined;
  event?: (typeof deliveryEvents)[number] | undefined;
  result_id?: string | undefined;
  outcome?: AttemptOutcome | undefined;
  /** HTTP status of the last attempt. */
  status?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
};
