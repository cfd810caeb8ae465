import { renderSample, sampleOf } from '../../../api/webhooks/webhook-samples';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';
import type { PostResult } from '../../providers/webhook-attempt';
import type { WebhookPost } from '../../providers/webhook-post';
import type { Endpoint } from './endpoint-memory';
import { maskHeaders, webhookHeaders } from './headers';
import { maskAnswer } from './mask-answer';
import { plannedWaitsMs, waitAfterFailure } from './schedule';

/** Describes an attempt that has ended, with the data that the rule (rule.ts) and the recorder (recorder.ts) need. */
export type AttemptEnd = {
  delivery: ClaimedDelivery;
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
  delivery: ClaimedDelivery,
  endpoint: Endpoint | undefined,
  { post }: Pick<WebhookPost, 'post'>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const startedAt = performance.now();
  const body = delivery.sample === null ? delivery.payload : renderTest(delivery.sample, delivery);
  const problem = endpoint ? endpoint.problem : 'the endpoint is gone';
  if (!endpoint || body === null || problem !== null)
    return { delivery, startedAt, outcome: unsent(delivery, problem ?? 'the result is gone') };
  const { headers: custom_headers, masks, secrets, url, timeoutMs } = endpoint;
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
  try {
    const result = await post({ url, headers, body, timeoutMs, signal });
    const shown = masks ? maskAnswer(result, masks) : result;
    return { delivery, startedAt, outcome: answered(delivery, endpoint, shown, asked, body) };
  } catch {
    return { delivery, startedAt, outcome: lost(delivery, asked, body) };
  }
}

const renderTest = (sample: string, { id, now_s, is_replay }: ClaimedDelivery): string =>
  renderSample(sample, { id, timestamp: new Date(now_s * 1_000).toISOString(), is_replay });

const nothing = {
  since_ms: 0,
  status: null,
  error: null,
  request_headers: null,
  request_body: null,
  response_headers: null,
  response_body: null,
  is_truncated: false,
  peer_address: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
  total_ms: null,
};

/**
 * Returns the outcome of an attempt from the result of its request. Builds a single object literal, because spreading
 * several objects took a twelfth of the time of an attempt.
 */
const answered = (
  { id, series, attempts }: ClaimedDelivery,
  { waitsMs }: Endpoint,
  result: PostResult,
  requestHeaders: string,
  requestBody: string,
): DeliveryOutcome => ({
  id,
  series,
  attempts,
  outcome: result.outcome,
  wait_ms: result.outcome === 'acknowledged' ? 0 : waitAfterFailure(waitsMs, attempts, result.retry_after_ms),
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

const lost = (
  { id, series, attempts }: ClaimedDelivery,
  requestHeaders: string,
  requestBody: string,
): DeliveryOutcome => ({
  ...nothing,
  id,
  series,
  attempts,
  outcome: 'worker_lost',
  wait_ms: 0,
  error: 'the sender ended before the answer came: it may have arrived',
  request_headers: requestHeaders,
  request_body: requestBody,
});

/**
 * Returns the outcome of an attempt that sent nothing, because the endpoint or result is gone or `endpoint.problem` is
 * set. The delivery is retried on the platform's schedule (`plannedWaitsMs`).
 */
const unsent = ({ id, series, attempts }: ClaimedDelivery, error: string): DeliveryOutcome => ({
  ...nothing,
  id,
  series,
  attempts,
  outcome: 'network',
  wait_ms: waitAfterFailure(plannedWaitsMs, attempts, null),
  error,
});
