-- Makes reports fast (docs/reports.md#how-it-runs): a row for each change of data that reports read.

-- Adds at most one row per transaction: a local setting records that the row was added. Rolling back to a savepoint
-- undoes both.
create or replace function app.report_change_once(p_merchant_id uuid) returns void
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

set local role app_definer;

-- Adds a row to `report_change` for a change of any other table that reports read.
create or replace function app.report_input_changed() returns trigger
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
create or replace function app.report_attempt_changed() returns trigger
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

reset role;

create or replace trigger interview_report_changed after insert or delete or update of name, type, status, coach_plan,
  interview_template_id, interview_department, interview_location, recruiter_profile_id, built_at on interview
  for each row execute function app.report_input_changed();
create or replace trigger position_report_changed after insert or delete or update of name, status, interview_department,
  interview_location, recruiter_profile_id on position
  for each row execute function app.report_input_changed();
create or replace trigger position_step_report_changed after insert or update or delete on position_step
  for each row execute function app.report_input_changed();
create or replace trigger enrolment_report_input_changed after insert or delete or update of position_id, interview_id, profile_id
  on enrolment for each row execute function app.report_input_changed();
create or replace trigger interview_result_report_input_changed after update of enrolment_id, interview_id on interview_result
  for each row execute function app.report_input_changed();
create or replace trigger profile_report_changed after delete or update of name, email, role, merchant_id on profile
  for each row execute function app.report_input_changed();
create or replace trigger merchant_access_report_changed after insert or delete or update of name on merchant_access
  for each row execute function app.report_input_changed();
create or replace trigger invitation_report_changed after insert or update or delete on invitation
  for each row execute function app.report_input_changed();
create or replace trigger mail_report_changed after update of state on mail
  for each row execute function app.report_input_changed();
create or replace trigger mail_report_added after insert on mail
  for each row execute function app.report_input_changed();
create or replace trigger message_report_changed after insert or delete or update of state on message
  for each row execute function app.report_input_changed();
create or replace trigger credit_entry_report_changed after insert or update or delete on credit_entry
  for each row execute function app.report_input_changed();
create or replace trigger unpaid_attempt_report_changed after insert or delete on unpaid_attempt
  for each row execute function app.report_input_changed();
create or replace trigger enrolment_step_report_changed after insert or update or delete on enrolment_step
  for each row execute function app.report_input_changed();
create or replace trigger enrolment_stage_report_changed after insert or update or delete on enrolment_stage
  for each row execute function app.report_input_changed();
create or replace trigger report_attempt_report_changed after insert or update or delete on report_attempt
  for each row execute function app.report_attempt_changed();
