-- The merchants that a person belongs to, and which of them is the default
-- (docs/identity.md#which-merchant-a-call-is-about).

set local role app_definer;

-- Returns the merchants that a person belongs to and the person's role at each: team roles first, then accepted
-- memberships, then the earliest. With `p_bound_to`, returns only that merchant and its sub-merchants. Leaves out
-- disabled and withdrawn memberships.
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

-- True if the session is bound to no merchant, or if the person who opened it is still an owner of that merchant or an
-- admin.
create or replace function app.is_opener_in_charge(p_opened_by uuid, p_bound_to uuid) returns boolean
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
grant execute on function app.is_opener_in_charge(uuid, uuid) to app_auth;

-- Lists the merchants that the caller can choose in the console, with the caller's role at each.
create or replace function app.list_reachable_merchants(p_filter text, p_limit_rows integer)
returns table (id uuid, name text, role text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.name, case when p.role = 'admin' then 'admin' else x.role end
  from public.profile p
  cross join public.merchant m
  left join app.memberships_of(app.profile_id(), null) x on x.merchant_id = m.id
  where p.id = app.profile_id()
    and (p.role = 'admin' or x.role in ('merchant_owner', 'merchant', 'merchant_selection'))
    and pg_catalog.strpos(pg_catalog.lower(m.name), pg_catalog.lower(p_filter)) > 0
  order by m.name, m.id limit p_limit_rows
$$;
grant execute on function app.list_reachable_merchants(text, integer) to app_user;

-- Returns the default merchant that a new session of the person would get: the stored one while the person has a team
-- role there, otherwise the merchant of the person's first membership. A merchant where the person is a learner is the
-- default only if no merchant gives a team role, and it is not stored.
create or replace function app.default_merchant_of(p_profile_id uuid) returns uuid
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

-- Returns the role that a person has at a merchant now. Null if the person has none, is disabled or has not accepted an
-- invitation yet.
create or replace function app.active_role_at(p_merchant_id uuid, p_profile_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case when p.role = 'admin' then 'admin' else (
      select m.role from app.memberships_of(p.id, null) m where m.merchant_id = p_merchant_id limit 1
    ) end
  from public.profile p
  where p.id = p_profile_id and p.disabled_at is null and p.activated_at is not null
$$;
grant execute on function app.active_role_at(uuid, uuid) to app_worker;

reset role;

-- Returns whether the session is the caller's own or an admin's, or its default merchant is the caller's merchant.
-- Sessions of admins have no default merchant.
create or replace function app.concerns_merchant(p_session public.session, p_person public.profile) returns boolean
language sql stable
as $$
  select p_person.id = app.profile_id() or p_person.role = 'admin' or p_session.default_merchant_id = app.merchant_id()
$$;
grant execute on function app.concerns_merchant(session, profile) to app_definer;

set local role app_definer;

-- True if the person can be responsible for interviews of the caller's merchant.
create or replace function app.is_recruiter(p_profile_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profile p
    where p.id = p_profile_id and p.disabled_at is null
      and (p.role = 'admin' and p.merchant_id = app.merchant_id() or exists (
        select from app.memberships_of(p.id, null) m
        where m.merchant_id = app.merchant_id() and m.role in ('merchant_owner', 'merchant')
      ))
  )
$$;
grant execute on function app.is_recruiter(uuid) to app_user, app_service;

-- Sets the default merchant of a new session, and stores it in the profile. It waits for changes of the person that are
-- in progress, so that a session never gets a merchant that the person has just lost.
create or replace function app.set_session_default() returns trigger
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

-- Sets the time at which a merchant gave a person a team role. Changes of the role cannot turn an unaccepted invitation
-- into an accepted one.
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

reset role;

-- If the person is withdrawn from the home merchant or becomes a learner there, clears the default merchant if it is
-- the home merchant. If the person gets a team role there again, sets `home_team_since`, so that the home merchant
-- ranks like a new membership.
create or replace function app.follow_home_role() returns trigger
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

set local role app_definer;

-- If a person loses the team role at a merchant other than the home merchant, clears the default merchant if it is that
-- merchant.
create or replace function app.follow_access_role() returns trigger
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

reset role;

create or replace trigger session_default before insert on session for each row execute function app.set_session_default();
create or replace trigger merchant_access_team_since before insert or update of role on merchant_access
  for each row execute function app.set_team_since();
-- Disabling a person does not fire the trigger: the stored default merchant stays until the person opens a session that
-- gets another default merchant.
create or replace trigger profile_follow_home_role before update of role, home_withdrawn_at on profile for each row
  when (
    (old.role in ('merchant_owner', 'merchant', 'merchant_selection') and old.home_withdrawn_at is null)
    <> (new.role in ('merchant_owner', 'merchant', 'merchant_selection') and new.home_withdrawn_at is null)
  )
  execute function app.follow_home_role();
create or replace trigger merchant_access_follow_role after update of role or delete on merchant_access
  for each row execute function app.follow_access_role();
