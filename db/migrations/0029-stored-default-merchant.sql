-- Stores the person's default merchant, at which calls without merchant_id act. It is chosen when a session opens, and
-- changes only after the person has lost the team role there (docs/identity.md#which-merchant-a-call-is-about).

alter table profile
  add column default_merchant_id uuid references merchant (id),
  -- The time at which the home merchant last gave the person a team role again, after the person was a learner or
  -- withdrawn there. Null if that never happened.
  add column home_team_since timestamptz;
-- The default merchant of the profile at the time when the session was opened. A session that is bound to a merchant
-- has that merchant as its default.
alter table session add column default_merchant_id uuid references merchant (id);
-- False if the person had not accepted any invitation when the merchant gave this access. An account that is already
-- active gets access without an acceptance.
alter table merchant_access add column is_accepted boolean not null default true;

-- Existing people and sessions keep the merchant that the rule of 0024 gives them now.
set local role app_definer;
grant execute on function app.memberships_of(uuid, uuid) to app_owner;
set local role app_owner;
alter table profile no force row level security;
alter table session no force row level security;
alter table merchant_access no force row level security;
update profile p set default_merchant_id = (
    select m.merchant_id from app.memberships_of(p.id, null) m
    where m.role in ('merchant_owner', 'merchant', 'merchant_selection') limit 1
  )
  where p.role not in ('candidate', 'admin');
update session s set default_merchant_id = coalesce(
    s.bound_merchant_id, (select m.merchant_id from app.memberships_of(s.profile_id, null) m limit 1)
  )
  where s.revoked_at is null and s.expires_at > now();
update merchant_access a set is_accepted = false from profile p
  where p.id = a.profile_id and (p.activated_at is null or a.created_at < p.activated_at);
update merchant_access set team_since = created_at where team_since = 'infinity';
alter table profile force row level security;
alter table session force row level security;
alter table merchant_access force row level security;
set local role app_definer;
revoke execute on function app.memberships_of(uuid, uuid) from app_owner;
set local role app_owner;

-- Redefines the function of 0024: changes of the role cannot turn an unaccepted invitation into an accepted one.
create or replace function app.set_team_since() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.is_accepted := exists (
      select from public.profile p where p.id = new.profile_id and p.activated_at is not null
    );
  end if;
  new.team_since := case when new.role in ('merchant_owner', 'merchant', 'merchant_selection')
    then coalesce(new.team_since, pg_catalog.clock_timestamp()) end;
  return new;
end
$$;
alter function app.set_team_since() owner to app_definer;

-- If the person is withdrawn from the home merchant or becomes a learner there, clears the default merchant if it is
-- the home merchant. If the person gets a team role there again, sets `home_team_since`, so that the home merchant
-- ranks like a new membership.
create function app.follow_home_role() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.role in ('merchant_owner', 'merchant', 'merchant_selection') and new.home_withdrawn_at is null then
    new.home_team_since := pg_catalog.clock_timestamp();
  elsif new.default_merchant_id = new.merchant_id then
    new.default_merchant_id := null;
  end if;
  return new;
end
$$;
-- Disabling a person does not fire the trigger: the stored default merchant stays until the person opens a session that
-- gets another default merchant.
create trigger profile_follow_home_role before update of role, home_withdrawn_at on profile for each row
  when (
    (old.role in ('merchant_owner', 'merchant', 'merchant_selection') and old.home_withdrawn_at is null)
    <> (new.role in ('merchant_owner', 'merchant', 'merchant_selection') and new.home_withdrawn_at is null)
  )
  execute function app.follow_home_role();

grant update (default_merchant_id) on profile to app_definer;
create function app.follow_access_role() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' or new.team_since is null then
    update public.profile p set default_merchant_id = null
      where p.id = old.profile_id and p.default_merchant_id = old.merchant_id;
  end if;
  return null;
end
$$;
create trigger merchant_access_follow_role after update of role or delete on merchant_access
  for each row execute function app.follow_access_role();
alter function app.follow_access_role() owner to app_definer;

set local role app_definer;
-- Redefines the function of 0024 with another order: team roles first, then accepted memberships, then the earliest.
create or replace function app.memberships_of(p_profile_id uuid, p_bound_to uuid)
returns table (merchant_id uuid, role text, is_home boolean)
language sql stable security definer set search_path = ''
as $$
  select x.merchant_id, x.role, x.is_home
  from (
    select p.merchant_id, p.role, true as is_home, p.activated_at is not null as is_accepted,
      coalesce(p.home_team_since, '-infinity') as team_since
    from public.profile p
    where p.id = p_profile_id and p.merchant_id is not null
      and p.home_disabled_at is null and p.home_withdrawn_at is null
    union all
    select a.merchant_id, a.role, false, a.is_accepted, a.team_since from public.merchant_access a
    where a.profile_id = p_profile_id and a.disabled_at is null
  ) x
  where p_bound_to is null or x.merchant_id = p_bound_to
    or exists (select from public.merchant m where m.id = x.merchant_id and m.parent_id = p_bound_to)
  order by x.role not in ('merchant_owner', 'merchant', 'merchant_selection'), not x.is_accepted, x.team_since,
    not x.is_home, x.merchant_id
$$;
set local role app_owner;

-- Returns the default merchant that a new session of the person would get: the stored one while the person has a team
-- role there, otherwise the merchant of the person's first membership. A merchant where the person is a learner is the
-- default only if no merchant gives a team role, and it is not stored.
create function app.default_merchant_of(p_profile_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select m.merchant_id
  from public.profile p
  cross join lateral app.memberships_of(p.id, null) with ordinality as m (merchant_id, role, is_home, place)
  where p.id = p_profile_id
  order by (
      m.merchant_id is not distinct from p.default_merchant_id
      and m.role in ('merchant_owner', 'merchant', 'merchant_selection')
    ) desc, m.place
  limit 1
$$;
grant execute on function app.default_merchant_of(uuid) to app_definer;
alter function app.default_merchant_of(uuid) owner to app_definer;

-- Sets the default merchant of a new session, and stores it in the profile. It waits for changes of the person that are
-- in progress, so that a session never gets a merchant that the person has just lost.
create function app.set_session_default() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id = new.profile_id for no key update;
  if new.bound_merchant_id is not null then
    new.default_merchant_id := new.bound_merchant_id;
    return new;
  end if;
  new.default_merchant_id := app.default_merchant_of(new.profile_id);
  update public.profile p set default_merchant_id = new.default_merchant_id
    where p.id = new.profile_id and p.default_merchant_id is distinct from new.default_merchant_id
      and exists (
        select from app.memberships_of(p.id, null) m
        where m.merchant_id = new.default_merchant_id
          and m.role in ('merchant_owner', 'merchant', 'merchant_selection')
      );
  return new;
end
$$;
create trigger session_default before insert on session for each row execute function app.set_session_default();
alter function app.set_session_default() owner to app_definer;

-- Returns whether the session is the caller's own or an admin's, or its default merchant is the caller's merchant.
-- Sessions of admins have no default merchant.
create function app.concerns_merchant(p_session public.session, p_person public.profile) returns boolean
language sql stable
as $$
  select p_person.id = app.profile_id() or p_person.role = 'admin' or p_session.default_merchant_id = app.merchant_id()
$$;
grant execute on function app.concerns_merchant(public.session, public.profile) to app_definer;

set local role app_definer;
-- Redefines the function of 0013: a call without merchant_id acts at the default merchant of the session. The session
-- counts as ended if that merchant no longer admits the person.
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

-- Redefines the function of 0024: it also clears a default merchant that was stored before the person accepted an
-- invitation, so that the next session prefers the merchant whose invitation was accepted.
create or replace function app.accept_invitation(p_profile_id uuid, p_merchant_id uuid, p_generation integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person public.profile;
  offered public.merchant_access;
begin
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') and p.activated_at is null and p.disabled_at is null
    for update;
  if not found or app.invitation_generation(p_profile_id, p_merchant_id) <> p_generation then
    return false;
  end if;
  if person.merchant_id = p_merchant_id and person.home_withdrawn_at is null then
    update public.profile p set activated_at = pg_catalog.now(), default_merchant_id = null
      where p.id = person.id and p.home_disabled_at is null;
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
  update public.profile p set merchant_id = p_merchant_id, role = offered.role, name = offered.name,
    activated_at = pg_catalog.now(), home_disabled_at = null, home_withdrawn_at = null,
    default_merchant_id = null
    where p.id = person.id;
  return true;
end
$$;

-- Redefines the function of 0019: it ends the person's sessions whose default merchant is the caller's merchant, and
-- sessions that the person opened for others there. Sessions with another default merchant stay.
create or replace function app.update_team_member(
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
  -- The previous holder of the lock may have changed the caller's role.
  if not app.is_opener_in_charge(app.profile_id(), here) then
    raise exception 'your role has changed: you are no longer an owner of this merchant' using errcode = 'PA403';
  end if;
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
      -- No invitation was accepted yet, so the account moves to the next merchant that invited the person.
      delete from public.merchant_access a where a.profile_id = person.id and a.merchant_id = next_home.merchant_id;
      update public.profile p set merchant_id = next_home.merchant_id, role = next_home.role, name = next_home.name,
        home_disabled_at = next_home.disabled_at
        where p.id = person.id;
    else
      update public.profile p set home_withdrawn_at = pg_catalog.now(), home_disabled_at = null where p.id = person.id;
    end if;
  end if;
  if p_withdraw then
    insert into public.team_withdrawal as w (merchant_id, profile_id) values (here, person.id)
      on conflict (merchant_id, profile_id) do update set withdrawals = w.withdrawals + 1;
  end if;
  if p_withdraw or coalesce(p_disabled, false) then
    update public.mail m set state = 'withdrawn'
      where m.merchant_id = here and m.profile_id = person.id and m.enrolment_id is null and m.state = 'queued';
  end if;
  update public.session s set revoked_at = pg_catalog.now()
    where s.revoked_at is null and (
      s.profile_id = person.id and s.default_merchant_id = here
      or s.opened_by = person.id and s.bound_merchant_id = here
    );
  outcome := 'changed';
end
$$;

-- Redefines the function of 0018: the limit of 20 sessions is counted for each default merchant, so that a new session
-- at one merchant ends none at another. To avoid deadlocks, the function takes the same lock on the profile as the
-- trigger of `session`.
create or replace function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id in (p_profile_id, app.profile_id()) order by p.id for no key update;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('sessions of ' || p_profile_id, 0));
  return query
  with person as (
    select p.id, p.role, p.merchant_id from public.profile p
    where p.id = p_profile_id and app.may_enter_console(p.id) and app.manages_sessions_of(p)
      and (
        p.id = app.profile_id()
        or p.role in ('merchant_owner', 'merchant', 'merchant_selection')
          and app.is_opener_in_charge(app.profile_id(), app.merchant_id())
      )
  ), excess as (
    select s.id from public.session s join person on person.id = s.profile_id
    where s.environment = app.environment() and s.opened_by is not null and s.revoked_at is null
      and s.expires_at > pg_catalog.now()
      and s.default_merchant_id is not distinct from
        case when person.id <> app.profile_id() then app.merchant_id() else app.default_merchant_of(person.id) end
    order by coalesce(s.last_used_at, s.created_at) desc, s.id desc offset 19
  ), ended as (
    update public.session s set revoked_at = pg_catalog.now() from excess where s.id = excess.id
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

-- Redefine the functions of 0013: an owner sees and ends only the sessions whose default merchant is the owner's.
create or replace function app.list_sessions(p_limit_rows integer)
returns table (
  id uuid, kind text, label text, user_agent text, created_at timestamptz, expires_at timestamptz,
  last_used_at timestamptz, profile_id uuid, name text, email text, role text
)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.kind, s.label, s.user_agent, s.created_at, s.expires_at, s.last_used_at, p.id, p.name, p.email, p.role
  from public.session s join public.profile p on p.id = s.profile_id
  where s.environment = app.environment() and s.revoked_at is null and s.expires_at > pg_catalog.now()
    and (p.id = app.profile_id() or p.merchant_id = app.merchant_id())
    and app.manages_sessions_of(p) and app.concerns_merchant(s, p)
  order by coalesce(s.last_used_at, s.created_at) desc, s.id limit p_limit_rows
$$;

create or replace function app.revoke_session(p_session_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with revoked as (
    update public.session s set revoked_at = pg_catalog.now()
    from public.profile p
    where s.id = p_session_id and s.environment = app.environment() and s.revoked_at is null
      and p.id = s.profile_id and app.manages_sessions_of(p) and app.concerns_merchant(s, p)
    returning s.id
  )
  select exists (select from revoked)
$$;

-- Redefines the function of 0013: the merchant that it returns is the person's default merchant.
create or replace function app.read_sign_in_link(p_hash bytea)
returns table (name text, email text, role text, merchant_name text, environment text)
language sql stable security definer set search_path = ''
as $$
  select p.name, p.email, coalesce(own.role, p.role), m.name, l.environment
  from public.sign_in_link l join public.profile p on p.id = l.profile_id
  left join lateral app.memberships_of(p.id, null) own
    on p.role <> 'admin' and own.merchant_id = app.default_merchant_of(p.id)
  left join public.merchant m on m.id = coalesce(own.merchant_id, p.merchant_id)
  where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now() and app.may_enter_console(p.id)
$$;
set local role app_owner;
