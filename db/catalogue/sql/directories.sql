-- The directories of a catalogue (docs/catalogue.md).

-- Locks the platform's and the merchant's catalogue until the transaction ends, because two simultaneous changes could
-- create a cycle that neither sees. All callers lock in the same order and wait at most 5 s for a lock (error 55P03).
create or replace function app.lock_catalogue(p_is_platforms boolean, p_is_merchants boolean, p_new_id text) returns void
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

set local role app_definer;

-- Returns whether another owner already has a directory with the id of a new one. A merchant's new directory is
-- compared with the platform-wide directories, a platform-wide one with those of all merchants. The unique key finds
-- other duplicates.
create or replace function app.meets_catalogue_id(p_id text, p_is_platform_wide boolean) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case
    when p_is_platform_wide then
      exists (select from public.catalogue_directory d where d.id = p_id and d.merchant_id is not null)
    else exists (select from public.catalogue_directory d where d.id = p_id and d.merchant_id is null)
  end
$$;
grant execute on function app.meets_catalogue_id(text, boolean) to app_user, app_service;

-- Returns whether one of the ids is the directory p_id or leads to it through `tags_sub`, or null if the search meets
-- more than p_most_entries entries of `tags_sub`. Looks at platform-wide directories and at those of p_merchant_id.
create or replace function app.leads_to_directory(p_ids text[], p_merchant_id uuid, p_id text, p_most_entries integer) returns boolean
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

reset role;
