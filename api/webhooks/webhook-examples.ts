import type { z } from 'zod';
import type { webhookAttempt, webhookDelivery, webhookReplay } from './webhook-deliveries';
import type { webhookEndpoint } from './webhook-fields';

/** The example of an endpoint in the documentation. */
export const endpointExample: z.output<typeof webhookEndpoint> = {
  id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0',
  environment: 'production',
  url: 'https://example.com/webhooks',
  events: ['interview_result'],
  description: 'ATS',
  timeout_seconds: 60,
  enabled: true,
  paused_reason: null,
  paused_at: null,
  failing_since: null,
  waiting: { queued: 0, retried: 1 },
  last_success_at: '2026-01-15T09:40:00.000Z',
  last_failure_at: '2026-01-15T09:42:10.612Z',
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};

/** The example of a delivery in the documentation. */
export const deliveryExample: z.output<typeof webhookDelivery> = {
  id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1',
  endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0',
  event: 'interview_result',
  result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
  reason: 'processing_status, score',
  state: 'retried',
  series: 1,
  attempts: 1,
  next_attempt_at: '2026-01-15T09:42:16.000Z',
  is_being_sent: false,
  last_outcome: 'refused',
  last_status: 500,
  triggered_by: null,
  created_at: '2026-01-15T09:42:10.480Z',
  finished_at: null,
};

/** The example of an attempt in the documentation. It belongs to `deliveryExample`. */
export const attemptExample: z.output<typeof webhookAttempt> = {
  series: 1,
  attempt: 1,
  started_at: '2026-01-15T09:42:10.500Z',
  outcome: 'refused',
  status: 500,
  error: null,
  triggered_by: null,
  peer_address: '203.0.113.10',
  dns_ms: 2.1,
  connect_ms: 11.4,
  tls_ms: 24.8,
  first_byte_ms: 73.2,
  total_ms: 112.6,
  request_headers: { 'content-type': 'application/json', 'webhook-signature': 'v1,K5oZ…' },
  request_body: '{"type":"interview_result"}',
  response_headers: { 'content-type': 'text/plain' },
  response_body: 'Internal Server Error',
  is_truncated: false,
};

/** The example of a replay in the documentation. */
export const replayExample: z.output<typeof webhookReplay> = {
  id: '01a1fcf7-b13e-74de-bd85-c2fc187618f5',
  state: 'running',
  filter: { state: 'gave_up', since: '2026-01-15T09:30:00.000Z' },
  per_second: 100,
  matched: 412,
  replayed: 200,
  requested_by: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
  created_at: '2026-01-16T08:00:00.000Z',
  finished_at: null,
  workflow_id: 'webhook-replay/01a1fcf7-b13e-74de-bd85-c2fc187618f5',
};
