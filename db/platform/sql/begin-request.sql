-- How a transaction of a caller begins (docs/identity.md#which-merchant-a-call-is-about).

set local role app_definer;

-- Returns whether a person's call uses its merchant_id. It does if the session reaches a merchant other than the home
-- merchant, or if the person belongs to p_merchant, belonged to it or was invited by it. Otherwise merchant_id is
-- ignored.
create or replace function app.uses_merchant_id(p_profile_id uuid, p_bound_to uuid, p_merchant text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
      select from public.merchant_access a join public.merchant m on m.id = a.merchant_id
      where a.profile_id = p_profile_id and a.disabled_at is null and a.is_accepted
        and (p_bound_to is null or p_bound_to in (m.id, m.parent_id))
    )
    or exists (
      select from public.merchant_access a where a.profile_id = p_profile_id and a.merchant_id::text = lower(p_merchant)
    )
    or exists (
      select from public.team_withdrawal w where w.profile_id = p_profile_id and w.merchant_id::text = lower(p_merchant)
    )
    or exists (
      select from public.profile p where p.id = p_profile_id and p.merchant_id::text = lower(p_merchant)
    )
$$;

-- Checks a credential and the merchant that it asks for, and returns the scope. Raises PA401 for an invalid credential,
-- PA403 for a forbidden call, and PA422 for a missing or unknown merchant (COLUMN has the field's name). It raises
-- because only an error stops the statements that the client has already sent after this one.
-- A person's call without merchant_id, or with one that app.uses_merchant_id ignores, acts at the default merchant of
-- the session. The session counts as ended if that merchant no longer admits the person.
--   p_kind: 'user_session' or 'service_key'
--   p_credential: session id, or the hex SHA-256 of the service key
--   p_role, p_home_merchant_id, p_profile_id: as the access token claims them (sessions only)
--   p_merchant: the merchant_id that the request sent, null when absent
--   p_roles: roles that may call; p_needs_merchant: false lets an admin call without a merchant
-- A service key may call an operation that only admins may call if it is a key of the platform. It then needs no
-- merchant if an admin needs none.
create or replace function app.check_credential(
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
  bound_to uuid;
  opener uuid;
  default_id uuid;
  home_id uuid;
  home_role text;
  is_home_open boolean;
begin
  if p_kind = 'user_session' then
    select s.bound_merchant_id, s.opened_by, s.default_merchant_id, p.merchant_id, p.role,
        p.home_disabled_at is null and p.home_withdrawn_at is null
      into bound_to, opener, default_id, home_id, home_role, is_home_open
      from public.session s join public.profile p on p.id = s.profile_id
      where s.id = p_credential::uuid and s.profile_id = p_profile_id and s.environment = p_environment
        and s.revoked_at is null and s.expires_at > now() and p.disabled_at is null
        and (
          p.role = p_role and p.merchant_id is not distinct from p_home_merchant_id
          -- The access token contains the home merchant and the role there. If these change, sessions with another
          -- default merchant must not end.
          or p.role <> 'admin' and p_role <> 'admin' and s.default_merchant_id <> p.merchant_id
        );
    if not found or not app.is_opener_in_charge(opener, bound_to) then
      raise exception 'The session has ended. Sign in again.' using errcode = 'PA401';
    end if;
    scope := row(home_id, p_profile_id, p_profile_id, home_role, p_environment, 'app_user');
    if p_role <> 'admin' and (default_id is distinct from home_id or not is_home_open) then
      select a.merchant_id, a.role into scope.merchant_id, scope.role from public.merchant_access a
        where a.merchant_id = default_id and a.profile_id = p_profile_id and a.disabled_at is null;
      if not found then
        raise exception 'The session has ended. Sign in again.' using errcode = 'PA401';
      end if;
    end if;
  elsif p_kind = 'service_key' then
    select k.id, k.merchant_id into key_id, key_merchant_id from public.service_key k
      where k.hash = decode(p_credential, 'hex') and k.environment = p_environment and k.revoked_at is null;
    if not found then
      raise exception 'The service key is unknown or revoked.' using errcode = 'PA401';
    end if;
    scope := row(null, null, key_id, 'service', p_environment, 'app_service');
    if p_roles = '{admin}' and key_merchant_id is not null then
      raise exception 'Only platform admins and service keys of the platform may do this.' using errcode = 'PA403';
    end if;
    if p_merchant is null and (p_needs_merchant or p_roles <> '{admin}') then
      raise exception 'merchant_id is required with a service key.' using errcode = 'PA422', column = 'merchant_id';
    end if;
  else
    raise exception 'This kind of credential is unknown.' using errcode = 'PA401';
  end if;

  if p_merchant is not null
    and (p_kind = 'service_key' or p_role = 'admin' or app.uses_merchant_id(p_profile_id, bound_to, p_merchant))
  then
    if p_merchant !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
      raise exception 'merchant_id must be a UUID.' using errcode = 'PA422', column = 'merchant_id';
    end if;
    asked := p_merchant::uuid;
    if p_kind = 'service_key' then
      perform from public.merchant m where m.id = asked
        and (key_merchant_id is null or m.id = key_merchant_id or m.parent_id = key_merchant_id);
      if not found then
        raise exception 'This service key has no access to this merchant_id.' using errcode = 'PA422', column = 'merchant_id';
      end if;
    elsif p_role = 'admin' then
      perform from public.merchant m where m.id = asked;
      if not found then
        raise exception 'There is no merchant with this merchant_id.' using errcode = 'PA422', column = 'merchant_id';
      end if;
    else
      select m.role into granted_role from app.memberships_of(p_profile_id, bound_to) m where m.merchant_id = asked limit 1;
      if not found then
        raise exception 'You have no access to this merchant.' using errcode = 'PA403';
      end if;
      scope.role := granted_role;
    end if;
    scope.merchant_id := asked;
  end if;

  if p_kind = 'user_session' and not scope.role = any (p_roles) then
    raise exception 'Your role % may not do this.', scope.role using errcode = 'PA403';
  end if;
  if scope.merchant_id is null and p_needs_merchant then
    raise exception 'merchant_id is required, because your account has no merchant of its own.'
      using errcode = 'PA422', column = 'merchant_id';
  end if;
  return scope;
end
$$;
grant execute on function app.check_credential(text, text, uuid, text, uuid, text, text, text[], boolean)
  to app_api_login;

reset role;

-- Sets the scope, the time limit and the role of a transaction. Whatever else a caller's scope has is set before, because the
-- role can call less. The function runs with the rights of the invoker because Postgres does not let a security definer
-- function set the role.
create or replace function app.set_scope(scope app.request_scope, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
begin
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', coalesce(scope.profile_id::text, ''), true),
    pg_catalog.set_config('app.caller_id', coalesce(scope.caller_id::text, ''), true),
    pg_catalog.set_config('app.role', coalesce(scope.role, ''), true),
    pg_catalog.set_config('app.environment', coalesce(scope.environment, ''), true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', scope.db_role, true);
end
$$;
grant execute on function app.set_scope(app.request_scope, text) to app_api_login, app_worker_login;

-- Sets and returns the scope of a caller's transaction, as its first statement. A hiring manager who is restricted to
-- positions gets the role app_restricted, which has the rights of app_user and additional policies.
create or replace function app.begin_request(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean, p_statement_timeout text
) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
  seen_positions uuid[];
  seen_interviews uuid[];
begin
  scope := app.check_credential(
    p_kind, p_credential, p_profile_id, p_role, p_home_merchant_id, p_environment, p_merchant, p_roles, p_needs_merchant
  );
  if scope.role = 'merchant_selection' then
    select s.position_ids, s.interview_ids into seen_positions, seen_interviews
      from app.find_positions_of(scope.merchant_id, scope.profile_id, scope.environment) s;
    if seen_positions is not null then
      scope.db_role := 'app_restricted';
    end if;
  end if;
  perform
    pg_catalog.set_config('app.position_ids', coalesce(seen_positions::text, ''), true),
    pg_catalog.set_config('app.position_interview_ids', coalesce(seen_interviews::text, ''), true),
    app.set_scope(scope, p_statement_timeout);
  return scope;
end
$$;
grant execute on function app.begin_request(text, text, uuid, text, uuid, text, text, text[], boolean, text)
  to app_api_login;

-- Sets the role and an empty scope for callers without a session or service key, for example at sign-in.
create or replace function app.begin_as(p_db_role text, p_statement_timeout text) returns void
language sql security invoker
as $$
  select app.set_scope(row(null, null, null, null, null, p_db_role)::app.request_scope, p_statement_timeout)
$$;
grant execute on function app.begin_as(text, text) to app_api_login, app_worker_login;
