-- Schedules that mail reports every week or month (docs/reports.md#deliveries).

-- Owners, platform admins and service keys edit every report of the merchant. Recruiters edit the reports they created.
create or replace function app.may_edit_report(p_creator_id uuid) returns boolean language sql stable parallel safe
  as $$
    select app.caller_role() in ('merchant_owner', 'admin', 'service')
      or (app.caller_role() = 'merchant' and p_creator_id = app.profile_id())
  $$;
grant execute on function app.may_edit_report(uuid) to app_user, app_service, app_report;

set local role app_definer;

-- Returns why each schedule does not run (null if it does), its time zone, and how to set its Temporal Schedule:
-- `none`, or the interval, `active` or `paused`, and the time zone. A caller gets the schedules of its merchant only.
create or replace function app.report_schedule_states(p_ids uuid[]) returns table (id uuid, obstacle text, zone text, wanted text)
language sql stable security definer set search_path = ''
as $$
  select s.id, o.obstacle, z.zone, case
      when o.obstacle in ('stopped', 'report_archived') then 'none'
      else s.every || case when o.obstacle is null then ' active ' else ' paused ' end || z.zone
    end
  from public.report_schedule s
  join public.merchant m on m.id = s.merchant_id
  join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
  left join public.report_version v on v.merchant_id = r.merchant_id and v.report_id = r.id
    and v.version = r.published_version
  left join public.profile p on p.id = s.creator_id and p.disabled_at is null and p.activated_at is not null
  left join public.merchant_access a on a.merchant_id = s.merchant_id and a.profile_id = p.id and a.disabled_at is null
  cross join lateral (
    select case
        when p.role = 'admin' then 'admin'
        when p.merchant_id = s.merchant_id and p.home_disabled_at is null and p.home_withdrawn_at is null then p.role
        else a.role
      end as role
  ) w
  cross join lateral (
    select case
        when s.stopped_at is not null then 'stopped'
        when r.archived_at is not null then 'report_archived'
        when not m.reports_enabled then 'reports_off'
        when w.role is null then 'creator_left'
        when w.role in ('merchant_owner', 'admin') or w.role = 'merchant' and r.creator_id = s.creator_id then null
        else 'creator_may_not_edit'
      end as obstacle
  ) o
  cross join lateral (select coalesce(v.definition -> 'filters' ->> 'timezone', m.time_zone) as zone) z
  where s.id = any (p_ids) and (
    s.merchant_id = app.merchant_id() or pg_catalog.current_setting('role') = 'app_worker'
  )
$$;
grant execute on function app.report_schedule_states(uuid[]) to app_user, app_service, app_worker;

-- Returns why a schedule does not run, or null if it does. Callers can ask only about schedules of their own merchant.
create or replace function app.report_schedule_obstacle(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$ select obstacle from app.report_schedule_states(array[p_schedule_id]) $$;
grant execute on function app.report_schedule_obstacle(uuid) to app_user, app_service, app_worker;

-- Returns the time zone of a schedule: that of the report's filters, or else that of the merchant.
create or replace function app.report_schedule_zone(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$ select zone from app.report_schedule_states(array[p_schedule_id]) $$;
grant execute on function app.report_schedule_zone(uuid) to app_user, app_service, app_worker;

-- Returns how the Temporal Schedule must be set: `none` if there must be none, otherwise interval, state and time zone
-- (`week paused Europe/Paris`).
create or replace function app.wanted_report_schedule(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$ select wanted from app.report_schedule_states(array[p_schedule_id]) $$;
grant execute on function app.wanted_report_schedule(uuid) to app_worker;

-- Returns the people to whom a report can be mailed: those of the caller's merchant who can sign in to the console.
create or replace function app.list_report_recipients(p_limit_rows integer) returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(x.name, p.email)
  from (
    select h.id, h.name from public.profile h where h.merchant_id = app.merchant_id()
    union
    select a.profile_id, a.name from public.merchant_access a where a.merchant_id = app.merchant_id()
  ) x
  join public.profile p on p.id = x.id
  where app.caller_role() in ('merchant_owner', 'merchant', 'admin')
    and p.role not in ('admin', 'candidate')
    and app.active_role_at(app.merchant_id(), p.id) in ('merchant_owner', 'merchant', 'merchant_selection')
  order by 2, 1 limit p_limit_rows
$$;
grant execute on function app.list_report_recipients(integer) to app_user;

-- Returns the scope of a schedule's creator. Raises PA403 if the schedule does not run.
create or replace function app.find_report_schedule_scope(p_schedule_id uuid) returns app.request_scope
language plpgsql stable security definer set search_path = ''
as $$
declare
  scope app.request_scope;
begin
  select s.merchant_id, s.creator_id, s.creator_id, app.active_role_at(s.merchant_id, s.creator_id), s.environment, 'app_report'
    into scope from public.report_schedule s
    where s.id = p_schedule_id and app.report_schedule_obstacle(s.id) is null;
  if not found then
    raise exception 'This schedule does not run.' using errcode = 'PA403';
  end if;
  return scope;
end
$$;
grant execute on function app.find_report_schedule_scope(uuid) to app_worker_login;

reset role;

-- Sets the scope of a transaction that runs a scheduled report with the rights of the schedule's creator, as its first
-- statement.
create or replace function app.begin_report_schedule(p_schedule_id uuid, p_statement_timeout text) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
begin
  scope := app.find_report_schedule_scope(p_schedule_id);
  perform app.set_scope(scope, p_statement_timeout);
  return scope;
end
$$;
grant execute on function app.begin_report_schedule(uuid, text) to app_worker_login;

set local role app_definer;

-- Counts the active schedules of the caller's merchant in all environments, including those that the caller does not
-- see. Until the transaction ends, no other transaction can count them, so two callers cannot both add the last
-- schedule that the limit allows.
create or replace function app.count_report_schedules() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('report schedules ' || app.merchant_id(), 0));
  return (
    select count(*)
    from public.report_schedule s
    join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
    where s.merchant_id = app.merchant_id() and s.stopped_at is null and r.archived_at is null
  );
end
$$;
grant execute on function app.count_report_schedules() to app_user;

reset role;
