-- The team of a merchant: what a person may do is decided per merchant, and owners can remove people.

set local role app_definer;

-- Counts the live service keys of the caller's merchant that this person created, in all environments.
create or replace function app.count_live_keys(p_profile_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.service_key k
  where k.created_by = p_profile_id and k.merchant_id = app.merchant_id() and k.revoked_at is null
$$;

-- Lists the people of the caller's merchant by role and name, for owners and admins only. For people with another home
-- merchant, it returns the name and dates of their access to the caller's merchant, and no last sign-in. `p_place` is the
-- place of a cursor; `total` is the number of all matches after it.
create or replace function app.list_team_members(
  p_roles text[], p_state text, p_filter text, p_limit_rows integer, p_offset integer, p_place jsonb default null
)
returns table (
  profile_id uuid, name text, email text, role text, state text, is_home boolean, invited_at timestamptz,
  accepted_at timestamptz, disabled_at timestamptz, last_sign_in_at timestamptz,
  live_service_keys integer, total integer, place jsonb
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
        as state,
      pg_catalog.array_position(array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user'], m.role) as rank,
      coalesce(m.name, m.email) as label
    from member m
    where (p_roles is null or m.role = any (p_roles))
      and pg_catalog.strpos(
        pg_catalog.lower(pg_catalog.concat_ws(' ', m.name, m.email)), pg_catalog.lower(p_filter)
      ) > 0
  ), page as (
    select s.*, (count(*) over ())::integer as total from shown s
    where (p_state is null or s.state = p_state)
      and (p_place is null or (s.rank, s.label, s.id) > ((p_place ->> 0)::integer, p_place ->> 1, (p_place ->> 2)::uuid))
    order by s.rank, s.label, s.id
    limit p_limit_rows offset p_offset
  )
  select p.id, p.name, p.email, p.role, p.state, p.is_home, p.created_at, p.activated_at, p.disabled_at,
    case when p.is_home then (
      select max(s.created_at) from public.session s
      where s.profile_id = p.id and s.environment = app.environment() and s.kind = 'console'
    ) end,
    app.count_live_keys(p.id),
    p.total,
    pg_catalog.jsonb_build_array(p.rank, p.label, p.id)
  from page p
  order by p.rank, p.label, p.id
$$;
grant execute on function app.list_team_members(text[], text, text, integer, integer, jsonb) to app_user;

-- Changes a person's role at the caller's merchant, or disables, enables or withdraws the person there. A null argument
-- leaves its value unchanged. `outcome` is `changed`, `unchanged`, `unknown`, or `last_owner` if no other owner could
-- sign in. Only owners and admins can change people. A change ends the person's sessions whose default merchant is the
-- caller's merchant, and sessions that the person opened for others there. Sessions with another default merchant stay.
-- Raises PA403 for a caller who lost the owner role while the call waited.
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
    raise exception 'Your role has changed: you are no longer an owner of this merchant.' using errcode = 'PA403';
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
grant execute on function app.update_team_member(uuid, text, boolean, boolean) to app_user;

reset role;
