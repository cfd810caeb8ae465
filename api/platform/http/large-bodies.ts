import type { Request } from 'express';
import type { Credential } from './credential';
import { createLanes } from './database-lanes';

/** Parsing a body of `smallBytes` takes about 3 ms, and a body of 1 MiB up to 100 ms. */
const smallBytes = 65_536;
const maxWaiting = 50;
const lanes = createLanes(2, { waitMs: 10_000 });

/**
 * Runs `read`, which reads and parses the body of a request. Each lane, for example a merchant, reads at most two
 * large bodies at a time, because 1,000 of them at once would block the process for a minute and take a gigabyte.
 * Waiting bodies are not read yet, so they take no memory. Throws 503 if too many wait or one waits too long.
 */
export function readInTurn<T>(
  { headers }: Pick<Request, 'headers'>,
  lane: string,
  read: () => Promise<T>,
): Promise<T> {
  // A body that is sent in chunks has no `Content-Length`, so it counts as large.
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBytes;
  return isSmall ? read() : lanes.run(lane, read, maxWaiting);
}

/**
 * Returns the lane of a credential that the database has accepted. A session uses the lane of the merchant that its
 * last call reached. The merchant in the access token is not used, because the person may no longer belong to it.
 * Service keys, platform admins' sessions, and sessions whose last call was refused each have a lane of their own.
 */
export const bodyLaneOf = (credential: Credential, provenMerchantId: string | null): string =>
  credential.kind === 'service_key'
    ? credential.keyHash
    : credential.merchantId === null || provenMerchantId === null
      ? credential.sessionId
      : provenMerchantId;
