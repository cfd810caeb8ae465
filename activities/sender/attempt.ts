import { sampleWebhookPayload } from '../../api/contracts/webhook-payload';
import type { ClaimedDelivery } from '../../db/deliveries';
import type { DeliveryOutcome } from '../../db/delivery-outcomes';
import type { PostResult } from '../providers/webhook-attempt';
import type { WebhookPost } from '../providers/webhook-post';
import type { Endpoint } from './endpoint-memory';
import { maskHeaders, webhookHeaders } from './headers';
import { plannedWaitsMs, waitAfterFailure } from './schedule';

/** What became of it, and what the window learns from it. */
export type AttemptEnd = {
  delivery: ClaimedDelivery;
  /** `performance.now()` when it began. */
  startedAt: number;
  outcome: Omit<DeliveryOutcome, 'since_ms'>;
};

const samplePayload = JSON.stringify(sampleWebhookPayload);

/**
 * Makes one attempt. Never throws: one that the signal ends is `worker_lost`, since the receiver may have it. The times
 * are the database's clock and the process's monotonic one: a machine whose clock is moved keeps to the schedule.
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  endpoint: Endpoint | undefined,
  { post }: Pick<WebhookPost, 'post'>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const startedAt = performance.now();
  const body = delivery.event === 'test' ? samplePayload : delivery.payload;
  const problem = endpoint ? endpoint.problem : 'the endpoint is gone';
  if (!endpoint || body === null || problem !== null)
    return { delivery, startedAt, outcome: unsent(delivery, problem ?? 'the result is gone') };
  const { headers: custom_headers, secrets, url, timeoutMs } = endpoint;
  const headers = webhookHeaders({
    delivery_id: delivery.id,
    event: delivery.event,
    attempt: delivery.attempts + 1,
    custom_headers,
    timestampSeconds: Math.floor(delivery.now_s),
    body,
    keys: secrets.filter(({ ends_s }) => ends_s === null || ends_s > delivery.now_s).map(({ key }) => key),
  });
  const request = {
    request_headers: JSON.stringify(maskHeaders(headers, custom_headers)),
    request_body: body,
  };
  try {
    const result = await post({ url, headers, body, timeoutMs, signal });
    return { delivery, startedAt, outcome: { ...answered(delivery, endpoint, result), ...request } };
  } catch {
    return { delivery, startedAt, outcome: { ...lost(delivery), ...request } };
  }
}

const keyOf = ({ id, series, attempts }: ClaimedDelivery) => ({ id, series, attempts });

const nothing = {
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

function answered(delivery: ClaimedDelivery, { waitsMs }: Endpoint, result: PostResult) {
  const { ms } = result;
  return {
    ...keyOf(delivery),
    outcome: result.outcome,
    wait_ms:
      result.outcome === 'acknowledged'
        ? 0
        : waitAfterFailure(waitsMs, delivery.attempts, result.retry_after_ms),
    status: result.status,
    error: result.error,
    response_headers: result.response_headers && JSON.stringify(result.response_headers),
    response_body: result.response_body,
    is_truncated: result.is_truncated,
    peer_address: result.peer_address,
    dns_ms: ms.dns,
    connect_ms: ms.connect,
    tls_ms: ms.tls,
    first_byte_ms: ms.first_byte,
    total_ms: ms.total,
  };
}

const lost = (delivery: ClaimedDelivery) => ({
  ...nothing,
  ...keyOf(delivery),
  outcome: 'worker_lost' as const,
  wait_ms: 0,
  error: 'the sender ended before the answer came: it may have arrived',
});

/** Nothing was sent, and only the platform's operators can help: it is tried again by the plan. */
const unsent = (delivery: ClaimedDelivery, error: string) => ({
  ...nothing,
  ...keyOf(delivery),
  outcome: 'network' as const,
  wait_ms: waitAfterFailure(plannedWaitsMs, delivery.attempts, null),
  error,
});
