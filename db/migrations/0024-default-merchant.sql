-- A request without merchant_id acts at the merchant that was the first to give the person a team role. A merchant that
-- invites the person later therefore cannot become the default.

-- The time at which this merchant gave the person a team role. Null for other roles. It is 'infinity' for a former home
-- merchant whose invitation the person did not accept.
alter table merchant_access add column team_since timestamptz;
alter table merchant_access no force row level security;
update merchant_access set team_since = created_at where role in ('merchant_owner', 'merchant', 'merchant_selection');
alter table merchant_access force row level security;

create function app.set_team_since() returns trigger
language plpgsql set search_path = ''
as $$
declare
  is_team boolean := new.role in ('merchant_owner', 'merchant', 'merchant_selection');
begin
  if not is_team then
    new.team_since := null;
  elsif tg_op = 'INSERT' or new.team_since is null then
    new.team_since := coalesce(new.team_since, pg_catalog.clock_timestamp());
  end if;
  return new;
end
$$;
create trigger merchant_access_team_since before insert or update of role on merchant_access
  for each row execute function app.set_team_since();

set local role app_definer;
-- Redefines the function of 0013 with another order: team roles come before learner roles, then the home merchant
-- before the others, then earlier memberships before later ones.
create or replace function app.memberships_of(p_profile_id uuid, p_bound_to uuid)
returns table (merchant_id uuid, role text, is_home boolean)
language sql stable security definer set search_path = ''
as $$
  select x.merchant_id, x.role, x.is_home
  from (
    select p.merchant_id, p.role, true as is_home, p.created_at, null::timestamptz as team_since from public.profile p
    where p.id = p_profile_id and p.merchant_id is not null
      and p.home_disabled_at is null and p.home_withdrawn_at is null
    union all
    select a.merchant_id, a.role, false, a.created_at, a.team_since from public.merchant_access a
    where a.profile_id = p_profile_id and a.disabled_at is null
  ) x
  where p_bound_to is null or x.merchant_id = p_bound_to
    or exists (select from public.merchant m where m.id = x.merchant_id and m.parent_id = p_bound_to)
  order by x.role not in ('merchant_owner', 'merchant', 'merchant_selection'), not x.is_home, x.team_since, x.created_at,
    x.merchant_id
$$;

-- Redefines the function of 0019: a former home merchant whose invitation the person did not accept ranks last among
-- team roles.
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
    insert into public.merchant_access (merchant_id, profile_id, role, name, created_at, team_since, disabled_at)
      values (person.merchant_id, person.id, person.role, person.name, person.created_at, 'infinity', person.home_disabled_at);
  end if;
  update public.profile p set merchant_id = p_merchant_id, role = offered.role, name = offered.name, activated_at = pg_catalog.now(),
    home_disabled_at = null, home_withdrawn_at = null
    where p.id = person.id;
  return true;
end
$$;
set local role app_owner;
