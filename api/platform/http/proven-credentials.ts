import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential';

/** The credentials that the database accepted within the last ten minutes. They are kept in this process's memory. */
export type ProvenCredentials = {
  has: (credential: Credential) => boolean;
  note: (credential: Credential) => void;
  forget: (credential: Credential) => void;
  /** Calls `onNoted` when the credential is noted the next time. Returns a function that cancels this. */
  onceNoted: (credential: Credential, onNoted: () => void) => () => void;
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
  const noted = new EventEmitter().setMaxListeners(0);
  return {
    has: (credential) => proven.has(credentialKey(credential)),
    note: (credential) => {
      const key = credentialKey(credential);
      proven.set(key, true);
      noted.emit(key);
    },
    forget: (credential) => void proven.delete(credentialKey(credential)),
    onceNoted: (credential, onNoted) => {
      const key = credentialKey(credential);
      noted.once(key, onNoted);
      return () => void noted.off(key, onNoted);
    },
  };
}
