import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { maskSecret } from '../../../api/webhooks/webhook-headers';
import type { CustomHeaders } from '../../../api/webhooks/webhook-headers';

const userAgent = 'interview-platform-webhooks/1';
const signatureHeader = 'webhook-signature';
const secretPrefix = 'whsec_';

type WebhookRequest = {
  delivery_id: string;
  event: string;
  attempt: number;
  custom_headers: CustomHeaders;
  timestampSeconds: number;
  /** The exact body that is sent. */
  body: string;
  keys: readonly KeyObject[];
};

/**
 * Returns all headers of an attempt (docs/guide/webhooks.md#headers). A custom `user-agent` header of the endpoint
 * replaces ours.
 */
export function webhookHeaders(request: WebhookRequest): Record<string, string> {
  const { delivery_id, event, attempt, custom_headers, timestampSeconds, body, keys } = request;
  const replaced = Object.keys(custom_headers).some((name) => name.toLowerCase() === 'user-agent');
  return {
    'content-type': 'application/json',
    ...(replaced ? {} : { 'user-agent': userAgent }),
    ...custom_headers,
    'webhook-id': delivery_id,
    'webhook-timestamp': String(timestampSeconds),
    [signatureHeader]: sign(`${delivery_id}.${timestampSeconds}.${body}`, keys),
    'x-platform-event': event,
    'x-platform-attempt': String(attempt),
  };
}

/** Returns the headers as they may be stored and shown, with the signature and the merchant's header values masked. */
export function maskHeaders(headers: Record<string, string>, custom: CustomHeaders): Record<string, string> {
  const masked = { ...headers };
  for (const name of [...Object.keys(custom), signatureHeader]) {
    const value = masked[name];
    if (value !== undefined) masked[name] = maskSecret(value);
  }
  return masked;
}

/** Signs as Standard Webhooks does: `v1,<base64>` for each key. There are two keys while a secret is being rotated. */
const sign = (content: string, keys: readonly KeyObject[]): string =>
  keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');

/** Decodes the key of a signing secret (`whsec_` + base64), once for all deliveries that are signed with it. */
export function openSigningSecret(secret: string): KeyObject {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  if (!secret.startsWith(secretPrefix) || key.length === 0)
    throw new Error('a signing secret must be whsec_ and base64');
  return createSecretKey(key);
}
