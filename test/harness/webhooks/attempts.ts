import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';

const noExchange = {
  status: null,
  error: null,
  response_headers: null,
  response_body: null,
  is_truncated: false,
  peer_address: null,
  ms: { dns: null, connect: null, tls: null, first_byte: null, total: null },
};

/** Returns the outcome of an attempt that made no connection and sent nothing, by default the first one. */
export const outcomeOf = (
  delivery: { id: string; series?: number; attempts?: number },
  result: Partial<DeliveryOutcome['result']>,
  more: Partial<Pick<DeliveryOutcome, 'wait_ms' | 'request_headers' | 'request_body'>> = {},
): DeliveryOutcome => ({
  delivery: { series: 1, attempts: 0, ...delivery },
  startedAt: performance.now(),
  wait_ms: 5_000,
  request_headers: null,
  request_body: null,
  ...more,
  result: { outcome: 'acknowledged', ...noExchange, ...result },
});
