import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential';

/** The credentials that the database accepted within the last ten minutes. They are kept in this process's memory. */
export type Proven<Kind> = {
  /** Returns a key that identifies a credential without containing its secret. */
  keyOf: (credential: Kind) => string;
  has: (credential: Kind) => boolean;
  note: (credential: Kind) => void;
  forget: (credential: Kind) => void;
  /** Calls `onNoted` when the credential is noted the next time. Returns a function that cancels this. */
  onceNoted: (credential: Kind, onNoted: () => void) => () => void;
};
export type ProvenCredentials = Proven<Credential>;

const rememberedForMs = 600_000;
const maxRemembered = 50_000;

const credentialKey = (credential: Credential): string =>
  credential.kind === 'service_key'
    ? `${credential.environment} ${credential.keyHash}`
    : credential.sessionId;

/** Remembers proven sessions and service keys. */
export const rememberProven = (): ProvenCredentials => rememberProvenBy(credentialKey);

/**
 * Remembers proven credentials by the key that `keyOf` returns, which only saves the check before a body is read. The scope statement of every request
 * checks the credential again, so a revoked one is rejected on its next request.
 */
export function rememberProvenBy<Kind>(keyOf: (credential: Kind) => string): Proven<Kind> {
  const proven = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedForMs });
  const noted = new EventEmitter().setMaxListeners(0);
  return {
    keyOf,
    has: (credential) => proven.has(keyOf(credential)),
    note: (credential) => {
      const key = keyOf(credential);
      proven.set(key, true);
      noted.emit(key);
    },
    forget: (credential) => void proven.delete(keyOf(credential)),
    onceNoted: (credential, onNoted) => {
      const key = keyOf(credential);
      noted.once(key, onNoted);
      return () => void noted.off(key, onNoted);
    },
  };
}
