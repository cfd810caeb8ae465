import { createHmac } from 'node:crypto';
import { isDigest } from '../platform/http/is-digest';

/**
 * Verifies Twilio's signature: HMAC-SHA1 of the address and of the form's names and values in the order of the names. Our
 * own code, because the package `twilio` has six dependencies and does the same for it.
 */
export function isTwilioSignature(
  signature: string | undefined,
  { authToken, address, fields }: { authToken: string; address: string; fields: URLSearchParams },
): boolean {
  const sorted = [...fields].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const expected = createHmac('sha1', authToken)
    .update(address + sorted.flat().join(''))
    .digest();
  return isDigest(signature, { encoding: 'base64', expected });
}
