import { defineSignal, log, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WebhookPauseActivities } from '../activities/webhook-pauses';
import { retrySignals } from './ids';
import { patientTransactions } from './policies';

/** Something new waits, or the endpoint has changed. */
export const failed = defineSignal(retrySignals.failed);
/** What waits goes out now: one delivery, or all. */
export const retryNow = defineSignal<[{ delivery_id?: string }?]>(retrySignals.retryNow);
export const pause = defineSignal(retrySignals.pause);
export const resume = defineSignal(retrySignals.resume);

const { hurryRetries, pauseEndpoint, resumeEndpoint } =
  proxyActivities<WebhookPauseActivities>(patientTransactions);

/** Takes what is told and asked of the endpoint's flow from now on. What people ask is done at once, in their order. */
export function listenForSteering(endpoint_id: string) {
  let isFailed = false;
  let isAsked = false;
  let acts = Promise.resolve();
  const act = (work: () => Promise<void>): Promise<void> => {
    acts = acts.then(work).then(() => {
      isAsked = true;
    });
    return acts;
  };
  setHandler(failed, () => {
    isFailed = true;
  });
  setHandler(retryNow, (asked) => {
    const delivery_id = readDeliveryId(asked);
    if (delivery_id === undefined) return log.warn('a signal names no delivery', { endpoint_id });
    const asked_at = new Date().toISOString();
    return act(() => hurryRetries({ endpoint_id, delivery_id, asked_at }));
  });
  setHandler(pause, () => act(() => pauseEndpoint({ endpoint_id })));
  setHandler(resume, () => act(() => resumeEndpoint({ endpoint_id })));
  return {
    /** A run begins: it sees whatever was told before. */
    begin: () => {
      isFailed = false;
      isAsked = false;
    },
    isCalm: () => !isFailed && !isAsked,
    /** True when somebody has asked: the next run is not to wait. */
    isUrgent: () => isAsked,
  };
}

/** Null: all. People type it in: anything else must not stop the flow. */
function readDeliveryId(asked: unknown): string | null | undefined {
  if (typeof asked !== 'object' || asked === null || !('delivery_id' in asked))
    return asked === undefined || typeof asked === 'object' ? null : undefined;
  const { delivery_id } = asked;
  if (delivery_id === null) return null;
  return typeof delivery_id === 'string' && uuid.test(delivery_id) ? delivery_id : undefined;
}
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
