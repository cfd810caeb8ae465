import { timingSafeEqual } from 'node:crypto';

/** Returns whether a digest that was sent as text is the expected one. The time that it takes says nothing about the bytes. */
export function isDigest(
  sent: string | undefined,
  { encoding, expected }: { encoding: 'base64' | 'hex'; expected: Buffer },
): boolean {
  const bytes = Buffer.from(sent ?? '', encoding);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
