import type { Request } from 'express';
import type { Credential } from './credential';
import { createLanes } from './database-lanes';

/** Parsing a body of this length takes about 3 ms, and one of 1 MiB up to 100 ms. */
const smallBytes = 65_536;
const maxWaiting = 50;
const lanes = createLanes(2, { waitMs: 10_000 });

/**
 * Runs `read`, which reads and parses the body of a request. The larger bodies of a lane are read two at a time,
 * because 1,000 of them at once would keep the process busy for a minute and take a gigabyte. Waiting bodies are not
 * read yet, so they take no memory. Throws 503 if too many wait or one waits too long.
 */
export function readInTurn<T>(
  { headers }: Pick<Request, 'headers'>,
  lane: string,
  read: () => Promise<T>,
): Promise<T> {
  // A body that is sent in chunks has no length.
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBytes;
  return isSmall ? read() : lanes.run(lane, read, maxWaiting);
}

/**
 * Returns the lane of a proven credential. The merchant of the call may be named in the body, so a session shares the
 * lane of the merchant that last let it in. A session that was refused, those of platform admins, and service keys have
 * lanes of their own. The merchant in an access token does not count, because it may have withdrawn the person.
 */
export const laneOf = (credential: Credential, provenMerchantId: string | null): string =>
  credential.kind === 'service_key'
    ? credential.keyHash
    : credential.merchantId === null || provenMerchantId === null
      ? credential.sessionId
      : provenMerchantId;
