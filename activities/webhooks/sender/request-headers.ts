import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { maskSecret } from '../../../api/webhooks/webhook-headers';
import type { CustomHeaders } from '../../../api/webhooks/webhook-headers';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';

/** A signing secret, and when it ends in seconds since 1970 by the database's clock. */
type Secret = { key: KeyObject; ends_s: number | null };

const userAgent = 'interview-platform-webhooks/1';
const signatureHeader = 'webhook-signature';
const secretPrefix = 'whsec_';

/**
 * Returns all headers of an attempt that sends `body` (docs/guide/webhooks.md#headers). A custom `user-agent` header of
 * the endpoint replaces ours.
 */
export function webhookHeaders(
  { id, attempts, now_s }: Pick<LeasedDelivery, 'id' | 'attempts' | 'now_s'>,
  event: string,
  body: string,
  { headers: custom, secrets }: { headers: CustomHeaders; secrets: readonly Secret[] },
): Record<string, string> {
  const replaced = Object.keys(custom).some((name) => name.toLowerCase() === 'user-agent');
  const timestamp = String(Math.floor(now_s));
  const keys = secrets.filter(({ ends_s }) => ends_s === null || ends_s > now_s).map(({ key }) => key);
  return {
    'content-type': 'application/json',
    ...(replaced ? {} : { 'user-agent': userAgent }),
    ...custom,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    [signatureHeader]: sign(`${id}.${timestamp}.${body}`, keys),
    'x-platform-event': event,
    'x-platform-attempt': String(attempts + 1),
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
