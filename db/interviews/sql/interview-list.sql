-- Finds interviews and positions for lists (docs/interviews.md#listing).

set local role app_definer;

-- Returns the newest interviews and positions that match all filters, at most p_limit of each kind. A filter that is null
-- matches everything. It is a definer function, because Postgres uses no index for tags and texts in a query to which
-- row-level security applies. Each call is planned for its filters. Only for a text, Postgres cannot know how frequent it
-- is: if it is in a tenth of the newest interviews, the newest ones are searched, and otherwise the trigrams.
create or replace function app.find_interviews(
  p_status text, p_type text, p_is_multistage boolean, p_tag text, p_position_id uuid, p_text text, p_limit integer,
  p_before timestamptz default null, p_before_id uuid default null, p_since timestamptz default null
)
returns table (id uuid, is_multistage boolean, created_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  here constant uuid := app.merchant_id();
  scope constant text := app.environment();
  seen_positions constant uuid[] := app.position_ids();
  seen_interviews constant uuid[] := app.position_interview_ids();
  pattern constant text := '%' || pg_catalog.regexp_replace(p_text, '([\\%_])', '\\\1', 'g') || '%';
  is_frequent boolean;
begin
  if p_text is not null then
    select count(*) >= 100 into is_frequent from (
      select i.name, i.code from public.interview i
      where i.merchant_id = here and i.environment = scope and i.built_at is not null and i.status <> 'deleted'
      order by i.created_at desc, i.id desc limit 1000
    ) newest where pg_catalog.strpos(lower(newest.name), lower(p_text)) > 0
      or pg_catalog.strpos(lower(newest.code), lower(p_text)) > 0;
  end if;
  return query
  (
    select i.id, false, i.created_at from public.interview i
    where i.merchant_id = here and i.environment = scope and i.built_at is not null
      and i.status <> 'deleted' and (seen_interviews is null or i.id = any (seen_interviews))
      and (p_is_multistage is null or not p_is_multistage)
      and (p_status is null or i.status = p_status) and (p_type is null or i.type = p_type)
      and (p_tag is null or i.tags @> array[p_tag])
      and (p_before is null or (i.created_at, i.id) < (p_before, p_before_id))
      and (p_since is null or i.updated_at >= p_since)
      and case
        when p_text is null then true
        when is_frequent
          then pg_catalog.strpos(lower(i.name), lower(p_text)) > 0 or pg_catalog.strpos(lower(i.code), lower(p_text)) > 0
        else i.name ilike pattern or i.code ilike pattern end
      and (p_position_id is null or i.id = any (array(
        select s.interview_id from public.position_step s where s.merchant_id = here and s.position_id = p_position_id
      )))
    order by i.created_at desc, i.id desc limit p_limit
  )
  union all
  (
    select p.id, true, p.created_at from public.position p
    where p.merchant_id = here and p.environment = scope and p.status <> 'deleted'
      and (seen_positions is null or p.id = any (seen_positions))
      and (p_is_multistage is null or p_is_multistage)
      and (p_before is null or (p.created_at, p.id) < (p_before, p_before_id))
      and (p_since is null or p.updated_at >= p_since)
      and (p_status is null or p.status = p_status) and p_type is null and p_tag is null and p_position_id is null
      and (pattern is null or p.name ilike pattern or p.code ilike pattern)
    order by p.created_at desc, p.id desc limit p_limit
  );
end
$$;
grant execute on function app.find_interviews(
  text, text, boolean, text, uuid, text, integer, timestamptz, uuid, timestamptz
) to app_user, app_service;

reset role;
