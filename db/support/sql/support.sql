-- Technical issues and feature requests (docs/support.md).

set local role app_definer;

-- Returns the names of the caller's home merchant and of the merchant of the call. A feature request must not contain
-- them, because it is public.
create or replace function app.list_own_companies() returns setof text
language sql stable security definer set search_path = ''
as $$
  select m.name from public.merchant m
  where m.id in (app.merchant_id(), (select p.merchant_id from public.profile p where p.id = app.profile_id()))
$$;
grant execute on function app.list_own_companies() to app_user;

-- Returns when the caller can create the next technical issue or feature request, or null if the caller can do so now.
-- The limit for one person is five of each in 24 hours, at all merchants together. Calls of one person wait for each
-- other until the transaction ends.
create or replace function app.lock_daily_limit(p_kind text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  fifth timestamptz;
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended(p_kind || '/' || app.profile_id()::text, 0)
  );
  if p_kind = 'technical_issue' then
    select created_at into fifth from public.technical_issue
      where profile_id = app.profile_id() order by created_at desc offset 4 limit 1;
  else
    select created_at into fifth from public.feature_request
      where profile_id = app.profile_id() order by created_at desc offset 4 limit 1;
  end if;
  return case when fifth > pg_catalog.clock_timestamp() - interval '24 hours' then fifth + interval '24 hours' end;
end
$$;
grant execute on function app.lock_daily_limit(text) to app_user;

reset role;
