import { randomBytes, randomUUID } from 'node:crypto';
import type { Seal } from '../platform/sealed';
import type { Statement } from '../platform/statement';
import type { StepOwner } from './steps';

type EmbedKey = { embed_id: string; embed_signing_key: string };

const sealContext = (embedId: string) => `embed_key/${embedId}`;

/**
 * Generates an embed key. `embed_id` is public; `embed_signing_key` is a secret that is stored only in sealed form.
 * Pages of `origins` may show the interview in a frame.
 */
export function generateEmbedKey(
  seal: Seal,
  owner: StepOwner,
  interviewId: string,
  origins: readonly string[] = [],
): { key: EmbedKey; insert: Statement } {
  const key = { embed_id: randomUUID(), embed_signing_key: `esk_${randomBytes(32).toString('base64url')}` };
  const sealed = seal.seal(key.embed_signing_key, sealContext(key.embed_id));
  return {
    key,
    insert: {
      text: `
        insert into embed_key (id, merchant_id, environment, interview_id, signing_key_sealed, embed_origins)
        values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      values: [key.embed_id, owner.merchant_id, owner.environment, interviewId, sealed, origins],
    },
  };
}

/** Unseals the signing key of an `embed_key` row. */
export const openSigningKey = (seal: Seal, embedId: string, sealed: Buffer): string =>
  seal.open(sealed, sealContext(embedId));

export const findEmbedKey = (interviewId: string): Statement => ({
  text: 'select id from embed_key where interview_id = $1 and revoked_at is null',
  values: [interviewId],
});

export const revokeEmbedKey = (interviewId: string): Statement => ({
  text: 'update embed_key set revoked_at = now() where interview_id = $1 and revoked_at is null',
  values: [interviewId],
});

/** Replaces the origins whose pages may frame the interview. Affects no row if the interview has no key. */
export const setEmbedOrigins = (interviewId: string, origins: readonly string[]): Statement => ({
  text: 'update embed_key set embed_origins = $2 where interview_id = $1 and revoked_at is null',
  values: [interviewId, origins],
});
