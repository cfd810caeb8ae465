import { defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { PauseShown, WebhookPauseActivities } from '../activities/webhooks/webhook-pauses';
import type { WebhookRetryActivities } from '../activities/webhooks/webhook-retries';
import { retrySignals } from './ids';
import { patientTransactions } from './policies';

/** Says that a delivery has failed or that the endpoint has changed. */
const changed = defineSignal(retrySignals.changed);
/** Asks to retry one waiting delivery, or all of them, immediately. */
const retryNowSignal = defineSignal<[{ delivery_id?: string }?]>(retrySignals.retryNow);
/** Operators send these two in the Temporal UI. The console and the API change the endpoint and send `changed`. */
const pause = defineSignal(retrySignals.pause);
const resume = defineSignal(retrySignals.resume);

const { pauseEndpoint, resumeEndpoint } = proxyActivities<WebhookPauseActivities>(patientTransactions);
const { retryNow } = proxyActivities<WebhookRetryActivities>(patientTransactions);

/**
 * Handles the signals of an endpoint's workflow. Requests by people are carried out immediately, in the order of
 * their arrival. People type the arguments of these signals, so an invalid argument is passed to `onIgnored` and must
 * not stop the workflow.
 */
export function handleRetrySignals(endpoint_id: string, onIgnored: (words: string) => void) {
  let hasChanged = false;
  let isRequested = false;
  let seenPause: string | null = null;
  let acts = Promise.resolve();
  const act = (work: () => Promise<void>): Promise<void> => {
    acts = acts.then(work).then(() => {
      isRequested = true;
    });
    return acts;
  };
  setHandler(changed, () => {
    hasChanged = true;
  });
  setHandler(retryNowSignal, (asked) => {
    const delivery_id = readDeliveryId(asked);
    if (delivery_id === undefined)
      return onIgnored(
        'retryNow ignored: it takes {"delivery_id": "<id of a delivery>"}, or nothing for all',
      );
    const asked_at = new Date().toISOString();
    return act(() => retryNow({ endpoint_id, delivery_id, asked_at }));
  });
  setHandler(pause, () => {
    seenPause = null;
    return act(() => pauseEndpoint({ endpoint_id }));
  });
  setHandler(resume, () => {
    // Resumes only the pause that the workflow has seen: a signal that arrives late must not end a newer pause, of
    // which its sender did not know.
    const pause_since = seenPause;
    return act(() => resumeEndpoint({ endpoint_id, pause_since }));
  });
  return {
    /** Marks all signals received so far as handled, because the release that begins now covers them. */
    begin: () => {
      hasChanged = false;
      isRequested = false;
    },
    isCalm: () => !hasChanged && !isRequested,
    /** Returns true if a person's request was carried out since `begin`, so that the next release must not wait. */
    isUrgent: () => isRequested,
    /** Remembers the pause of the endpoint that was found after a release. */
    see: (found: PauseShown | null) => {
      seenPause = found?.since ?? null;
    },
  };
}

/** Reads the argument of `retryNow`. Returns null if it asks for all deliveries, and undefined if it is invalid. */
function readDeliveryId(asked: unknown): string | null | undefined {
  if (asked === undefined || asked === null) return null;
  if (typeof asked !== 'object' || Array.isArray(asked)) return undefined;
  const names = Object.keys(asked);
  if (names.length === 0) return null;
  if (names.length > 1 || !('delivery_id' in asked)) return undefined;
  const { delivery_id } = asked;
  return typeof delivery_id === 'string' && uuid.test(delivery_id) ? delivery_id : undefined;
}
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
