import type { Environment, Role } from '../platform/vocabulary';
import type { Statement } from '../platform/statement';

/**
 * Queues a mail with a link to the console, where the address belongs to somebody who may come in and got less than five
 * in the last hour. Answers the same in every case.
 */
export const requestSignIn = (emailKey: string, environment: Environment): Statement => ({
  text: 'select app.request_sign_in($1, $2)',
  values: [emailKey, environment],
});

export type SignInLink = {
  name: string | null;
  email: string;
  role: Role;
  /** Null of a platform admin. */
  merchant_name: string | null;
  environment: Environment;
};

/** Whose link this is; no row where it is spent, over 15 minutes old or unknown. */
export const readSignInLink = (hash: Buffer): Statement<SignInLink> => ({
  text: 'select * from app.read_sign_in_link($1)',
  values: [hash],
});

/** Spends a link for a session of the console; `session_id` is null where that is over. */
export const spendSignInLink = (
  hash: Buffer,
  cookieHash: Buffer,
  userAgent: string | null,
): Statement<{ session_id: string | null }> => ({
  text: 'select app.spend_sign_in_link($1, $2, $3) as session_id',
  values: [hash, cookieHash, userAgent],
});

export type SignInMail = {
  name: string | null;
  email: string;
  merchant_id: string | null;
  environment: string;
};

/** Puts the hash of a new token into an unspent link and begins its 15 minutes; no row where there is nobody to mail. */
export const mintSignInLink = (id: string, hash: Buffer): Statement<SignInMail> => ({
  text: `
    update sign_in_link l set hash = $2, expires_at = now() + interval '15 minutes'
    from profile p
    where l.id = $1 and l.used_at is null and p.id = l.profile_id and p.disabled_at is null
    returning p.name, p.email, p.merchant_id, l.environment`,
  values: [id, hash],
});

/** Links of yesterday: they count for nothing any more. */
export const deleteOldSignInLinks: Statement = {
  text: `delete from sign_in_link where created_at < now() - interval '1 day'`,
};
