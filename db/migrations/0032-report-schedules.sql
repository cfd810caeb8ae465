-- Adds schedules that mail reports every week or month (docs/reports.md#deliveries).

create table report_schedule (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  report_id uuid not null,
  -- The report runs with the rights of this person.
  creator_id uuid not null references profile (id) default app.profile_id(),
  every text not null check (every in ('week', 'month')),
  format text not null check (format in ('pdf', 'csv')),
  block_id text,
  recipients uuid[] not null check (cardinality(recipients) between 1 and 50),
  stopped_at timestamptz,
  -- The result of app.wanted_report_schedule when the Temporal Schedule was last set. Null if it was never set.
  synced text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  check (format = 'pdf' or block_id is not null),
  foreign key (merchant_id, report_id) references report (merchant_id, id)
);
create index report_schedule__merchant_id_report_id on report_schedule (merchant_id, report_id) where stopped_at is null;
create index report_schedule__id on report_schedule (id) where synced is distinct from 'none';
create trigger report_schedule_touch before update of creator_id, every, format, block_id, recipients, stopped_at
  on report_schedule for each row execute function app.touch_updated_at();

-- One run of a schedule. Each workflow has one row, however often its activities are retried.
create table report_delivery (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  schedule_id uuid not null,
  workflow_id text not null,
  state text not null default 'preparing' check (state in ('preparing', 'sending', 'sent', 'failed', 'paused')),
  error text, -- one sentence for the console
  title text, -- of the report, when it ran
  file_name text,
  file bytea, -- only while it is being sent
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (merchant_id, schedule_id, workflow_id),
  unique (merchant_id, id),
  foreign key (merchant_id, schedule_id) references report_schedule (merchant_id, id)
);

-- One mail of a run to one person. `sending` is committed before the provider is called, as in the table mail.
create table report_mail (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  delivery_id uuid not null,
  profile_id uuid not null references profile (id),
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'rejected', 'gave_up')),
  attempts integer not null default 0,
  last_error text,
  message_id text,
  sent_at timestamptz,
  unique (merchant_id, delivery_id, profile_id),
  foreign key (merchant_id, delivery_id) references report_delivery (merchant_id, id)
);

alter table report_schedule enable row level security, force row level security;
alter table report_delivery enable row level security, force row level security;
alter table report_mail enable row level security, force row level security;

-- People who can edit a report see and change its schedules. A schedule runs with the rights of the person who last
-- changed it.
create policy report_schedule_caller_select on report_schedule for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  );
create policy report_schedule_user_insert on report_schedule for insert to app_user
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and creator_id = (select app.profile_id()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  );
create policy report_schedule_user_update on report_schedule for update to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (creator_id = (select app.profile_id()) or stopped_at is not null)
  );
create policy report_delivery_caller_select on report_delivery for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and schedule_id in (select s.id from report_schedule s where s.merchant_id = report_delivery.merchant_id)
  );
create policy report_mail_caller_select on report_mail for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and delivery_id in (select d.id from report_delivery d where d.merchant_id = report_mail.merchant_id)
  );
grant select on report_schedule to app_user, app_service;
grant insert, update (creator_id, every, format, block_id, recipients, stopped_at) on report_schedule to app_user;
grant select (id, merchant_id, environment, schedule_id, workflow_id, state, error, title, created_at, ended_at)
  on report_delivery to app_user, app_service;
grant select (id, merchant_id, environment, delivery_id, profile_id, state, attempts, last_error, sent_at)
  on report_mail to app_user, app_service;

create policy report_schedule_worker_select on report_schedule for select to app_worker using (true);
create policy report_schedule_worker_update on report_schedule for update to app_worker using (true);
create policy report_delivery_worker_select on report_delivery for select to app_worker using (true);
create policy report_delivery_worker_insert on report_delivery for insert to app_worker with check (true);
create policy report_delivery_worker_update on report_delivery for update to app_worker using (true);
create policy report_mail_worker_select on report_mail for select to app_worker using (true);
create policy report_mail_worker_insert on report_mail for insert to app_worker with check (true);
create policy report_mail_worker_update on report_mail for update to app_worker using (true);
grant select, update (synced) on report_schedule to app_worker;
grant select, insert, update (state, error, title, file_name, file, ended_at) on report_delivery to app_worker;
grant select, insert, update (state, attempts, last_error, message_id, sent_at) on report_mail to app_worker;

create policy report_schedule_definer_select on report_schedule for select to app_definer using (true);
create policy report_definer_select on report for select to app_definer using (true);
create policy report_version_definer_select on report_version for select to app_definer using (true);
grant select on report_schedule, report, report_version to app_definer;

-- Returns the role that a person has at a merchant now. Null if the person has none, is disabled or has not accepted an
-- invitation yet.
create function app.active_role_at(p_merchant_id uuid, p_profile_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case when p.role = 'admin' then 'admin' else (
      select m.role from app.memberships_of(p.id, null) m where m.merchant_id = p_merchant_id limit 1
    ) end
  from public.profile p
  where p.id = p_profile_id and p.disabled_at is null and p.activated_at is not null
$$;
grant execute on function app.active_role_at(uuid, uuid) to app_definer, app_worker;
alter function app.active_role_at(uuid, uuid) owner to app_definer;

-- Returns why a schedule does not run, or null if it does. Callers can ask only about schedules of their own merchant.
create function app.report_schedule_obstacle(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
      when s.stopped_at is not null then 'stopped'
      when r.archived_at is not null then 'report_archived'
      when not m.reports_enabled then 'reports_off'
      when w.role is null then 'creator_left'
      when w.role in ('merchant_owner', 'admin') or w.role = 'merchant' and r.creator_id = s.creator_id then null
      else 'creator_may_not_edit'
    end
  from public.report_schedule s
  join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
  join public.merchant m on m.id = s.merchant_id
  cross join lateral (select app.active_role_at(s.merchant_id, s.creator_id) as role) w
  where s.id = p_schedule_id and s.merchant_id = coalesce(app.merchant_id(), s.merchant_id)
$$;
grant execute on function app.report_schedule_obstacle(uuid) to app_definer, app_user, app_service, app_worker;
alter function app.report_schedule_obstacle(uuid) owner to app_definer;

-- Returns the time zone of a schedule: that of the report's filters, or else that of the merchant.
create function app.report_schedule_zone(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(v.definition -> 'filters' ->> 'timezone', m.time_zone)
  from public.report_schedule s
  join public.merchant m on m.id = s.merchant_id
  join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
  left join public.report_version v on v.merchant_id = r.merchant_id and v.report_id = r.id
    and v.version = r.published_version
  where s.id = p_schedule_id and s.merchant_id = coalesce(app.merchant_id(), s.merchant_id)
$$;
grant execute on function app.report_schedule_zone(uuid) to app_definer, app_user, app_service, app_worker;
alter function app.report_schedule_zone(uuid) owner to app_definer;

-- Returns how the Temporal Schedule must be set: `none` if there must be none, otherwise interval, state and time zone
-- (`week paused Europe/Paris`).
create function app.wanted_report_schedule(p_schedule_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case when o.obstacle in ('stopped', 'report_archived') then 'none' else pg_catalog.concat_ws(
      ' ', s.every, case when o.obstacle is null then 'active' else 'paused' end, app.report_schedule_zone(s.id)
    ) end
  from public.report_schedule s
  cross join lateral (select app.report_schedule_obstacle(s.id) as obstacle) o
  where s.id = p_schedule_id
$$;
grant execute on function app.wanted_report_schedule(uuid) to app_worker;
alter function app.wanted_report_schedule(uuid) owner to app_definer;

-- Returns the people to whom a report can be mailed: those of the caller's merchant who can sign in to the console.
create function app.list_report_recipients(p_limit_rows integer) returns table (id uuid, name text)
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
alter function app.list_report_recipients(integer) owner to app_definer;

-- The worker runs a scheduled report as app_report, in the scope of the schedule's creator. app_report can read
-- everything that reports read, because the creator is never a hiring manager, who would see less.
create policy merchant_report_select on merchant for select to app_report using (id = (select app.merchant_id()));
create policy profile_report_select on profile for select to app_report using (merchant_id = (select app.merchant_id()));
create policy report_report_select on report for select to app_report using (merchant_id = (select app.merchant_id()));
create policy report_version_report_select on report_version for select to app_report
  using (merchant_id = (select app.merchant_id()));
create policy report_filters_report_select on report_filters for select to app_report
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_attempt_report_select on report_attempt for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_result_report_select on interview_result for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_report_select on enrolment for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_report_select on invitation for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy mail_report_select on mail for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_report_select on interview for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy interview_template_report_select on interview_template for select to app_report using (true);
create policy position_report_select on position for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_report_select on position_step for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy credit_entry_report_select on credit_entry for select to app_report
  using (merchant_id = (select app.merchant_id()));
grant usage on schema app to app_report;
grant select (id, reports_enabled, time_zone) on merchant to app_report;
grant select (id, merchant_id, name) on profile to app_report;
grant select (id, merchant_id, environment, enrolment_id, kind, state, created_at) on mail to app_report;
grant select (id, merchant_id, environment, enrolment_id, interview_id, attempt, status, is_test, created_at)
  on interview_result to app_report;
grant select on report, report_version, report_filters, report_attempt, enrolment, invitation, interview, interview_template,
  position, position_step, credit_entry to app_report;
grant execute on function app.merchant_id(), app.profile_id(), app.environment(), app.caller_id(), app.caller_role(),
  app.may_edit_report(uuid) to app_report;
set local role app_definer;
grant execute on function app.names_of_team(uuid[]) to app_report;
set local role app_owner;

-- Returns the scope of a schedule's creator. Raises PA403 if the schedule does not run.
create function app.find_report_schedule_scope(p_schedule_id uuid) returns app.request_scope
language plpgsql stable security definer set search_path = ''
as $$
declare
  scope app.request_scope;
begin
  select s.merchant_id, s.creator_id, s.creator_id, app.active_role_at(s.merchant_id, s.creator_id), s.environment, 'app_report'
    into scope from public.report_schedule s
    where s.id = p_schedule_id and app.report_schedule_obstacle(s.id) is null;
  if not found then
    raise exception 'this schedule does not run' using errcode = 'PA403';
  end if;
  return scope;
end
$$;
grant execute on function app.find_report_schedule_scope(uuid) to app_worker_login;
alter function app.find_report_schedule_scope(uuid) owner to app_definer;

-- Sets the scope of a transaction that runs a scheduled report with the rights of the schedule's creator, as its first
-- statement.
create function app.begin_report_schedule(p_schedule_id uuid, p_statement_timeout text) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
begin
  scope := app.find_report_schedule_scope(p_schedule_id);
  perform
    pg_catalog.set_config('app.merchant_id', scope.merchant_id::text, true),
    pg_catalog.set_config('app.profile_id', scope.profile_id::text, true),
    pg_catalog.set_config('app.caller_id', scope.caller_id::text, true),
    pg_catalog.set_config('app.role', scope.role, true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', scope.db_role, true);
  return scope;
end
$$;
grant execute on function app.begin_report_schedule(uuid, text) to app_worker_login;
