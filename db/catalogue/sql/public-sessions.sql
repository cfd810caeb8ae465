-- The public sessions of all merchants, which the deployment's own portal lists (docs/catalogue.md#sessions-of-all-merchants).

-- Lists the open public sessions of merchants with a portal. Postgres inlines the function, so that the conditions of the
-- caller choose the index.
create or replace function app.public_sessions() returns table (
  id uuid, name text, description text, cover_image_url text, tags text[], max_duration integer, created_at timestamptz,
  merchant_name text, portal_domain text
)
language sql stable
as $$
  select i.id, i.name, i.description, i.cover_image_url, i.tags, i.max_duration, i.created_at, m.name, m.portal_domain
  from public.interview i join public.merchant m on m.id = i.merchant_id
  where i.environment = 'production' and i.status = 'active' and i.type in ('coaching', 'persona')
    and i.visibility = 'public' and i.built_at is not null
    and coalesce(app.available_until(i.interview_available_till) > now(), true)
    and (m.portal_domain is not null or m.id = app.merchant_id())
$$;
grant execute on function app.public_sessions() to app_definer;

set local role app_definer;

-- Returns a page of the list, the newest first. Each call is planned by itself, like app.list_jobs.
create or replace function app.list_public_sessions(p_limit integer, p_offset integer) returns table (
  id uuid, name text, description text, cover_image_url text, tags text[], max_duration integer, merchant_name text,
  portal_domain text
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  return query
  select s.id, s.name, left(s.description, 400), s.cover_image_url, s.tags[1:8], s.max_duration, s.merchant_name,
    s.portal_domain
  from app.public_sessions() s where app.is_own_portal()
  order by s.created_at desc, s.id desc limit p_limit offset p_offset;
end
$$;
grant execute on function app.list_public_sessions(integer, integer) to app_portal;

-- Returns whether the list has any session. Every page of a portal asks this. The order makes Postgres read the index.
create or replace function app.has_public_sessions() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from app.public_sessions() s where app.is_own_portal() order by s.created_at desc, s.id desc limit 1
  )
$$;
grant execute on function app.has_public_sessions() to app_portal;

reset role;
