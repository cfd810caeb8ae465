import type { Statement } from './statement';
import type { Environment, Role } from './vocabulary';

/** The person signed in to the console. */
export type ConsoleSession = {
  session_id: string;
  profile_id: string;
  name: string | null;
  email: string;
  /** The role at the person's home merchant. */
  role: Role;
  home_merchant_id: string | null;
  /** The merchant for requests that name no merchant. */
  default_merchant_id: string | null;
  environment: Environment;
  /** True if the person can reach more than one merchant. */
  may_choose: boolean;
};

/** Returns the session that belongs to a cookie, or no row when the session has ended or its person was disabled. */
export const findConsoleSession = (cookieHash: Buffer): Statement<ConsoleSession> => ({
  name: 'find_console_session',
  text: `
    select s.id as session_id, p.id as profile_id, p.name, p.email, p.role, p.merchant_id as home_merchant_id,
      case when p.role = 'admin' then p.merchant_id else s.default_merchant_id end as default_merchant_id,
      s.environment,
      p.role = 'admin' or exists (select from merchant_access a where a.profile_id = p.id and a.disabled_at is null)
        as may_choose
    from session s join profile p on p.id = s.profile_id
    where s.cookie_hash = $1 and s.revoked_at is null and s.expires_at > now()
      and app.may_enter_console(p.id)`,
  values: [cookieHash],
});

export const endConsoleSession = (cookieHash: Buffer): Statement => ({
  text: 'update session set revoked_at = now() where cookie_hash = $1 and revoked_at is null',
  values: [cookieHash],
});

/** Returns the merchant for which the caller acts. */
export const findOwnMerchant: Statement<{ id: string; name: string; time_zone: string }> = {
  name: 'find_own_merchant',
  text: 'select id, name, time_zone from merchant where id = app.merchant_id()',
};

type ReachableMerchant = { id: string; name: string; role: Role };

/** Lists the merchants that the caller may choose, sorted by name. */
export const listReachableMerchants = (
  filterText: string,
  limitRows: number,
): Statement<ReachableMerchant> => ({
  name: 'list_reachable_merchants',
  text: 'select * from app.list_reachable_merchants($1, $2)',
  values: [filterText, limitRows],
});
