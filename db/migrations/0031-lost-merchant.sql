-- A call fails with PA403 if its merchant_id names a merchant that no longer admits the person. Until now it acted at
-- the person's home merchant, so a client that had not noticed the loss wrote to the wrong merchant
-- (docs/identity.md#which-merchant-a-call-is-about).

-- Returns whether a person's call uses its merchant_id. It does if the session reaches a merchant other than the home
-- merchant, or if the person belongs to p_merchant, belonged to it or was invited by it. Otherwise merchant_id is
-- ignored.
create function app.heeds_merchant_id(p_profile_id uuid, p_bound_to uuid, p_merchant text) returns boolean
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
grant execute on function app.heeds_merchant_id(uuid, uuid, text) to app_definer;
alter function app.heeds_merchant_id(uuid, uuid, text) owner to app_definer;

set local role app_definer;
-- Redefines the function of 0029: app.heeds_merchant_id decides whether the merchant_id of a person's call is ignored.
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
      raise exception 'the session has ended, sign in again' using errcode = 'PA401';
    end if;
    scope := row(home_id, p_profile_id, p_profile_id, home_role, p_environment, 'app_user');
    if p_role <> 'admin' and (default_id is distinct from home_id or not is_home_open) then
      select a.merchant_id, a.role into scope.merchant_id, scope.role from public.merchant_access a
        where a.merchant_id = default_id and a.profile_id = p_profile_id and a.disabled_at is null;
      if not found then
        raise exception 'the session has ended, sign in again' using errcode = 'PA401';
      end if;
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

  if p_merchant is not null
    and (p_kind = 'service_key' or p_role = 'admin' or app.heeds_merchant_id(p_profile_id, bound_to, p_merchant))
  then
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
    else
      select m.role into granted_role from app.memberships_of(p_profile_id, bound_to) m where m.merchant_id = asked limit 1;
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
set local role app_owner;
