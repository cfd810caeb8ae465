-- Renames the issue report to technical issue (docs/glossary.md).

alter table issue_report rename to technical_issue;
do $$
declare
  old record;
begin
  -- Renaming a constraint also renames its index.
  for old in select conname as name from pg_constraint where conrelid = 'public.technical_issue'::regclass loop
    execute format('alter table technical_issue rename constraint %I to %I',
      old.name, replace(old.name, 'issue_report', 'technical_issue'));
  end loop;
  for old in select indexname as name from pg_indexes where tablename = 'technical_issue' and indexname like 'issue_report%' loop
    execute format('alter index %I rename to %I', old.name, replace(old.name, 'issue_report', 'technical_issue'));
  end loop;
  for old in select policyname as name from pg_policies where tablename = 'technical_issue' loop
    execute format('alter policy %I on technical_issue rename to %I',
      old.name, replace(old.name, 'issue_report', 'technical_issue'));
  end loop;
end
$$;

-- Returns when the caller can create the next technical issue or feature request, or null if the caller can do so now.
-- The limit for one person is five of each in 24 hours, at all merchants together. Calls of one person wait for each
-- other until the transaction ends.
set local role app_definer;
drop function app.lock_next_report(text);
set local role app_owner;
create function app.lock_daily_limit(p_kind text) returns timestamptz
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
alter function app.lock_daily_limit(text) owner to app_definer;

-- Redefines the function of 0019: it first locks the rows in the order of their ids. Without that, calls from two
-- environments that named the same people in different orders deadlocked.
set local role app_definer;
create or replace function app.readmit_people(p_profile_ids uuid[], p_roles text[], p_names text[]) returns setof uuid
language sql volatile security definer set search_path = ''
as $$
  select p.id from public.profile p
  where p.id = any (p_profile_ids) and p.merchant_id = app.merchant_id() and p.home_withdrawn_at is not null
  order by p.id for no key update;
  update public.profile p set role = again.role, name = coalesce(again.name, p.name), home_withdrawn_at = null
  from unnest(p_profile_ids, p_roles, p_names) as again (id, role, name)
  where p.id = again.id and p.merchant_id = app.merchant_id() and p.home_withdrawn_at is not null
    and p.role not in ('candidate', 'admin') and again.role not in ('candidate', 'admin')
    and app.caller_role() in ('merchant_owner', 'admin')
  returning p.id
$$;
set local role app_owner;
