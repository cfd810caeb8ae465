-- Makes reports fast (docs/reports.md#how-it-runs): stores sums of attempts by day, and a row for each change of data
-- that reports read.

-- A transaction adds a row if it changes data that the reports of a merchant read. A cached result is valid until the
-- rows of the merchant change. A row with `attempt_instant` also says that the sums of that day are out of date.
create table report_change (
  merchant_id uuid not null,
  id bigint generated always as identity,
  attempt_environment text,
  attempt_instant timestamptz,
  changed_at timestamptz not null default now(),
  primary key (merchant_id, id)
);

-- The sums and counts of one day, from which averages over any days can be computed. Only days that ended two days ago
-- or earlier have rows.
create table report_day (
  merchant_id uuid not null,
  environment text not null,
  day date not null, -- in the time zone of `report_rollup`
  is_test boolean not null,
  started integer not null,
  completed integer not null,
  abandoned integer not null,
  failed integer not null,
  retakes integer not null,
  shortlisted integer not null,
  completed_shortlisted integer not null,
  advanced integer not null,
  rejected integer not null,
  undecided integer not null,
  with_risk_flags integer not null,
  -- The sums and counts below include only completed attempts that have a value.
  coverage_sum double precision not null,
  coverage_count integer not null,
  score_sum double precision not null,
  score_count integer not null,
  recruiter_score_sum double precision not null,
  recruiter_score_count integer not null,
  pronunciation_sum double precision not null,
  pronunciation_count integer not null,
  words_per_minute_sum double precision not null,
  words_per_minute_count integer not null,
  duration_sum double precision not null,
  duration_count integer not null,
  time_to_decision_sum double precision not null,
  time_to_decision_count integer not null,
  primary key (merchant_id, environment, day, is_test)
);

-- `report_day` has all days before `until`, in this time zone. A day before `until` without a row had no attempts.
create table report_rollup (
  merchant_id uuid not null,
  environment text not null,
  time_zone text not null,
  until date not null,
  primary key (merchant_id, environment)
);

alter table report_change enable row level security, force row level security;
create policy report_change_caller_select on report_change for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy report_change_worker_select on report_change for select to app_worker using (true);
create policy report_change_worker_delete on report_change for delete to app_worker using (true);
create policy report_change_definer_insert on report_change for insert to app_definer with check (true);
create policy report_change_report_select on report_change for select to app_report
  using (merchant_id = (select app.merchant_id()));
grant select on report_change to app_user, app_service, app_report;
grant select, delete on report_change to app_worker;
grant insert (merchant_id, attempt_environment, attempt_instant) on report_change to app_definer;

alter table report_day enable row level security, force row level security;
-- The sums are over all positions, so hiring managers, who may see only some of them, cannot read them.
create policy report_day_caller_select on report_day for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy report_day_worker_select on report_day for select to app_worker using (true);
create policy report_day_worker_insert on report_day for insert to app_worker with check (true);
create policy report_day_worker_delete on report_day for delete to app_worker using (true);
create policy report_day_report_select on report_day for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
grant select on report_day to app_user, app_service, app_report;
grant select, insert, delete on report_day to app_worker;

alter table report_rollup enable row level security, force row level security;
create policy report_rollup_caller_select on report_rollup for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy report_rollup_worker_select on report_rollup for select to app_worker using (true);
create policy report_rollup_worker_insert on report_rollup for insert to app_worker with check (true);
create policy report_rollup_worker_update on report_rollup for update to app_worker using (true);
create policy report_rollup_report_select on report_rollup for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
grant select on report_rollup to app_user, app_service, app_report;
grant select, insert, update (time_zone, until) on report_rollup to app_worker;

create policy report_attempt_worker_select on report_attempt for select to app_worker using (true);
grant select on report_attempt to app_worker;
grant select (time_zone) on merchant to app_worker;

-- Adds at most one row per transaction: a local setting records that the row was added. Rolling back to a savepoint
-- undoes both.
create function app.report_change_once(p_merchant_id uuid) returns void
language plpgsql
as $$
begin
  if pg_catalog.current_setting('app.report_change', true) is distinct from p_merchant_id::text then
    insert into public.report_change (merchant_id) values (p_merchant_id);
    perform pg_catalog.set_config('app.report_change', p_merchant_id::text, true);
  end if;
end
$$;
grant execute on function app.report_change_once(uuid) to app_definer;

create function app.report_input_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  merchant_id uuid := case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end;
begin
  if merchant_id is not null then
    perform app.report_change_once(merchant_id);
  end if;
  return null;
end
$$;

-- Adds a row to `report_change`. If the attempt is older than 24 hours, adds another row with `attempt_instant`, which
-- marks the sums of its day as out of date. A newer attempt does not need it, because the sums of its day do not exist
-- yet. Only a transaction that runs longer than a day could miss a change.
create function app.report_attempt_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  yesterday constant timestamptz := pg_catalog.now() - interval '1 day';
begin
  perform app.report_change_once(case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end);
  if tg_op <> 'INSERT' and old.instant < yesterday then
    insert into public.report_change (merchant_id, attempt_environment, attempt_instant)
      values (old.merchant_id, old.environment, old.instant);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.instant <> old.instant then
    if new.instant < yesterday then
      insert into public.report_change (merchant_id, attempt_environment, attempt_instant)
        values (new.merchant_id, new.environment, new.instant);
    end if;
  end if;
  return null;
end
$$;

create trigger report_attempt_report_changed after insert or update or delete on report_attempt
  for each row execute function app.report_attempt_changed();
create trigger interview_report_changed after insert or delete or update of name, type, status, coach_plan,
  interview_template_id, interview_department, interview_location, recruiter_profile_id, built_at on interview
  for each row execute function app.report_input_changed();
create trigger position_report_changed after insert or delete or update of name, status, interview_department,
  interview_location, recruiter_profile_id on position
  for each row execute function app.report_input_changed();
create trigger position_step_report_changed after insert or update or delete on position_step
  for each row execute function app.report_input_changed();
create trigger enrolment_report_input_changed after insert or delete or update of position_id, interview_id, profile_id
  on enrolment for each row execute function app.report_input_changed();
create trigger interview_result_report_input_changed after update of enrolment_id, interview_id on interview_result
  for each row execute function app.report_input_changed();
create trigger profile_report_changed after delete or update of name, email, role, merchant_id on profile
  for each row execute function app.report_input_changed();
create trigger merchant_access_report_changed after insert or delete or update of name on merchant_access
  for each row execute function app.report_input_changed();
create trigger invitation_report_changed after insert or update or delete on invitation
  for each row execute function app.report_input_changed();
create trigger mail_report_changed after update of state on mail
  for each row execute function app.report_input_changed();
create trigger mail_report_added after insert on mail
  for each row execute function app.report_input_changed();
create trigger credit_entry_report_changed after insert or update or delete on credit_entry
  for each row execute function app.report_input_changed();

alter function app.report_input_changed() owner to app_definer;
alter function app.report_attempt_changed() owner to app_definer;
