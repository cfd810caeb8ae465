-- The coaching catalogue: its directories, and what a visitor of a portal sees of it (docs/catalogue.md).

create table catalogue_directory (
  row_id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id) default app.merchant_id(), -- null: platform-wide
  id text collate "C" not null check (char_length(id) <= 200 and id ~ '^[a-z0-9]+([-_][a-z0-9]+)*$'),
  name text not null check (name <> ''),
  description text,
  platform_language_code text not null default 'en',
  visibility text not null default 'merchant_public' check (
    visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted')
  ),
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  cover_image_url text,
  coach_plan text check (coach_plan in ('demo', 'screening', '2nd', '3rd', 'closing', 'job-specific', 'other')),
  tags_sub text[] not null default '{}' check (cardinality(tags_sub) <= 1000), -- in the order of display
  tags_interview_set_filter text[] not null default '{}',
  content_md text, -- null: the default grid; '': an empty page
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The included columns let Postgres count and page lists with an index-only scan.
  constraint catalogue_directory_merchant_id_id_key
    unique nulls not distinct (merchant_id, id) include (row_id, status, visibility, platform_language_code),
  check ((merchant_id is null) = (visibility = 'public'))
);
-- Finds the directories of all merchants that have the id of a new platform-wide directory. Because merchant_id is in
-- the index, a lookup for one merchant does not read the directories of the others.
create index catalogue_directory__id_merchant_id on catalogue_directory (id, merchant_id);
-- Finds the stages of a coaching plan among a merchant's directories.
create index catalogue_directory__merchant_id_coach_plan on catalogue_directory (merchant_id, coach_plan)
  where coach_plan is not null;
create trigger catalogue_directory_touch before update on catalogue_directory
  for each row execute function app.touch_updated_at();
-- Finds the sessions of the catalogue by merchant, environment and name. A directory lists the sessions that have all
-- of its tags.
create index interview__merchant_id_environment_name_id on interview (merchant_id, environment, name, id)
  where status = 'active' and type in ('coaching', 'persona') and visibility in ('public', 'merchant_public')
    and built_at is not null;

alter table catalogue_directory enable row level security, force row level security;

-- Callers see their merchant's directories and the active platform-wide ones. Platform admins see and change all
-- platform-wide ones.
create policy catalogue_directory_caller_select on catalogue_directory for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id())
    or merchant_id is null and (status = 'active' or (select app.caller_role()) = 'admin')
  );
create policy catalogue_directory_caller_insert on catalogue_directory for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and visibility <> 'public'
    or merchant_id is null and visibility = 'public' and (select app.caller_role()) = 'admin'
  );
create policy catalogue_directory_caller_update on catalogue_directory for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
  with check (
    merchant_id = (select app.merchant_id()) and visibility <> 'public'
    or merchant_id is null and visibility = 'public' and (select app.caller_role()) = 'admin'
  );
grant select, insert on catalogue_directory to app_user, app_service;
grant update (name, description, platform_language_code, visibility, status, cover_image_url, coach_plan, tags_sub,
  tags_interview_set_filter, content_md) on catalogue_directory to app_user, app_service;

create policy catalogue_directory_definer_select on catalogue_directory for select to app_definer using (true);
grant select (merchant_id, id, tags_sub) on catalogue_directory to app_definer;

-- Locks the platform's and the merchant's catalogue until the transaction ends, because two simultaneous changes could
-- create a cycle that neither sees. All callers lock in the same order and wait at most 5 s for a lock (error 55P03).
create function app.lock_catalogue(p_is_platforms boolean, p_is_merchants boolean, p_new_id text) returns void
language plpgsql volatile
as $$
begin
  perform pg_catalog.set_config('lock_timeout', '5s', true);
  if p_is_platforms then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('catalogue', 0));
  end if;
  if p_is_merchants then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('catalogue/' || app.merchant_id()::text, 0));
  end if;
  -- Several merchants may each have a directory with this id, so they share the lock. A platform-wide id must be unused by
  -- every merchant, so its lock is exclusive.
  if p_new_id is not null and p_is_platforms then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('catalogue id/' || p_new_id, 0));
  elsif p_new_id is not null then
    perform pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended('catalogue id/' || p_new_id, 0));
  end if;
end
$$;
grant execute on function app.lock_catalogue(boolean, boolean, text) to app_user, app_service;

-- Returns whether another owner already has a directory with the id of a new one. A merchant's new directory is
-- compared with the platform-wide directories, a platform-wide one with those of all merchants. The unique key finds
-- other duplicates.
create function app.meets_catalogue_id(p_id text, p_is_platform_wide boolean) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case
    when p_is_platform_wide then
      exists (select from public.catalogue_directory d where d.id = p_id and d.merchant_id is not null)
    else exists (select from public.catalogue_directory d where d.id = p_id and d.merchant_id is null)
  end
$$;
grant execute on function app.meets_catalogue_id(text, boolean) to app_user, app_service;
alter function app.meets_catalogue_id(text, boolean) owner to app_definer;

-- Returns whether one of the ids is the directory p_id or leads to it through `tags_sub`, or null if the search meets
-- more than p_most_entries entries of `tags_sub`. Looks at platform-wide directories and at those of p_merchant_id.
create function app.leads_to_directory(p_ids text[], p_merchant_id uuid, p_id text, p_most_entries integer) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  step record;
  entries bigint := 0;
  -- The cursor returns each id with the length of its list, which is counted before the list is read. Fetching single
  -- rows stops exactly at the limit, whereas a `for` loop would fetch 50 rows at once.
  steps no scroll cursor for
    with recursive walk (id) as (
      select tag.id collate "C" from pg_catalog.unnest(p_ids) as tag (id)
      union
      select tag.id collate "C" from walk
      cross join lateral (
        -- For a platform-wide directory p_merchant_id is null, so a cycle through a directory of a merchant goes
        -- undetected. Such a cycle is harmless, because every page and list shows one level only.
        select d.tags_sub from public.catalogue_directory d where d.merchant_id is null and d.id = walk.id
        union all
        select d.tags_sub from public.catalogue_directory d where d.merchant_id = p_merchant_id and d.id = walk.id
      ) d
      cross join lateral pg_catalog.unnest(d.tags_sub) as tag (id)
    )
    select walk.id, coalesce(
      (select pg_catalog.cardinality(d.tags_sub) from public.catalogue_directory d where d.merchant_id is null and d.id = walk.id),
      (select pg_catalog.cardinality(d.tags_sub) from public.catalogue_directory d where d.merchant_id = p_merchant_id and d.id = walk.id),
      0
    ) as entries
    from walk;
begin
  open steps;
  loop
    fetch steps into step;
    exit when not found;
    if step.id = p_id then
      return true;
    end if;
    entries := entries + step.entries;
    if entries > p_most_entries then
      return null;
    end if;
  end loop;
  return false;
end
$$;
grant execute on function app.leads_to_directory(text[], uuid, text, integer) to app_user, app_service;
alter function app.leads_to_directory(text[], uuid, text, integer) owner to app_definer;

-- Returns the merchant of a portal's host name. Also returns the learner of the visitor's link (p_profile_id), if the
-- link belongs to that merchant (p_merchant_id).
create function app.find_portal_scope(p_domain text, p_merchant_id uuid, p_profile_id uuid)
returns table (merchant_id uuid, profile_id uuid)
language sql stable security definer set search_path = ''
as $$
  select m.id, (
    select p.id from public.profile p
    where p.id = p_profile_id and m.id = p_merchant_id and p.disabled_at is null and p.activated_at is not null
      and (
        p.merchant_id = m.id
        or exists (select from public.merchant_access a where a.merchant_id = m.id and a.profile_id = p.id)
      )
  )
  from public.merchant m
  where case when p_domain is null then m.id = p_merchant_id else m.portal_domain = p_domain end
$$;
grant execute on function app.find_portal_scope(text, uuid, uuid) to app_api_login;
alter function app.find_portal_scope(text, uuid, uuid) owner to app_definer;

-- Sets the scope of a visitor's transaction, as its first statement. If the host name belongs to no merchant, the
-- transaction sees no rows. Portals show the environment production.
create function app.begin_portal(p_domain text, p_merchant_id uuid, p_profile_id uuid, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_portal_scope(p_domain, p_merchant_id, p_profile_id);
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', coalesce(scope.profile_id::text, ''), true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.role', '', true),
    pg_catalog.set_config('app.environment', 'production', true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', 'app_portal', true);
end
$$;
grant execute on function app.begin_portal(text, uuid, uuid, text) to app_api_login;

create policy merchant_portal_select on merchant for select to app_portal using (id = (select app.merchant_id()));
-- Platform-wide directories are pages of every merchant's portal. A host name without a merchant shows no directories.
create policy catalogue_directory_portal_select on catalogue_directory for select to app_portal
  using (
    status = 'active' and (select app.merchant_id()) is not null
    and (merchant_id is null or merchant_id = (select app.merchant_id()))
    and (visibility <> 'merchant_invite' or (select app.profile_id()) is not null)
  );
create policy interview_portal_select on interview for select to app_portal
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and status = 'active' and type in ('coaching', 'persona') and visibility in ('public', 'merchant_public')
    and built_at is not null
  );
grant select (id, name, portal_domain, start_directory) on merchant to app_portal;
-- For a person who accepts a coaching invitation, app_auth makes a link to the catalogue.
grant select (portal_domain, start_directory) on merchant to app_auth;
grant select on catalogue_directory to app_portal;
grant select (id, merchant_id, environment, name, status, type, visibility, built_at, description, interview_description_long,
  platform_language_code, cover_image_url, tags, coach_plan, max_duration) on interview to app_portal;

-- Lists the sessions that the learner has completed, not counting tests.
create function app.list_completed_sessions() returns table (interview_id uuid)
language sql stable security definer set search_path = ''
as $$
  select distinct r.interview_id
  from public.enrolment e join public.interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
  where e.merchant_id = app.merchant_id() and e.environment = app.environment() and not r.is_test
    and e.email_key = (select p.email_key from public.profile p where p.id = app.profile_id())
    and r.interview_status in ('completed', 'completed, stopped early')
$$;
grant execute on function app.list_completed_sessions() to app_portal;
grant select (email_key) on enrolment to app_definer;
alter function app.list_completed_sessions() owner to app_definer;
create index enrolment__merchant_id_email_key on enrolment (merchant_id, email_key);
