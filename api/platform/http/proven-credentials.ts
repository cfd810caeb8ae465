import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential';

/** The credentials that the database accepted within the last ten minutes. They are kept in this process's memory. */
export type Proven<Kind> = {
  /** Returns a key that identifies a credential without containing its secret. */
  keyOf: (credential: Kind) => string;
  has: (credential: Kind) => boolean;
  /** Notes a credential with the merchant of the call that proved it, or null if that call was refused. */
  note: (credential: Kind, merchantId?: string | null) => void;
  /** Returns the merchant of the last call that proved the credential, or null. */
  merchantOf: (credential: Kind) => string | null;
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
  const proven = new LRUCache<string, { merchantId: string | null }>({
    max: maxRemembered,
    ttl: rememberedForMs,
  });
  const noted = new EventEmitter().setMaxListeners(0);
  return {
    keyOf,
    has: (credential) => proven.has(keyOf(credential)),
    merchantOf: (credential) => proven.get(keyOf(credential))?.merchantId ?? null,
    note: (credential, merchantId = null) => {
      const key = keyOf(credential);
      proven.set(key, { merchantId });
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
