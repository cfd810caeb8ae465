-- Records changes of results and of what belongs to them.

set local role app_definer;

create or replace function app.sync_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was_decided constant boolean := tg_op <> 'INSERT'
    and (old.recruiter_go_next_round is not null or old.recruiter_shortlist or old.user_feedback_recruiter is not null);
begin
  if tg_op = 'DELETE' then
    perform app.record_changes('result', old.merchant_id, old.environment, array[old.id::text], 'erased');
    perform app.record_changes('credit_entry', old.merchant_id, null, array(
      select c.id::text from public.credit_entry c where c.merchant_id = old.merchant_id and c.result_id = old.id
    ));
    return null;
  end if;
  perform app.record_result(new.merchant_id, new.environment, new.id);
  if tg_op = 'INSERT' and new.enrolment_id is not null and not new.is_test then
    perform app.record_changes('candidate', new.merchant_id, new.environment, array[new.enrolment_id::text]);
  end if;
  if new.recruiter_go_next_round is not null or new.recruiter_shortlist or new.user_feedback_recruiter is not null then
    if not was_decided or (old.attempt, old.recruiter_go_next_round, old.recruiter_shortlist, old.user_feedback_recruiter)
      is distinct from (new.attempt, new.recruiter_go_next_round, new.recruiter_shortlist, new.user_feedback_recruiter)
    then
      perform app.record_changes('decision', new.merchant_id, new.environment, array[new.id::text]);
    end if;
  elsif was_decided then
    perform app.record_changes('decision', new.merchant_id, new.environment, array[new.id::text],
      case when new.erased_at is not null and old.erased_at is null then 'erased' else 'deleted' end);
  end if;
  return null;
end
$$;

-- For the tables whose rows belong to a result.
create or replace function app.sync_part_of_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform app.record_result(old.merchant_id, old.environment, old.result_id);
  else
    perform app.record_result(new.merchant_id, new.environment, new.result_id);
  end if;
  return null;
end
$$;

-- For the credits that an attempt costs. Their tables have no environment.
create or replace function app.sync_price_of_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  paid record;
begin
  if tg_op = 'DELETE' then
    paid := old;
  else
    paid := new;
  end if;
  perform app.record_result(r.merchant_id, r.environment, r.id) from public.interview_result r
    where r.merchant_id = paid.merchant_id and r.id = paid.result_id;
  return null;
end
$$;

create or replace function app.sync_credit_entry() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('credit_entry', new.merchant_id, null, array[new.id::text]);
  return null;
end
$$;

reset role;

create or replace trigger interview_result_sync after insert or update or delete on interview_result
  for each row execute function app.sync_result();
create or replace trigger interview_result_attempt_sync after insert or update or delete on interview_result_attempt
  for each row execute function app.sync_part_of_result();
create or replace trigger result_question_sync after insert or update or delete on result_question
  for each row execute function app.sync_part_of_result();
create or replace trigger attempt_plan_sync after insert or delete or update of scoring, stopped_because on attempt_plan
  for each row execute function app.sync_part_of_result();
create or replace trigger score_record_sync after insert or update or delete on score_record
  for each row execute function app.sync_part_of_result();
create or replace trigger resume_sync after insert or update or delete on resume
  for each row execute function app.sync_part_of_result();
create or replace trigger unpaid_attempt_sync after insert or delete on unpaid_attempt
  for each row execute function app.sync_price_of_result();
create or replace trigger credit_entry_sync_result after insert on credit_entry
  for each row when (new.result_id is not null) execute function app.sync_price_of_result();
create or replace trigger credit_entry_sync after insert on credit_entry
  for each row execute function app.sync_credit_entry();
