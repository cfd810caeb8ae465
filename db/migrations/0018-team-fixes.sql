-- Teams: a session for somebody else ends with its opener's right to it, and a name is shown only by the merchant that
-- gave it.

-- The name that this merchant gave, for people whose account belongs to another one.
alter table merchant_access add column name text;
grant select (name) on merchant_access to app_worker;
grant update (name) on profile to app_definer;
create index session__opened_by on session (opened_by) where bound_merchant_id is not null;

-- True of a session that is bound to no merchant, and of one whose opener is still an owner of that merchant or an admin.
create function app.is_opener_in_charge(p_opened_by uuid, p_bound_to uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_bound_to is null or exists (
    select from public.profile p
    where p.id = p_opened_by and p.disabled_at is null and p.activated_at is not null
      and (p.role = 'admin' or exists (
        select from app.memberships_of(p.id, p_bound_to) m
        where m.merchant_id = p_bound_to and m.role = 'merchant_owner'
      ))
  )
$$;
grant execute on function app.is_opener_in_charge(uuid, uuid) to app_definer, app_auth;
alter function app.is_opener_in_charge(uuid, uuid) owner to app_definer;

-- Live service keys of the caller's merchant that this person created, in all environments.
create function app.count_live_keys(p_profile_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.service_key k
  where k.created_by = p_profile_id and k.merchant_id = app.merchant_id() and k.revoked_at is null
$$;
grant execute on function app.count_live_keys(uuid) to app_definer;
alter function app.count_live_keys(uuid) owner to app_definer;

-- As in 0013, and: people who were disabled at home have sessions for other merchants only, which are not the home's.
create or replace function app.manages_sessions_of(p_person public.profile) returns boolean
language sql stable
as $$
  select p_person.id = app.profile_id()
    or p_person.merchant_id = app.merchant_id()
      and p_person.activated_at is not null and p_person.home_withdrawn_at is null and p_person.home_disabled_at is null
      and (app.caller_role() = 'admin' or app.caller_role() = 'merchant_owner' and p_person.role <> 'admin')
$$;

set local role app_definer;
-- As in 0013, and: a session that somebody else opened ends when that person is no longer in charge of the merchant.
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
  is_operator boolean := false;
  bound_to uuid;
  opener uuid;
  is_home_open boolean;
begin
  if p_kind = 'user_session' then
    select s.bound_merchant_id, s.opened_by, p.home_disabled_at is null and p.home_withdrawn_at is null
      into bound_to, opener, is_home_open
      from public.session s join public.profile p on p.id = s.profile_id
      where s.id = p_credential::uuid and s.profile_id = p_profile_id and s.environment = p_environment
        and s.revoked_at is null and s.expires_at > now()
        and p.disabled_at is null and p.role = p_role and p.merchant_id is not distinct from p_home_merchant_id;
    if not found or not app.is_opener_in_charge(opener, bound_to) then
      raise exception 'the session has ended, sign in again' using errcode = 'PA401';
    end if;
    scope := row(p_home_merchant_id, p_profile_id, p_profile_id, p_role, p_environment, 'app_user');
    if p_role <> 'admin' and (
      bound_to is not null or not is_home_open or p_role not in ('merchant_owner', 'merchant', 'merchant_selection')
    ) then
      -- Of a bound session the home merchant, where it is reached; of another one the best role.
      scope.merchant_id := null;
      select m.merchant_id, m.role into scope.merchant_id, scope.role
        from app.memberships_of(p_profile_id, bound_to) with ordinality m (merchant_id, role, is_home, place)
        order by bound_to is not null and not m.is_home, m.place limit 1;
      if scope.merchant_id is null then
        raise exception 'the session has ended, sign in again' using errcode = 'PA401';
      end if;
    end if;
    if p_merchant is not null and p_role <> 'admin' then
      is_operator := exists (select from app.memberships_of(p_profile_id, bound_to) m where not m.is_home);
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

  -- Everybody else's merchant_id is not looked at.
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

-- As in 0013, and: the opener must still be in charge. A change of either person's standing that runs at the same time
-- ends first, so that no session outlives it.
create or replace function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id in (p_profile_id, app.profile_id()) order by p.id for share;
  return query
  with person as (
    select p.id, p.role, p.merchant_id from public.profile p
    where p.id = p_profile_id and app.may_enter_console(p.id) and app.manages_sessions_of(p)
      and (
        p.id = app.profile_id()
        or p.role in ('merchant_owner', 'merchant', 'merchant_selection')
          and app.is_opener_in_charge(app.profile_id(), app.merchant_id())
      )
  ), opened as (
    insert into public.session as s (profile_id, environment, label, opened_by, bound_merchant_id)
    select person.id, app.environment(), p_label, app.profile_id(),
      case when person.id <> app.profile_id() then app.merchant_id() end
    from person returning s.id, s.environment
  ), token as (
    insert into public.refresh_token (hash, session_id, expires_at)
    select p_refresh_hash, opened.id, pg_catalog.now() + interval '30 days' from opened
  )
  select opened.id, person.id, person.role, person.merchant_id, opened.environment from opened, person;
end
$$;

-- As in 0013, and: the name that this merchant gave becomes the profile's.
create or replace function app.accept_invitation(p_profile_id uuid, p_merchant_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person public.profile;
  offered public.merchant_access;
begin
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') and p.activated_at is null and p.disabled_at is null
    for update;
  if not found then
    return false;
  end if;
  if person.merchant_id = p_merchant_id and person.home_withdrawn_at is null then
    update public.profile p set activated_at = pg_catalog.now() where p.id = person.id and p.home_disabled_at is null;
    return found;
  end if;
  delete from public.merchant_access a
    where a.profile_id = person.id and a.merchant_id = p_merchant_id and a.disabled_at is null
    returning a.* into offered;
  if not found then
    return false;
  end if;
  if person.home_withdrawn_at is null then
    insert into public.merchant_access (merchant_id, profile_id, role, name, created_at, disabled_at)
      values (person.merchant_id, person.id, person.role, person.name, person.created_at, person.home_disabled_at);
  end if;
  update public.profile p set merchant_id = p_merchant_id, role = offered.role, name = offered.name, activated_at = pg_catalog.now(),
    home_disabled_at = null, home_withdrawn_at = null
    where p.id = person.id;
  return true;
end
$$;

drop function app.list_team_members(text[], text, text, integer, integer), app.update_team_member(uuid, text, boolean, boolean);
set local role app_owner;

-- People of the caller's merchant, by role and name; none for callers other than owners and admins. Of people whose home
-- is elsewhere: the name that this merchant gave and the dates of their access here. The last sign-in is told of people
-- whose home it is.
create function app.list_team_members(
  p_roles text[], p_state text, p_filter text, p_limit_rows integer, p_offset integer
)
returns table (
  profile_id uuid, name text, email text, role text, state text, is_home boolean, invited_at timestamptz,
  accepted_at timestamptz, disabled_at timestamptz, last_sign_in_at timestamptz,
  live_service_keys integer, total integer
)
language sql stable security definer set search_path = ''
as $$
  with member as (
    select p.id, p.name, p.email, p.role, true as is_home, p.created_at, p.activated_at,
      coalesce(p.home_disabled_at, p.disabled_at) as disabled_at
    from public.profile p
    where p.merchant_id = app.merchant_id() and p.home_withdrawn_at is null and p.role not in ('candidate', 'admin')
      and app.caller_role() in ('merchant_owner', 'admin')
    union all
    select p.id, a.name, p.email, a.role, false, a.created_at, case when p.activated_at is not null then a.created_at end,
      a.disabled_at
    from public.merchant_access a join public.profile p on p.id = a.profile_id
    where a.merchant_id = app.merchant_id() and p.role <> 'admin'
      and app.caller_role() in ('merchant_owner', 'admin')
  ), shown as (
    select m.*, case when m.disabled_at is not null then 'disabled' when m.activated_at is null then 'invited' else 'active' end
      as state
    from member m
    where (p_roles is null or m.role = any (p_roles))
      and pg_catalog.strpos(
        pg_catalog.lower(pg_catalog.concat_ws(' ', m.name, m.email)), pg_catalog.lower(p_filter)
      ) > 0
  ), page as (
    select s.*, (count(*) over ())::integer as total from shown s
    where p_state is null or s.state = p_state
    order by pg_catalog.array_position(array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user'], s.role),
      coalesce(s.name, s.email), s.id
    limit p_limit_rows offset p_offset
  )
  select p.id, p.name, p.email, p.role, p.state, p.is_home, p.created_at, p.activated_at, p.disabled_at,
    case when p.is_home then (
      select max(s.created_at) from public.session s
      where s.profile_id = p.id and s.environment = app.environment() and s.kind = 'console'
    ) end,
    app.count_live_keys(p.id),
    p.total
  from page p
  order by pg_catalog.array_position(array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user'], p.role),
    coalesce(p.name, p.email), p.id
$$;
grant execute on function app.list_team_members(text[], text, text, integer, integer) to app_user;
alter function app.list_team_members(text[], text, text, integer, integer) owner to app_definer;

-- As in 0013, and: a change also ends the sessions that the person opened for others at this merchant. Service keys are
-- the merchant's and stay; `live_service_keys` counts those that the person created.
create function app.update_team_member(
  p_profile_id uuid, p_role text, p_disabled boolean, p_withdraw boolean,
  out outcome text, out old_role text, out was_disabled boolean, out was_invited boolean, out live_service_keys integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  here constant uuid := app.merchant_id();
  person public.profile;
  is_home boolean;
  next_home public.merchant_access;
begin
  outcome := 'unknown';
  if app.caller_role() not in ('merchant_owner', 'admin') then
    return;
  end if;
  -- Two owners who demote each other at the same time must not both succeed.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('team/' || here::text, 0));
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') for update;
  if not found then
    return;
  end if;
  is_home := person.merchant_id = here and person.home_withdrawn_at is null;
  if is_home then
    old_role := person.role;
    was_disabled := person.home_disabled_at is not null;
  else
    select a.role, a.disabled_at is not null into old_role, was_disabled from public.merchant_access a
      where a.profile_id = person.id and a.merchant_id = here for update;
    if not found then
      return;
    end if;
  end if;
  was_invited := person.activated_at is null;
  live_service_keys := app.count_live_keys(person.id);
  if not p_withdraw and coalesce(p_role, old_role) = old_role and coalesce(p_disabled, was_disabled) = was_disabled then
    outcome := 'unchanged';
    return;
  end if;
  if old_role = 'merchant_owner' and not was_disabled and not was_invited and person.disabled_at is null
    and (p_withdraw or coalesce(p_role, old_role) <> 'merchant_owner' or coalesce(p_disabled, false))
    and not exists (
      select from public.profile o
      where o.merchant_id = here and o.role = 'merchant_owner' and o.id <> person.id and o.activated_at is not null
        and o.disabled_at is null and o.home_disabled_at is null and o.home_withdrawn_at is null
    )
    and not exists (
      select from public.merchant_access a join public.profile o on o.id = a.profile_id
      where a.merchant_id = here and a.role = 'merchant_owner' and a.disabled_at is null and o.id <> person.id
        and o.activated_at is not null and o.disabled_at is null
    )
  then
    outcome := 'last_owner';
    return;
  end if;

  if not p_withdraw then
    if is_home then
      update public.profile p set role = coalesce(p_role, p.role),
        home_disabled_at = case
          when p_disabled is null then p.home_disabled_at
          when p_disabled then coalesce(p.home_disabled_at, pg_catalog.now())
        end
        where p.id = person.id;
    else
      update public.merchant_access a set role = coalesce(p_role, a.role),
        disabled_at = case
          when p_disabled is null then a.disabled_at
          when p_disabled then coalesce(a.disabled_at, pg_catalog.now())
        end
        where a.profile_id = person.id and a.merchant_id = here;
    end if;
  elsif not is_home then
    delete from public.merchant_access a where a.profile_id = person.id and a.merchant_id = here;
  else
    select * into next_home from public.merchant_access a where a.profile_id = person.id order by a.created_at, a.merchant_id limit 1;
    if was_invited and found then
      -- Nobody has accepted anything yet: the next invitation takes the place of this one.
      delete from public.merchant_access a where a.profile_id = person.id and a.merchant_id = next_home.merchant_id;
      update public.profile p set merchant_id = next_home.merchant_id, role = next_home.role, name = next_home.name,
        home_disabled_at = next_home.disabled_at
        where p.id = person.id;
    else
      update public.profile p set home_withdrawn_at = pg_catalog.now(), home_disabled_at = null where p.id = person.id;
    end if;
  end if;
  if p_withdraw or coalesce(p_disabled, false) then
    update public.mail m set state = 'withdrawn'
      where m.merchant_id = here and m.profile_id = person.id and m.enrolment_id is null and m.state = 'queued';
  end if;
  update public.session s set revoked_at = pg_catalog.now()
    where s.revoked_at is null and (
      s.profile_id = person.id and s.bound_merchant_id = here
      or s.opened_by = person.id and s.bound_merchant_id = here
      -- Of a person who was disabled here these sessions reach other merchants only.
      or s.profile_id = person.id and s.bound_merchant_id is null and is_home and not was_disabled
    );
  outcome := 'changed';
end
$$;
grant execute on function app.update_team_member(uuid, text, boolean, boolean) to app_user;
alter function app.update_team_member(uuid, text, boolean, boolean) owner to app_definer;

-- People from elsewhere go by the name that this merchant gave them, here too.
drop function app.names_of_team(uuid[]);
create function app.names_of_team(p_profile_ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(case when p.merchant_id = app.merchant_id() then p.name else a.name end, p.email)
  from public.profile p
  left join public.merchant_access a on a.merchant_id = app.merchant_id() and a.profile_id = p.id
  where p.id = any (p_profile_ids) and p.role not in ('admin', 'candidate')
    and (p.merchant_id = app.merchant_id() or a.profile_id is not null)
$$;
grant execute on function app.names_of_team(uuid[]) to app_user, app_service;
alter function app.names_of_team(uuid[]) owner to app_definer;
