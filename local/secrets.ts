import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { generateSigningKeys } from '../db/platform/tokens';
import { StartError } from './start-error';
import { writePrivateJson } from './state-folder';

const secrets = z.object({
  sealing_keys: z.string().regex(/^[^:,]+:[A-Za-z0-9+/]{43}=(,|$)/),
  postgres_password: z.string().min(1),
  api_password: z.string().min(1),
  worker_password: z.string().min(1),
});
export type Secrets = z.infer<typeof secrets>;

/**
 * Reads the secrets of this stack and creates them at the first start. Throws a StartError when the file is damaged.
 */
export function readSecrets(file: string): Secrets {
  if (!existsSync(file))
    writePrivateJson(file, {
      sealing_keys: `k1:${randomBytes(32).toString('base64')}`,
      postgres_password: newPassword(),
      api_password: newPassword(),
      worker_password: newPassword(),
    } satisfies Secrets);
  try {
    return secrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(`${file} is damaged: remove it and start with npm start -- --fresh.`);
  }
}

/** Creates a JWK set of private keys for access tokens or links, unless the file exists. */
export async function ensureSigningKeys(file: string): Promise<void> {
  if (!existsSync(file)) writePrivateJson(file, await generateSigningKeys());
}

/**
 * `event_signing_key` signs the events of the SendGrid fake, and the API verifies them with `event_key`. The Twilio fake,
 * the worker and the API share `message_token`. The HeyGen fake and the API share `video_secret`.
 */
export type EventKeys = {
  event_signing_key: string;
  event_key: string;
  message_token: string;
  video_secret: string;
};

/**
 * Creates new keys at each start, which is safe because the fake that signs and the API that verifies start together.
 * The format is base64 of DER, as in SendGrid's settings.
 */
export function createEventKeys(): EventKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    event_signing_key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    event_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    message_token: randomBytes(16).toString('hex'),
    video_secret: randomBytes(16).toString('hex'),
  };
}

/** Generates a password without characters that a connection URL would have to escape. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
