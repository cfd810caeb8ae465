-- Merchants, people and credentials (docs/identity.md).

create table merchant (
  id uuid primary key default uuidv7(),
  name text not null check (name <> ''),
  parent_id uuid references merchant (id),
  created_at timestamptz not null default now()
);
create index merchant__parent_id on merchant (parent_id);

create table profile (
  id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id),
  role text not null check (
    role in ('merchant_owner', 'merchant', 'merchant_selection', 'admin', 'user', 'mentor', 'candidate')
  ),
  email text not null,
  name text not null,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  unique (merchant_id, id),
  check (merchant_id is not null or role = 'admin')
);
create index profile__merchant_id_role on profile (merchant_id, role);

-- Gives a person access to a merchant other than the person's home merchant. In calls for that merchant, the person has
-- the role of this row.
create table merchant_access (
  merchant_id uuid not null references merchant (id),
  profile_id uuid not null references profile (id),
  role text not null check (
    role in ('merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor')
  ),
  created_at timestamptz not null default now(),
  primary key (merchant_id, profile_id)
);
create index merchant_access__profile_id on merchant_access (profile_id);

create table session (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profile (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index session__profile_id on session (profile_id);

-- Used tokens are kept until they expire: a second use shows that the token was stolen, and ends the session.
create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session (id),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token__session_id on refresh_token (session_id);

create table service_key (
  id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index service_key__merchant_id on service_key (merchant_id);

alter table merchant enable row level security, force row level security;
alter table profile enable row level security, force row level security;
alter table merchant_access enable row level security, force row level security;
alter table session enable row level security, force row level security;
alter table refresh_token enable row level security, force row level security;
alter table service_key enable row level security, force row level security;

-- `check_credential` reads these tables before the transaction has a scope, so the policies allow every row.
create policy merchant_definer_select on merchant for select to app_definer using (true);
create policy profile_definer_select on profile for select to app_definer using (true);
create policy merchant_access_definer_select on merchant_access for select to app_definer using (true);
create policy session_definer_select on session for select to app_definer using (true);
create policy service_key_definer_select on service_key for select to app_definer using (true);
grant select on merchant, profile, merchant_access, session, service_key to app_definer;

-- Rights of app_auth, which renews access tokens and records when a credential was last used.
create policy profile_auth_select on profile for select to app_auth using (true);
create policy session_auth_select on session for select to app_auth using (true);
create policy session_auth_update on session for update to app_auth using (true);
create policy refresh_token_auth_select on refresh_token for select to app_auth using (true);
create policy refresh_token_auth_insert on refresh_token for insert to app_auth with check (true);
create policy refresh_token_auth_update on refresh_token for update to app_auth using (true);
create policy service_key_auth_select on service_key for select to app_auth using (true);
create policy service_key_auth_update on service_key for update to app_auth using (true);
grant select (id, merchant_id, role, disabled_at) on profile to app_auth;
grant select, update (expires_at, last_used_at, revoked_at) on session to app_auth;
grant select, insert, update (used_at) on refresh_token to app_auth;
grant select (id, last_used_at), update (last_used_at) on service_key to app_auth;

-- Requests can contain ids of people of the merchant. To check that these people exist, callers need to read the
-- columns granted here.
create policy profile_caller_select on profile for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
grant select (id, merchant_id, role, disabled_at) on profile to app_user, app_service;

create policy merchant_worker_select on merchant for select to app_worker using (true);
grant select (id, name) on merchant to app_worker;
-- A cleanup job deletes expired refresh tokens.
create policy refresh_token_worker_select on refresh_token for select to app_worker using (true);
create policy refresh_token_worker_delete on refresh_token for delete to app_worker using (true);
grant select (hash, expires_at), delete on refresh_token to app_worker;

create type app.request_scope as (
  merchant_id uuid, profile_id uuid, caller_id uuid, role text, environment text, db_role text
);

-- Checks a credential and the merchant that it asks for, and returns the scope. Raises PA401 for an invalid credential,
-- PA403 for a forbidden call, and PA422 for a missing or unknown merchant (COLUMN has the field's name). It raises
-- because only an error stops the statements that the client has already sent after this one.
--   p_kind: 'user_session' or 'service_key'
--   p_credential: session id, or the hex SHA-256 of the service key
--   p_role, p_home_merchant_id, p_profile_id: as the access token claims them (sessions only)
--   p_merchant: the merchant_id that the request sent, null when absent
--   p_roles: roles that may call; p_needs_merchant: false lets an admin call without a merchant
create function app.check_credential(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean
) returns app.request_scope
language plpgsql stable security definer set search_path = ''
as $$
declare
  scope app.request_scope;
  key_id uuid;
  key_merchant_id uuid;
  asked uuid;
  granted_role text;
  is_operator boolean := false;
begin
  if p_kind = 'user_session' then
    perform from public.session s join public.profile p on p.id = s.profile_id
      where s.id = p_credential::uuid and s.profile_id = p_profile_id and s.environment = p_environment
        and s.revoked_at is null and s.expires_at > now()
        and p.disabled_at is null and p.role = p_role and p.merchant_id is not distinct from p_home_merchant_id;
    if not found then
      raise exception 'the session has ended, sign in again' using errcode = 'PA401';
    end if;
    scope := row(p_home_merchant_id, p_profile_id, p_profile_id, p_role, p_environment, 'app_user');
    if p_merchant is not null and p_role <> 'admin' then
      is_operator := exists (select from public.merchant_access a where a.profile_id = p_profile_id);
    end if;
  elsif p_kind = 'service_key' then
    select k.id, k.merchant_id into key_id, key_merchant_id from public.service_key k
      where k.hash = decode(p_credential, 'hex') and k.environment = p_environment and k.revoked_at is null;
    if not found then
      raise exception 'the service key is unknown or revoked' using errcode = 'PA401';
    end if;
    scope := row(null, null, key_id, 'service', p_environment, 'app_service');
    if p_merchant is null then
      raise exception 'merchant_id is required with a service key' using errcode = 'PA422', column = 'merchant_id';
    end if;
  else
    raise exception 'unknown kind of credential' using errcode = 'PA401';
  end if;

  -- If the person has no access to another merchant, merchant_id is ignored and the call acts at the person's home
  -- merchant.
  if p_merchant is not null and (p_kind = 'service_key' or p_role = 'admin' or is_operator) then
    if p_merchant !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
      raise exception 'merchant_id must be a UUID' using errcode = 'PA422', column = 'merchant_id';
    end if;
    asked := p_merchant::uuid;
    if p_kind = 'service_key' then
      perform from public.merchant m where m.id = asked
        and (key_merchant_id is null or m.id = key_merchant_id or m.parent_id = key_merchant_id);
      if not found then
        raise exception 'merchant_id names no merchant this key reaches' using errcode = 'PA422', column = 'merchant_id';
      end if;
    elsif p_role = 'admin' then
      perform from public.merchant m where m.id = asked;
      if not found then
        raise exception 'merchant_id names no merchant' using errcode = 'PA422', column = 'merchant_id';
      end if;
    elsif asked <> p_home_merchant_id then
      select a.role into granted_role from public.merchant_access a
        where a.profile_id = p_profile_id and a.merchant_id = asked;
      if not found then
        raise exception 'you have no access to this merchant' using errcode = 'PA403';
      end if;
      scope.role := granted_role;
    end if;
    scope.merchant_id := asked;
  end if;

  if p_kind = 'user_session' and not scope.role = any (p_roles) then
    raise exception 'your role % may not do this', scope.role using errcode = 'PA403';
  end if;
  if scope.merchant_id is null and p_needs_merchant then
    raise exception 'merchant_id is required: your account has no merchant of its own'
      using errcode = 'PA422', column = 'merchant_id';
  end if;
  return scope;
end
$$;

-- Sets and returns the scope of a caller's transaction, as its first statement. It runs with the rights of the invoker
-- because Postgres does not let a security definer function set the role.
create function app.begin_request(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean, p_statement_timeout text
) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
begin
  scope := app.check_credential(
    p_kind, p_credential, p_profile_id, p_role, p_home_merchant_id, p_environment, p_merchant, p_roles, p_needs_merchant
  );
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', coalesce(scope.profile_id::text, ''), true),
    pg_catalog.set_config('app.caller_id', scope.caller_id::text, true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', scope.db_role, true);
  return scope;
end
$$;
-- Sets the role and an empty scope for callers without a session or service key, for example at sign-in.
create function app.begin_as(p_db_role text, p_statement_timeout text) returns void
language sql security invoker
as $$
  select
    pg_catalog.set_config('app.merchant_id', '', true),
    pg_catalog.set_config('app.profile_id', '', true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.environment', '', true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', p_db_role, true);
$$;
grant execute on function app.check_credential(text, text, uuid, text, uuid, text, text, text[], boolean),
  app.begin_request(text, text, uuid, text, uuid, text, text, text[], boolean, text) to app_api_login;
grant execute on function app.begin_as(text, text) to app_api_login, app_worker_login;
-- The owner is changed after the grant above, because app_owner cannot grant rights on a function that it no longer
-- owns.
alter function app.check_credential(text, text, uuid, text, uuid, text, text, text[], boolean) owner to app_definer;
