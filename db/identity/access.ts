import type { Statement } from '../platform/statement';
import type { Environment, Role } from '../platform/vocabulary';

export type ServiceKey = {
  id: string;
  name: string | null;
  created_by_name: string | null;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** True if an agent with this key may decide about candidates without asking a person. */
  unattended_decisions: boolean;
};

/**
 * Lists the service keys of the caller's merchant and environment, revoked keys last. Keys of the platform are never
 * included.
 */
export const listServiceKeys = (limitRows: number): Statement<ServiceKey> => ({
  name: 'list_service_keys',
  text: `
    select k.id, k.name, coalesce(p.name, p.email) as created_by_name, k.created_at, k.last_used_at, k.revoked_at, k.unattended_decisions
    from service_key k left join profile p on p.id = k.created_by and p.merchant_id = k.merchant_id
    where k.merchant_id = app.merchant_id() and k.environment = app.environment()
    order by k.revoked_at is not null, k.created_at desc, k.id limit $1`,
  values: [limitRows],
});

/** The maximum number of live service keys per merchant and environment. */
export const maxServiceKeys = 50;

/** Serializes the creation of service keys within the caller's merchant, so that their count is exact. */
export const lockServiceKeys: Statement = {
  text: `select pg_advisory_xact_lock(hashtextextended('service keys of ' || app.merchant_id(), 0))`,
};

export const countServiceKeys: Statement<{ count: number }> = {
  text: `
    select count(*)::integer as count from service_key
    where merchant_id = app.merchant_id() and environment = app.environment() and revoked_at is null`,
};

/** Inserts a service key of the caller's merchant and environment and returns its id. */
export const insertServiceKey = (name: string, hash: Buffer): Statement<{ id: string }> => ({
  text: 'insert into service_key (name, hash) values ($1, $2) returning id',
  values: [name, hash],
});

/** Revokes a service key and returns its name, or no row when there is no live key with this id. */
export const revokeServiceKey = (id: string): Statement<{ name: string | null }> => ({
  text: `
    update service_key set revoked_at = now()
    where id = $1 and merchant_id = app.merchant_id() and environment = app.environment() and revoked_at is null
    returning name`,
  values: [id],
});

/** Sets whether agents with a service key may decide without asking. Returns no row when there is no live key with this id. */
export const setUnattendedDecisions = (
  id: string,
  unattended: boolean,
): Statement<{ name: string | null }> => ({
  text: `
    update service_key set unattended_decisions = $2
    where id = $1 and merchant_id = app.merchant_id() and environment = app.environment() and revoked_at is null
    returning name`,
  values: [id, unattended],
});

export type OpenSession = {
  id: string;
  kind: 'api' | 'console' | 'agent';
  label: string | null;
  user_agent: string | null;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  profile_id: string;
  name: string | null;
  email: string;
  role: Role;
};

/**
 * Lists the environment's live sessions: the caller's own and, for owners and admins, those of the merchant's people.
 */
export const listSessions = (limitRows: number): Statement<OpenSession> => ({
  name: 'list_sessions',
  text: 'select * from app.list_sessions($1)',
  values: [limitRows],
});

type NewSession = {
  session_id: string;
  profile_id: string;
  role: Role;
  merchant_id: string | null;
  environment: Environment;
};

/**
 * Opens an API session with its first refresh token. Returns no row when the caller may not open a session for this
 * person.
 */
export const insertSession = (
  profileId: string,
  label: string,
  refreshHash: Buffer,
): Statement<NewSession> => ({
  text: 'select * from app.open_session($1, $2, $3)',
  values: [profileId, label, refreshHash],
});

/** Ends a session. `is_revoked` is false when the session does not exist or the caller may not end it. */
export const revokeSession = (id: string): Statement<{ is_revoked: boolean }> => ({
  text: 'select app.revoke_session($1) as is_revoked',
  values: [id],
});

export type Colleague = { id: string; name: string | null; email: string; role: Role };

/** Lists the people of the caller's merchant who may use the API. */
export const listColleagues = (limitRows: number): Statement<Colleague> => ({
  name: 'list_colleagues',
  text: `
    select id, name, email, role from profile
    where merchant_id = app.merchant_id() and role in ('merchant_owner', 'merchant', 'merchant_selection')
      and disabled_at is null and activated_at is not null and home_disabled_at is null and home_withdrawn_at is null
    order by name, email, id limit $1`,
  values: [limitRows],
});
