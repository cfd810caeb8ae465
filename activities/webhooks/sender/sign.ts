import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const secretPrefix = 'whsec_';

/** The key in a signing secret (`whsec_` + base64), read once: every delivery signs with it. Throws on another text. */
export function openSigningSecret(secret: string): KeyObject {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  if (!secret.startsWith(secretPrefix) || key.length === 0)
    throw new Error('a signing secret must be whsec_ and base64');
  return createSecretKey(key);
}

export type SignedContent = {
  /** Of the delivery: the same for all its attempts. */
  id: string;
  /** Of the attempt, in seconds since 1970. */
  timestampSeconds: number;
  /** Exactly what is sent. */
  body: string;
};

/**
 * `webhook-signature` of Standard Webhooks: `v1,<base64>` for each key, a blank between them. There are two while a
 * secret is being rotated.
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
