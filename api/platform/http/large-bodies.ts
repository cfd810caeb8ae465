import type { Request } from 'express';
import type { Credential } from './credential';
import { createLanes } from './database-lanes';

/** Parsing a body of this length takes about 3 ms, and one of 1 MiB up to 100 ms. */
const smallBytes = 65_536;
const maxWaiting = 50;
const lanes = createLanes(2, { waitMs: 10_000 });

/**
 * Runs `read`, which reads and parses the body of a request. A merchant's larger bodies are read two at a time,
 * because 1,000 of them at once would keep the process busy for a minute and take a gigabyte. Waiting bodies are not
 * read yet, so they take no memory. Throws 503 if too many wait or one waits too long.
 */
export function readInTurn<T>(
  { headers }: Pick<Request, 'headers'>,
  credential: Credential,
  read: () => Promise<T>,
): Promise<T> {
  // A body that is sent in chunks has no length.
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBytes;
  return isSmall ? read() : lanes.run(laneOf(credential), read, maxWaiting);
}

/** The merchant of the call may be named in the body, so this is the merchant of the session, or the service key. */
const laneOf = (credential: Credential): string =>
  credential.kind === 'service_key' ? credential.keyHash : (credential.merchantId ?? credential.sessionId);
