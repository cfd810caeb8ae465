import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';

/** The embed key with which the transaction was opened, and its interview. */
export type EmbedPage = {
  signing_key_sealed: Buffer;
  /** The origins whose pages may frame the interview. */
  embed_origins: string[];
  is_revoked: boolean;
  interview_id: string;
  status: string;
  interview_available_till: string | null;
  platform_language_code: LanguageCode;
  /** True for a public avatar, which is open to everyone without a token. */
  is_avatar: boolean;
  /** True for a session that learners practice. */
  is_practice: boolean;
};

export const findEmbedPage: Statement<EmbedPage> = {
  name: 'find_embed_page',
  text: 'select *, app.embeds_avatar() as is_avatar, app.embeds_practice() as is_practice from app.embed_page()',
};

/** Stores that a token is used. Affects no row if it was used before. `tokenHash` is in hex. */
export const claimEmbedToken = (tokenHash: string, expiresAt: Date): Statement => ({
  name: 'claim_embed_token',
  text: `insert into embed_token_use (token_hash, expires_at) values (decode($1, 'hex'), $2) on conflict do nothing`,
  values: [tokenHash, expiresAt],
});

/**
 * Deletes used tokens some minutes after they have expired, because tokens are accepted for a minute after they
 * expire, and clocks differ.
 */
export const deleteExpiredEmbedTokens: Statement = {
  text: `delete from embed_token_use where expires_at < now() - interval '10 minutes'`,
};
