-- The rows that reports count (docs/reports.md#datasets): one narrow row per attempt, written in the transaction that
-- changes the result.

-- Returns whether the recruiter's risks of a result are a list that is not empty.
create or replace function app.has_risk_flags(p_recruiter_risks jsonb) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(jsonb_typeof(p_recruiter_risks) = 'array' and p_recruiter_risks <> '[]', false)
$$;
grant execute on function app.has_risk_flags(jsonb) to app_definer;

-- Adds the row of an attempt, unless it exists or is a visit. It runs with the rights of its caller, because only functions of
-- app_definer call it.
create or replace function app.insert_report_attempt(r public.interview_result) returns void
language plpgsql
as $$
begin
  insert into public.report_attempt (merchant_id, environment, result_id, attempt, interview_id, position_id, profile_id,
    source, language, is_test, instant, started_at, ended_at, submitted_at, decided_at, status, interview_status,
    processing_status, decision, is_shortlisted, has_risk_flags, score, recruiter_score, pronunciation,
    words_per_minute, coverage, duration)
  select r.merchant_id, r.environment, r.id, r.attempt, r.interview_id, e.position_id, e.profile_id,
    e.source, i.platform_language_code, r.is_test, coalesce(r.ended_at, r.started_at, r.created_at), r.started_at,
    r.ended_at, r.submitted_at, r.decided_at, r.status, r.interview_status,
    r.processing_status, r.recruiter_go_next_round, r.recruiter_shortlist,
    app.has_risk_flags(r.recruiter_risks), r.score * 10 / app.max_score(i.result_scoring), r.ai_analysis_recruiter_score,
    r.score_pronunciation, r.score_words_per_minute, r.ai_interview_coverage_percentage / 100, r.duration / 10.0
  from public.interview i
  left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
  where i.merchant_id = r.merchant_id and i.id = r.interview_id and not r.is_visit
  on conflict (merchant_id, result_id, attempt) do nothing;
end
$$;
grant execute on function app.insert_report_attempt(interview_result) to app_definer;

set local role app_definer;

-- Writes the row of the current attempt. It compares the values itself, because Postgres parses a long `when` for every
-- update, whatever its columns, which took longer than writing the row. The score is scaled with the maximum score of
-- the attempt (`app.max_score_of`).
create or replace function app.report_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.report_attempt a where a.merchant_id = old.merchant_id and a.result_id = old.id;
  elsif tg_op = 'INSERT' or new.attempt <> old.attempt then
    -- The new attempt gets its own row. The row of the previous attempt stays as it is.
    perform app.insert_report_attempt(new);
  elsif (old.is_test, old.created_at, old.started_at, old.ended_at, old.submitted_at, old.decided_at, old.status,
      old.interview_status, old.processing_status, old.recruiter_go_next_round, old.recruiter_shortlist,
      old.recruiter_risks, old.score, old.ai_analysis_recruiter_score,
      old.score_pronunciation, old.score_words_per_minute, old.ai_interview_coverage_percentage, old.duration)
    is distinct from (new.is_test, new.created_at, new.started_at, new.ended_at, new.submitted_at, new.decided_at,
      new.status, new.interview_status, new.processing_status, new.recruiter_go_next_round, new.recruiter_shortlist,
      new.recruiter_risks, new.score, new.ai_analysis_recruiter_score,
      new.score_pronunciation, new.score_words_per_minute, new.ai_interview_coverage_percentage, new.duration) then
    update public.report_attempt a set
      is_test = new.is_test, instant = coalesce(new.ended_at, new.started_at, new.created_at),
      started_at = new.started_at, ended_at = new.ended_at, submitted_at = new.submitted_at,
      decided_at = new.decided_at, status = new.status, interview_status = new.interview_status,
      processing_status = new.processing_status, decision = new.recruiter_go_next_round,
      is_shortlisted = new.recruiter_shortlist,
      has_risk_flags = app.has_risk_flags(new.recruiter_risks),
      score = case when new.score is distinct from old.score then new.score * 10
        / app.max_score_of(new.merchant_id, new.id, new.attempt) else a.score end,
      recruiter_score = new.ai_analysis_recruiter_score, pronunciation = new.score_pronunciation,
      words_per_minute = new.score_words_per_minute, coverage = new.ai_interview_coverage_percentage / 100,
      duration = new.duration / 10.0
      where a.merchant_id = new.merchant_id and a.result_id = new.id and a.attempt = new.attempt;
  end if;
  return null;
end
$$;

-- Adds rows for attempts in the history that have never been the result, and removes the rows of deleted attempts. An
-- attempt that is still open has no row.
create or replace function app.report_finished_attempt() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'DELETE' then
    perform app.insert_report_attempt(jsonb_populate_record(null::public.interview_result, new.fields));
  else
    delete from public.report_attempt a
      where a.merchant_id = old.merchant_id and a.result_id = old.result_id and a.attempt = old.attempt
        and not exists (
          select from public.interview_result r
          where r.merchant_id = a.merchant_id and r.id = a.result_id and r.attempt = a.attempt
        );
  end if;
  return null;
end
$$;

-- Updates the rows of an enrolment that changes. For example, a new email address can assign it to another person.
create or replace function app.report_enrolment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.report_attempt a set position_id = new.position_id, profile_id = new.profile_id, source = new.source
    from public.interview_result r
    where r.merchant_id = new.merchant_id and r.enrolment_id = new.id
      and a.merchant_id = r.merchant_id and a.result_id = r.id;
  return null;
end
$$;

-- Records the verified quotes when a run of the scoring ends, and forgets them when the attempt is erased.
create or replace function app.report_evidence() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  s public.score_record := case when tg_op = 'DELETE' then old else new end;
begin
  update public.report_attempt a set evidence_verified = case when tg_op <> 'DELETE' then s.verified_share end
    where a.merchant_id = s.merchant_id and a.result_id = s.result_id and a.attempt = s.attempt;
  return null;
end
$$;

reset role;

-- Returns the number of entries of a list in the takeaways of a result. Null if the result has no takeaways. `fixed` is
-- missing if it would be empty.
create or replace function app.count_takeaways(p_analyses jsonb, p_list text) returns integer
language sql immutable parallel safe
as $$
  select case
    when jsonb_typeof(p_analyses -> 'takeaways' -> p_list) = 'array' then jsonb_array_length(p_analyses -> 'takeaways' -> p_list)
    when jsonb_typeof(p_analyses -> 'takeaways') = 'object' then 0 end
$$;
grant execute on function app.count_takeaways(jsonb, text) to app_definer;

set local role app_definer;

-- Records the steps in the row of the attempt. The name of its triggers puts them after those that insert this row.
create or replace function app.report_takeaways() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  if tg_table_name = 'interview_result' then
    r := new;
  else
    r := pg_catalog.jsonb_populate_record(null::public.interview_result, new.fields);
  end if;
  update public.report_attempt a set
    steps_given = app.count_takeaways(r.ai_analysis_other, 'next_steps'),
    steps_fixed = app.count_takeaways(r.ai_analysis_other, 'fixed')
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = r.attempt
      and (a.steps_given, a.steps_fixed) is distinct from (app.count_takeaways(r.ai_analysis_other, 'next_steps'),
        app.count_takeaways(r.ai_analysis_other, 'fixed'));
  return null;
end
$$;

reset role;

create or replace trigger interview_result_report_added after insert on interview_result
  for each row execute function app.report_result();
create or replace trigger interview_result_report_removed after delete on interview_result
  for each row execute function app.report_result();
create or replace trigger interview_result_report_changed after update of attempt, is_test, created_at, started_at, ended_at,
  submitted_at, decided_at, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
  recruiter_risks, score, ai_analysis_recruiter_score, score_pronunciation, score_words_per_minute,
  ai_interview_coverage_percentage, duration on interview_result
  for each row execute function app.report_result();
create or replace trigger interview_result_attempt_report_added after insert on interview_result_attempt
  for each row when (new.fields ->> 'created_at' is not null and not new.is_open) execute function app.report_finished_attempt();
create or replace trigger interview_result_attempt_report_ended after update of is_open on interview_result_attempt
  for each row when (old.is_open and not new.is_open) execute function app.report_finished_attempt();
create or replace trigger interview_result_attempt_report_removed after delete on interview_result_attempt
  for each row execute function app.report_finished_attempt();
create or replace trigger enrolment_report_changed after update on enrolment
  for each row when (
    (old.position_id, old.profile_id, old.source) is distinct from (new.position_id, new.profile_id, new.source)
  ) execute function app.report_enrolment();
create or replace trigger score_record_report_scored after insert or update of state, verified_share on score_record
  for each row when (new.state = 'scored') execute function app.report_evidence();
create or replace trigger score_record_report_removed after delete on score_record
  for each row when (old.state = 'scored') execute function app.report_evidence();
create or replace trigger interview_result_report_takeaways_added after insert on interview_result
  for each row when (new.ai_analysis_other is not null) execute function app.report_takeaways();
create or replace trigger interview_result_report_takeaways_changed after update of ai_analysis_other on interview_result
  for each row execute function app.report_takeaways();
create or replace trigger interview_result_attempt_report_takeaways_added after insert on interview_result_attempt
  for each row when (new.fields ->> 'ai_analysis_other' is not null) execute function app.report_takeaways();
