import { LRUCache } from 'lru-cache';
import type { Credential } from './credential';

/** The credentials that the database accepted within the last ten minutes. They are kept in this process's memory. */
export type ProvenCredentials = {
  has: (credential: Credential) => boolean;
  note: (credential: Credential) => void;
  forget: (credential: Credential) => void;
};

const rememberedForMs = 600_000;
const maxRemembered = 50_000;

/** Returns a key that identifies a credential without containing its secret. */
export const credentialKey = (credential: Credential): string =>
  credential.kind === 'service_key'
    ? `${credential.environment} ${credential.keyHash}`
    : credential.sessionId;

/**
 * Remembers proven credentials, which only saves the check before a body is read. The scope statement of every request
 * checks the credential again, so a revoked one is rejected on its next request.
 */
export function rememberProven(): ProvenCredentials {
  const proven = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedForMs });
  return {
    has: (credential) => proven.has(credentialKey(credential)),
    note: (credential) => void proven.set(credentialKey(credential), true),
    forget: (credential) => void proven.delete(credentialKey(credential)),
  };
}
