-- Limits the triggers of 0025 to lists of columns, and makes `report_result` compare the values instead of a long
-- `when`. Postgres parses a `when` for every update, whatever its columns, which took longer than writing the row.

drop trigger interview_result_decided on interview_result;
create trigger interview_result_decided before update of recruiter_go_next_round on interview_result
  for each row when (old.recruiter_go_next_round is distinct from new.recruiter_go_next_round)
  execute function app.set_decided_at();

set local role app_definer;
create or replace function app.report_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  max_score numeric;
begin
  if tg_op = 'DELETE' then
    delete from public.report_attempt a where a.merchant_id = old.merchant_id and a.result_id = old.id;
  elsif tg_op = 'INSERT' or new.attempt <> old.attempt then
    -- The new attempt gets its own row. The row of the previous attempt stays as it is.
    perform app.insert_report_attempt(new);
  elsif (old.is_test, old.created_at, old.started_at, old.ended_at, old.submitted_at, old.decided_at, old.status,
      old.interview_status, old.processing_status, old.recruiter_go_next_round, old.recruiter_shortlist,
      old.charge is not distinct from 'unpaid', old.recruiter_risks, old.score, old.ai_analysis_recruiter_score,
      old.score_pronunciation, old.score_words_per_minute, old.ai_interview_coverage_percentage, old.duration)
    is distinct from (new.is_test, new.created_at, new.started_at, new.ended_at, new.submitted_at, new.decided_at,
      new.status, new.interview_status, new.processing_status, new.recruiter_go_next_round, new.recruiter_shortlist,
      new.charge is not distinct from 'unpaid', new.recruiter_risks, new.score, new.ai_analysis_recruiter_score,
      new.score_pronunciation, new.score_words_per_minute, new.ai_interview_coverage_percentage, new.duration) then
    if new.score is distinct from old.score then
      select app.max_score(i.result_scoring) into max_score from public.interview i
        where i.merchant_id = new.merchant_id and i.id = new.interview_id;
    end if;
    update public.report_attempt a set
      is_test = new.is_test, instant = coalesce(new.ended_at, new.started_at, new.created_at),
      started_at = new.started_at, ended_at = new.ended_at, submitted_at = new.submitted_at,
      decided_at = new.decided_at, status = new.status, interview_status = new.interview_status,
      processing_status = new.processing_status, decision = new.recruiter_go_next_round,
      is_shortlisted = new.recruiter_shortlist, is_unpaid = new.charge is not distinct from 'unpaid',
      has_risk_flags = app.has_risk_flags(new.recruiter_risks),
      score = case when new.score is distinct from old.score then new.score * 10 / max_score else a.score end,
      recruiter_score = new.ai_analysis_recruiter_score, pronunciation = new.score_pronunciation,
      words_per_minute = new.score_words_per_minute, coverage = new.ai_interview_coverage_percentage / 100,
      duration = new.duration / 10.0
      where a.merchant_id = new.merchant_id and a.result_id = new.id and a.attempt = new.attempt;
  end if;
  return null;
end
$$;
-- app_owner needs this grant to create the trigger, because it owns the table.
grant execute on function app.report_result() to app_owner;
set local role app_owner;
drop trigger interview_result_report_changed on interview_result;
create trigger interview_result_report_changed after update of attempt, is_test, created_at, started_at, ended_at,
  submitted_at, decided_at, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist, charge,
  recruiter_risks, score, ai_analysis_recruiter_score, score_pronunciation, score_words_per_minute,
  ai_interview_coverage_percentage, duration on interview_result
  for each row execute function app.report_result();
set local role app_definer;
revoke execute on function app.report_result() from app_owner;
set local role app_owner;
