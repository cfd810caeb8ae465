import type { Statement } from '../platform/statement';
import type { Environment, Role } from '../platform/vocabulary';

/**
 * Queues a mail with a console link if the address belongs to a person with access. A person who got five links in
 * the last hour gets another one only if every link of the last ten minutes was used. The result is the same in every
 * case, so it does not reveal who has an account.
 */
export const requestSignIn = (emailKey: string, environment: Environment): Statement => ({
  text: 'select app.request_sign_in($1, $2)',
  values: [emailKey, environment],
});

export type SignInLink = {
  name: string | null;
  email: string;
  role: Role;
  /** Null for a platform admin. */
  merchant_name: string | null;
  environment: Environment;
};

/** Returns the person to whom a link belongs, or no row when the link is used, older than 15 minutes or unknown. */
export const findSignInLink = (hash: Buffer): Statement<SignInLink> => ({
  text: 'select * from app.read_sign_in_link($1)',
  values: [hash],
});

/** Exchanges a link for a console session. `session_id` is null when the link has expired or was already used. */
export const consumeSignInLink = (
  hash: Buffer,
  cookieHash: Buffer,
  userAgent: string | null,
): Statement<{ session_id: string | null }> => ({
  text: 'select app.spend_sign_in_link($1, $2, $3) as session_id',
  values: [hash, cookieHash, userAgent],
});

type SignInMail = {
  name: string | null;
  email: string;
  merchant_id: string | null;
  environment: string;
};

/**
 * Stores the hash of a new token in an unused link, which then works for 15 minutes. Returns no row when the link was
 * used or its person is disabled.
 */
export const setSignInToken = (id: string, hash: Buffer): Statement<SignInMail> => ({
  text: `
    update sign_in_link l set hash = $2, expires_at = now() + interval '15 minutes'
    from profile p
    where l.id = $1 and l.used_at is null and p.id = l.profile_id and p.disabled_at is null
    returning p.name, p.email, p.merchant_id, l.environment`,
  values: [id, hash],
});

/** Deletes links older than a day. `requestSignIn` counts only newer links. */
export const deleteOldSignInLinks: Statement = {
  text: `delete from sign_in_link where created_at < now() - interval '1 day'`,
};
