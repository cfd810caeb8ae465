-- Lets owners restrict a hiring manager to some positions (docs/identity.md#positions-of-hiring-managers).

set local role app_definer;

-- Returns the `position_ids` of a restricted person in an environment, and with them the interviews that are or were steps
-- of these positions. Both are null if the person is not restricted.
create or replace function app.find_positions_of(
  p_merchant_id uuid, p_profile_id uuid, p_environment text, out position_ids uuid[], out interview_ids uuid[]
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform from public.position_member m where m.merchant_id = p_merchant_id and m.profile_id = p_profile_id;
  if not found then
    return;
  end if;
  position_ids := coalesce((
    select m.position_ids from public.position_member m
    where m.merchant_id = p_merchant_id and m.profile_id = p_profile_id and m.environment = p_environment
  ), '{}');
  interview_ids := position_ids || array(
    select s.interview_id from public.position_step s
    where s.merchant_id = p_merchant_id and s.position_id = any (position_ids)
    union
    select unnest(p.former_step_ids) from public.position p
    where p.merchant_id = p_merchant_id and p.id = any (position_ids)
  );
end
$$;
grant execute on function app.find_positions_of(uuid, uuid, text) to app_api_login;

-- Sets the positions of a hiring manager at the caller's merchant in the credential's environment; null removes the
-- restriction in all environments. `unknown_at` is the index of the first id that is unknown or deleted, or that is
-- archived and was not chosen before. `old_ids` is null if the person was not restricted.
create or replace function app.set_member_positions(
  p_profile_id uuid, p_position_ids uuid[], out outcome text, out unknown_at integer, out old_ids uuid[]
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  here constant uuid := app.merchant_id();
  member_role text;
  new_ids uuid[];
begin
  outcome := 'unknown';
  if app.caller_role() not in ('merchant_owner', 'admin') then
    return;
  end if;
  -- Takes the same lock as app.update_team_member, which may change the caller's role.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('team/' || here::text, 0));
  if not app.is_opener_in_charge(app.profile_id(), here) then
    raise exception 'Your role has changed: you are no longer an owner of this merchant.' using errcode = 'PA403';
  end if;
  select p.role into member_role from public.profile p
    where p.id = p_profile_id and p.merchant_id = here and p.home_withdrawn_at is null;
  if not found then
    select a.role into member_role from public.merchant_access a where a.profile_id = p_profile_id and a.merchant_id = here;
    if not found then
      return;
    end if;
  end if;
  if p_position_ids is not null and member_role <> 'merchant_selection' then
    outcome := 'other_role';
    return;
  end if;
  select s.position_ids into old_ids from app.find_positions_of(here, p_profile_id, app.environment()) s;
  if p_position_ids is null then
    delete from public.position_member m where m.merchant_id = here and m.profile_id = p_profile_id;
    outcome := case when found then 'changed' else 'unchanged' end;
    return;
  end if;
  select x.place - 1 into unknown_at
    from unnest(p_position_ids) with ordinality as x (id, place)
    where not exists (
        select from public.position p
        where p.id = x.id and p.merchant_id = here and p.environment = app.environment() and p.status <> 'deleted'
          and (p.status <> 'archived' or x.id = any (old_ids))
      )
      and not exists (
        select from public.interview i
        where i.id = x.id and i.merchant_id = here and i.environment = app.environment() and i.built_at is not null
          and i.status <> 'deleted' and (i.status <> 'archived' or x.id = any (old_ids))
      )
    order by x.place limit 1;
  if found then
    outcome := 'unknown_id';
    return;
  end if;
  new_ids := array(select distinct x.id from unnest(p_position_ids) as x (id) order by x.id);
  if new_ids = old_ids then
    outcome := 'unchanged';
    return;
  end if;
  insert into public.position_member as m (merchant_id, profile_id, environment, position_ids)
    values (here, p_profile_id, app.environment(), new_ids)
    on conflict (merchant_id, profile_id, environment) do update set position_ids = excluded.position_ids;
  outcome := 'changed';
end
$$;
grant execute on function app.set_member_positions(uuid, uuid[]) to app_user;

-- Returns to owners and admins the positions of a person at their merchant in the credential's environment. Null if the
-- person is not restricted.
create or replace function app.list_member_positions(p_profile_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select x.id from unnest(s.position_ids) as x (id)
    where exists (select from public.position p where p.id = x.id and p.status <> 'deleted')
      or exists (select from public.interview i where i.id = x.id and i.status <> 'deleted')
    order by x.id
  )
  from app.find_positions_of(app.merchant_id(), p_profile_id, app.environment()) s
  where app.caller_role() in ('merchant_owner', 'admin') and s.position_ids is not null
$$;
grant execute on function app.list_member_positions(uuid) to app_user;

reset role;
