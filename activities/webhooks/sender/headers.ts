import type { KeyObject } from 'node:crypto';
import { maskSecret } from '../../../api/webhooks/webhook-headers';
import type { CustomHeaders } from '../../../api/webhooks/webhook-headers';
import { signWebhook } from './sign';

const userAgent = 'interview-platform-webhooks/1';
const signatureHeader = 'webhook-signature';

type DeliveryFacts = {
  delivery_id: string;
  event: string;
  attempt: number;
  custom_headers: CustomHeaders;
  timestampSeconds: number;
  body: string;
  keys: readonly KeyObject[];
};

/**
 * Returns all headers of an attempt (docs/guide/webhooks.md#headers). A custom `user-agent` header of the endpoint
 * replaces ours.
 */
export function webhookHeaders(delivery: DeliveryFacts): Record<string, string> {
  const { delivery_id, event, attempt, custom_headers, timestampSeconds, body, keys } = delivery;
  const replaced = Object.keys(custom_headers).some((name) => name.toLowerCase() === 'user-agent');
  return {
    'content-type': 'application/json',
    ...(replaced ? {} : { 'user-agent': userAgent }),
    ...custom_headers,
    'webhook-id': delivery_id,
    'webhook-timestamp': String(timestampSeconds),
    [signatureHeader]: signWebhook({ id: delivery_id, timestampSeconds, body }, keys),
    'x-platform-event': event,
    'x-platform-attempt': String(attempt),
  };
}

/**
 * Returns the headers as they may be stored and shown, with the signature and the merchant's header values masked.
 */
export function maskHeaders(
  headers: Record<string, string>,
  customHeaders: CustomHeaders,
): Record<string, string> {
  const masked = { ...headers };
  for (const name of [...Object.keys(customHeaders), signatureHeader]) {
    const value = masked[name];
    if (value !== undefined) masked[name] = maskSecret(value);
  }
  return masked;
}
