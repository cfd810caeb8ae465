import { renderSample, sampleOf } from '../../../api/webhooks/webhook-samples';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';
import type { PostResult } from '../../providers/webhook-attempt';
import type { WebhookPost } from '../../providers/webhook-post';
import type { Endpoint } from './endpoint-cache';
import { maskResponse } from './mask-response';
import { maskHeaders, webhookHeaders } from './request-headers';
import { plannedWaitsMs, waitAfterFailure } from './retry-schedule';

/** Describes an attempt that has ended. */
export type AttemptEnd = {
  delivery: LeasedDelivery;
  /** The value of `performance.now()` when the attempt began. */
  startedAt: number;
  /** The outcome to record. Its `since_ms` is set at the time of recording. */
  outcome: DeliveryOutcome;
};

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
  const problem = endpoint ? endpoint.problem : 'the endpoint is gone';
  if (!endpoint || body === null || problem !== null) {
    // Nothing can be sent. The delivery is retried on the platform's schedule.
    const result = noResponse('network', problem ?? 'the result is gone');
    const waitMs = waitAfterFailure(plannedWaitsMs, delivery.attempts, null);
    return { delivery, startedAt, outcome: outcomeOf(delivery, result, waitMs, null, null) };
  }
  const { headers: custom_headers, masks, secrets, url, timeoutMs, waitsMs } = endpoint;
  const headers = webhookHeaders({
    delivery_id: delivery.id,
    event: delivery.sample === null ? delivery.event : sampleOf(delivery.sample).type,
    attempt: delivery.attempts + 1,
    custom_headers,
    timestampSeconds: Math.floor(delivery.now_s),
    body,
    keys: secrets.filter(({ ends_s }) => ends_s === null || ends_s > delivery.now_s).map(({ key }) => key),
  });
  const asked = JSON.stringify(maskHeaders(headers, custom_headers));
  const result: Result = await post({ url, headers, body, timeoutMs, signal }).then(
    (response) => (masks ? maskResponse(response, masks) : response),
    () => noResponse('worker_lost', 'the sender ended before the answer came: it may have arrived'),
  );
  const isAtOnce = result.outcome === 'acknowledged' || result.outcome === 'worker_lost';
  const waitMs = isAtOnce ? 0 : waitAfterFailure(waitsMs, delivery.attempts, result.retry_after_ms);
  return { delivery, startedAt, outcome: outcomeOf(delivery, result, waitMs, asked, body) };
}

type Result = Omit<PostResult, 'outcome' | 'ms'> & {
  outcome: DeliveryOutcome['outcome'];
  ms: Record<keyof PostResult['ms'], number | null>;
};

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

/** Builds a single object literal, because spreading several objects took a twelfth of the time of an attempt. */
const outcomeOf = (
  { id, series, attempts }: LeasedDelivery,
  result: Result,
  waitMs: number,
  requestHeaders: string | null,
  requestBody: string | null,
): DeliveryOutcome => ({
  id,
  series,
  attempts,
  outcome: result.outcome,
  wait_ms: waitMs,
  since_ms: 0,
  status: result.status,
  error: result.error,
  request_headers: requestHeaders,
  request_body: requestBody,
  response_headers: result.response_headers && JSON.stringify(result.response_headers),
  response_body: result.response_body,
  is_truncated: result.is_truncated,
  peer_address: result.peer_address,
  dns_ms: result.ms.dns,
  connect_ms: result.ms.connect,
  tls_ms: result.ms.tls,
  first_byte_ms: result.ms.first_byte,
  total_ms: result.ms.total,
});
