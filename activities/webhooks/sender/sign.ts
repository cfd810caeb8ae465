import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const secretPrefix = 'whsec_';

/**
 * Decodes the key of a signing secret (`whsec_` + base64), once for all deliveries that are signed with it. Throws on
 * any other text.
 */
export function openSigningSecret(secret: string): KeyObject {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  if (!secret.startsWith(secretPrefix) || key.length === 0)
    throw new Error('a signing secret must be whsec_ and base64');
  return createSecretKey(key);
}

type SignedContent = {
  /** The delivery's id, which is the same for all its attempts. */
  id: string;
  /** The time of the attempt, in seconds since 1970. */
  timestampSeconds: number;
  /** The exact body that is sent. */
  body: string;
};

/**
 * Returns the `webhook-signature` header of Standard Webhooks: `v1,<base64>` for each key, separated by spaces. There
 * are two keys while a secret is being rotated.
 */
export const signWebhook = (
  { id, timestampSeconds, body }: SignedContent,
  keys: readonly KeyObject[],
): string =>
  keys
    .map(
      (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`,
    )
    .join(' ');
