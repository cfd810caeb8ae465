import { defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WebhookPauseActivities } from '../activities/webhooks/webhook-pauses';
import type { WebhookRetryActivities } from '../activities/webhooks/webhook-retries';
import { retrySignals } from './ids';
import { patientTransactions } from './policies';

/** Says that retries are due, that the endpoint has changed, or that a pause has no mail yet. */
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
 * not stop the workflow. Returns what the signals have said since the workflow last reset it.
 */
export function handleRetrySignals(endpoint_id: string, onIgnored: (words: string) => void) {
  const signals = {
    hasChanged: false, // `changed` arrived
    isRequested: false, // a person's request was carried out
    seenPause: null as string | null, // since when the endpoint is paused, unless a person has just paused it
  };
  let acts = Promise.resolve();
  const act = (work: () => Promise<void>): Promise<void> => {
    acts = acts.then(work).then(() => {
      signals.isRequested = true;
    });
    return acts;
  };
  setHandler(changed, () => {
    signals.hasChanged = true;
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
    signals.seenPause = null;
    return act(() => pauseEndpoint({ endpoint_id }));
  });
  setHandler(resume, () => {
    // Resumes only the pause that the workflow has seen: a signal that arrives late must not end a newer pause, of
    // which its sender did not know.
    const pause_since = signals.seenPause;
    return act(() => resumeEndpoint({ endpoint_id, pause_since }));
  });
  return signals;
}

/** Reads the argument of `retryNow`. Returns null if it asks for all deliveries, and undefined if it is invalid. */
function readDeliveryId(asked: unknown): string | null | undefined {
  const json = JSON.stringify(asked ?? {});
  return json === '{}' ? null : oneDelivery.exec(json)?.[1];
}
const oneDelivery = /^{"delivery_id":"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"}$/i;
