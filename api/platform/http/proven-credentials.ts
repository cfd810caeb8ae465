import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential';

/** Remembers in this process which credentials the database accepted within the last ten minutes. */
export type ProvenCache<Kind> = {
  /** Returns a key that identifies a credential without containing its secret. */
  keyOf: (credential: Kind) => string;
  has: (credential: Kind) => boolean;
  /**
   * Remembers an accepted credential with the merchant of its last call. The merchant is null if the credential is
   * valid but that call was refused.
   */
  note: (credential: Kind, merchantId?: string | null) => void;
  /** Returns the merchant that was last noted for the credential, or null. */
  merchantOf: (credential: Kind) => string | null;
  forget: (credential: Kind) => void;
  /**
   * Calls `onNoted` once, the next time that `note` is called for the credential. Returns a function that cancels
   * this.
   */
  onceNoted: (credential: Kind, onNoted: () => void) => () => void;
};
export type ProvenCredentialCache = ProvenCache<Credential>;

const rememberedForMs = 600_000;
const maxRemembered = 50_000;

const credentialKey = (credential: Credential): string =>
  credential.kind === 'service_key'
    ? `${credential.environment} ${credential.keyHash}`
    : credential.sessionId;

/** Remembers which sessions and service keys the database has accepted. */
export const createProvenCredentials = (): ProvenCredentialCache => createProvenCache(credentialKey);

/**
 * Remembers accepted credentials under the key that `keyOf` returns, which saves a query before a request's body is
 * read. The transaction of every request checks the credential again, so a revoked credential is rejected on its next
 * request.
 */
export function createProvenCache<Kind>(keyOf: (credential: Kind) => string): ProvenCache<Kind> {
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
