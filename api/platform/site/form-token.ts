import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

const combine = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/** Returns the token that the forms of a session contain. `secret` is the content of the session's cookie. */
export const formToken = (secret: string): Buffer => createHash('sha256').update(`csrf/${secret}`).digest();

/**
 * Writes a form token in a way that differs in every page, because the lengths of compressed pages would otherwise
 * reveal a token that stays the same (docs/security.md#compressed-replies): a random mask, then the token combined with
 * the mask.
 */
export function writeFormToken(token: Buffer): string {
  const mask = randomBytes(tokenBytes);
  return Buffer.concat([mask, combine(mask, token)]).toString('base64url');
}

/** Returns true if a form contains this token. `sent` is a text from `writeFormToken`, or anything else. */
export function isFormToken(sent: unknown, token: Buffer): boolean {
  const bytes = Buffer.from(typeof sent === 'string' && sent.length < 100 ? sent : '', 'base64url');
  return (
    bytes.length === 2 * tokenBytes &&
    timingSafeEqual(combine(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes)), token)
  );
}
