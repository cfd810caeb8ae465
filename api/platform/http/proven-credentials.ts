import { LRUCache } from 'lru-cache';
import type { Database } from '../../../db/platform/scope';
import type { Operation } from '../operation/define-operation';
import type { Credential } from './authenticate';
import { toApiError } from './error-reply';
import { toRequester } from './requester';

/** The credentials that the database accepted within the last ten minutes, in this process's memory. */
export type ProvenCredentials = {
  has: (credential: Credential) => boolean;
  note: (credential: Credential) => void;
  forget: (credential: Credential) => void;
};

const rememberedForMs = 600_000;
const maxRemembered = 50_000;

/** Tells credentials apart without holding their secrets. */
export const credentialKey = (credential: Credential): string =>
  credential.kind === 'service_key'
    ? `${credential.environment} ${credential.keyHash}`
    : credential.sessionId;

/**
 * Remembers credentials that were proven. This saves only the proof before a body is read: every request proves its
 * credential again in the scope statement, so a revoked one is refused on its next request.
 */
export function rememberProven(): ProvenCredentials {
  const proven = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedForMs });
  return {
    has: (credential) => proven.has(credentialKey(credential)),
    note: (credential) => void proven.set(credentialKey(credential), true),
    forget: (credential) => void proven.delete(credentialKey(credential)),
  };
}

/**
 * Asks the database about a credential before its request's body is read. Throws 401 when it is unknown or revoked, and
 * 503 when the database is away. Other refusals depend on the body, so the scope statement repeats them later.
 */
export async function proveCredential(
  { database, proven }: { database: Pick<Database, 'asCaller'>; proven: ProvenCredentials },
  credential: Credential,
  operation: Operation,
): Promise<void> {
  const caller = toRequester(credential, operation, { input: undefined, merchantId: null });
  await database
    .asCaller(caller, 'read', async () => undefined)
    .catch((refusal: unknown) => {
      if (![403, 422].includes(toApiError(refusal).status)) throw refusal;
    });
  proven.note(credential);
}
