import type { Transaction } from './database';
import type { Statement } from './statement';
import { generateRefreshToken, hashSecret } from './tokens';
import type { Environment, Role } from './vocabulary';

type RefreshedSession = {
  session_id: string;
  profile_id: string;
  role: Role;
  merchant_id: string | null;
  environment: Environment;
};

/**
 * Exchanges a refresh token for a new one that is valid for 30 days. Returns undefined if the token is unknown or
 * expired, or its session has ended. If a token is used a second time, its session is revoked, because two people
 * then hold the token and one of them has stolen it.
 */
export async function refreshSession(
  trx: Transaction,
  refreshToken: string,
): Promise<(RefreshedSession & { refreshToken: string }) | undefined> {
  const hash = hashSecret(refreshToken);
  const spent = await trx.maybeOne<{ session_id: string }>({
    text: `update refresh_token set used_at = now()
      where hash = $1 and used_at is null and expires_at > now() returning session_id`,
    values: [hash],
  });
  if (!spent) {
    await trx.count({
      text: `update session set revoked_at = now()
        where revoked_at is null
          and id = (select session_id from refresh_token where hash = $1 and used_at is not null)`,
      values: [hash],
    });
    return undefined;
  }
  const session = await trx.maybeOne<RefreshedSession>({
    text: `update session s set expires_at = now() + interval '30 days', last_used_at = now()
      from profile p
      where s.id = $1 and s.revoked_at is null and s.expires_at > now() and p.id = s.profile_id and p.disabled_at is null
        and app.is_opener_in_charge(s.opened_by, s.bound_merchant_id)
      returning s.id as session_id, p.id as profile_id, p.role, p.merchant_id, s.environment`,
    values: [spent.session_id],
  });
  if (!session) return undefined;
  const next = generateRefreshToken();
  await trx.count({
    text: `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '30 days')`,
    values: [hashSecret(next), session.session_id],
  });
  return { ...session, refreshToken: next };
}

/** Returns the merchant to which a service key belongs; null for a platform key. */
export const findKeyMerchant = (id: string): Statement<{ merchant_id: string | null }> => ({
  name: 'find_key_merchant',
  text: 'select merchant_id from service_key where id = $1',
  values: [id],
});

/** Records when sessions and service keys were last used, in one statement for all uses since the last call. */
export const recordLastUse = (table: 'session' | 'service_key', uses: Map<string, Date>): Statement => ({
  text: `
    update ${table} t set last_used_at = greatest(t.last_used_at, u.at)
    from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) where t.id = u.id`,
  values: [[...uses.keys()], [...uses.values()].map((at) => at.toISOString())],
});

/** Deletes refresh tokens a month after they expired. */
export const deleteExpiredRefreshTokens: Statement = {
  text: `delete from refresh_token where expires_at < now() - interval '30 days'`,
};
