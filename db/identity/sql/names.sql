-- Names of people for logs and pages.

set local role app_definer;

-- Returns the names of people of the caller's merchant, or the email address of a person without a name. For people
-- with another home merchant, the name is the one that the caller's merchant gave them.
create or replace function app.names_of_team(p_profile_ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(case when p.merchant_id = app.merchant_id() then p.name else a.name end, p.email)
  from public.profile p
  left join public.merchant_access a on a.merchant_id = app.merchant_id() and a.profile_id = p.id
  where p.id = any (p_profile_ids) and p.role not in ('admin', 'candidate')
    and (p.merchant_id = app.merchant_id() or a.profile_id is not null)
$$;
grant execute on function app.names_of_team(uuid[]) to app_user, app_service, app_report;

-- Returns the names of people of the caller's merchant, as `app.names_of_team` does, and of its service keys. Leaves out all
-- others, such as platform admins.
create or replace function app.names_of_actors(p_actor_ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select t.id, t.name from app.names_of_team(p_actor_ids) t
  union all
  select k.id, k.name from public.service_key k where k.merchant_id = app.merchant_id() and k.id = any (p_actor_ids)
$$;
grant execute on function app.names_of_actors(uuid[]) to app_user, app_service;

-- Returns the names and addresses of people of the caller's merchant who are no candidates, also of those who were
-- withdrawn. A service key gets no addresses.
create or replace function app.people_of_team(p_profile_ids uuid[]) returns table (id uuid, name text, email text)
language sql stable security definer set search_path = ''
as $$
  select p.id, case when p.merchant_id = app.merchant_id() then p.name else a.name end,
    case when app.caller_role() <> 'service' then p.email end
  from public.profile p
  left join public.merchant_access a on a.merchant_id = app.merchant_id() and a.profile_id = p.id
  where p.id = any (p_profile_ids) and p.role not in ('admin', 'candidate')
    and (p.merchant_id = app.merchant_id() or a.profile_id is not null)
$$;
grant execute on function app.people_of_team(uuid[]) to app_user, app_service;

-- For the worker: returns the name of a person in a merchant's team, as `app.names_of_team` does for callers, or of one of
-- the merchant's service keys. Returns null for all others, such as platform admins, who belong to other accounts.
create or replace function app.name_of_actor(p_merchant_id uuid, p_actor_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(case when p.merchant_id = p_merchant_id then p.name else a.name end, p.email)
  from public.profile p
  left join public.merchant_access a on a.merchant_id = p_merchant_id and a.profile_id = p.id
  where p.id = p_actor_id and p.role not in ('admin', 'candidate')
    and (p.merchant_id = p_merchant_id or a.profile_id is not null)
  union all
  select coalesce(k.name, 'Service key') from public.service_key k where k.merchant_id = p_merchant_id and k.id = p_actor_id
$$;
grant execute on function app.name_of_actor(uuid, uuid) to app_worker;

reset role;
