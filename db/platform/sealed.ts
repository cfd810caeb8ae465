import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export type Seal = {
  /**
   * Encrypts a text. `context` names the table and row. Opening requires the same context, so a sealed value cannot
   * be moved to another row.
   */
  seal: (plaintext: string, context: string) => Buffer;
  /** Throws when the key is unknown, the context differs or a bit has changed. */
  open: (sealed: Buffer, context: string) => string;
};

/**
 * Seals with AES-256-GCM. `SEALING_KEYS` is a comma-separated list of `name:base64` with 32 bytes each. The first key
 * seals and every key opens, so that keys can rotate. Throws a readable message on a malformed list. A sealed value
 * consists of the length of the key's name (1 byte), the name, iv, tag and ciphertext.
 */
export function createSeal(sealingKeys: string): Seal {
  const keys = new Map<string, Buffer>();
  for (const entry of sealingKeys.split(',')) {
    const [name, base64] = entry.trim().split(':');
    const key = Buffer.from(base64 ?? '', 'base64');
    if (!name || key.length !== 32)
      throw new Error('SEALING_KEYS must be name:base64 of 32 bytes, comma separated');
    if (keys.has(name) || Buffer.byteLength(name) > 255)
      throw new Error('SEALING_KEYS must have a name of its own for each key, of at most 255 bytes');
    keys.set(name, key);
  }
  const [first] = keys;
  if (!first) throw new Error('SEALING_KEYS must name at least one key');
  const [sealingName, sealingKey] = first;

  return {
    seal(plaintext, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, sealingKey, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const name = Buffer.from(sealingName);
      return Buffer.concat([Buffer.from([name.length]), name, iv, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const nameEnd = 1 + (sealed[0] ?? 0);
      const key = keys.get(sealed.subarray(1, nameEnd).toString());
      if (!key) throw new Error('sealed with a key that SEALING_KEYS does not name');
      const ivEnd = nameEnd + ivBytes;
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(nameEnd, ivEnd), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(ivEnd, ivEnd + tagBytes));
      return decipher.update(sealed.subarray(ivEnd + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
