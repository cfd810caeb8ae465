import { renderSample, sampleOf } from '../../../api/webhooks/webhook-samples';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';
import type { PostResult } from '../../providers/webhook-attempt';
import type { WebhookPost } from '../../providers/webhook-post';
import type { Endpoint } from './endpoint-cache';
import { maskResponse } from './mask-response';
import { maskHeaders, webhookHeaders } from './request-headers';
import { plannedWaitsMs, waitAfterFailure } from './retry-schedule';

/** An attempt that has ended. */
export type AttemptEnd = DeliveryOutcome & { delivery: LeasedDelivery };

/**
 * Makes one attempt and never throws. If the signal aborts the attempt, the outcome is `worker_lost`, because the
 * receiver may already have the request. Times come from the database's clock and a monotonic clock, so changes of
 * the machine's clock do not affect the schedule.
 */
export async function attemptDelivery(
  delivery: LeasedDelivery,
  endpoint: Endpoint | undefined,
  { post }: Pick<WebhookPost, 'post'>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const startedAt = performance.now();
  const body = delivery.sample === null ? delivery.payload : renderTest(delivery.sample, delivery);
  if (!endpoint || body === null || endpoint.problem !== null) {
    // Nothing can be sent. The delivery is retried on the platform's schedule.
    const problem = endpoint ? (endpoint.problem ?? 'the result is gone') : 'the endpoint is gone';
    const result = noResponse('network', problem);
    const wait_ms = waitAfterFailure(plannedWaitsMs, delivery.attempts, null);
    return { delivery, startedAt, result, wait_ms, request_headers: null, request_body: null };
  }
  const { masks, url, timeoutMs, waitsMs } = endpoint;
  const event = delivery.sample === null ? delivery.event : sampleOf(delivery.sample).type;
  const headers = webhookHeaders(delivery, event, body, endpoint);
  const request_headers = JSON.stringify(maskHeaders(headers, endpoint.headers));
  const result: Result = await post({ url, headers, body, timeoutMs, signal }).then(
    (response) => maskResponse(response, masks),
    () => noResponse('worker_lost', 'the sender ended before the answer came: it may have arrived'),
  );
  const hasNoWait = result.outcome === 'acknowledged' || result.outcome === 'worker_lost';
  const wait_ms = hasNoWait ? 0 : waitAfterFailure(waitsMs, delivery.attempts, result.retry_after_ms);
  return { delivery, startedAt, result, wait_ms, request_headers, request_body: body };
}

type Result = DeliveryOutcome['result'] & Pick<PostResult, 'retry_after_ms'>;

const renderTest = (sample: string, { id, now_s, is_replay }: LeasedDelivery): string =>
  renderSample(sample, { id, timestamp: new Date(now_s * 1_000).toISOString(), is_replay });

const noResponse = (outcome: Result['outcome'], error: string): Result => ({
  outcome,
  status: null,
  response_headers: null,
  response_body: null,
  is_truncated: false,
  peer_address: null,
  error,
  ms: { dns: null, connect: null, tls: null, first_byte: null, total: null },
  retry_after_ms: null,
});
