-- Further attempts of a candidate (docs/taking.md#attempts).

-- Returns the attempt that the candidate of a result is taking: the one that was begun after a submit and is kept beside the
-- result until it ends, or else the result itself. Both have the id of the result, and attempts of their own numbers. Whoever
-- changes either locks the result first.
create or replace function app.current_attempt(r public.interview_result) returns public.interview_result language sql stable
as $$
  select coalesce((
    select f from public.interview_result_attempt a, jsonb_populate_record(null::public.interview_result, a.fields) f
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.is_open
  ), r)
$$;
grant execute on function app.current_attempt(interview_result) to app_definer, app_worker;

-- Returns the attempts of a merchant that are running.
create or replace function app.started_attempts(p_merchant_id uuid) returns setof public.interview_result language sql stable
as $$
  select * from public.interview_result r where r.merchant_id = p_merchant_id and r.interview_status = 'started'
  union all
  select f.* from public.interview_result_attempt a, jsonb_populate_record(null::public.interview_result, a.fields) f
  where a.merchant_id = p_merchant_id and a.is_open and f.interview_status = 'started'
$$;
grant execute on function app.started_attempts(uuid) to app_definer;

-- Returns how many attempts have ended without a submit, or will have when the current one ends. Those that the platform
-- ended because they failed, or a recruiter ended, do not count.
create or replace function app.unsubmitted_attempts(r public.interview_result) returns integer language sql stable
as $$
  select (r.status = 'draft' and r.interview_status is distinct from 'failed')::integer + count(*)::integer
  from public.interview_result_attempt a
  where a.merchant_id = r.merchant_id and a.result_id = r.id and a.fields ->> 'status' = 'draft' and not a.is_open and not a.is_cut_off
    and a.fields ->> 'interview_status' is distinct from 'failed'
$$;
grant execute on function app.unsubmitted_attempts(interview_result) to app_definer;

-- Returns how many attempts may still be submitted after this one has ended, or null if there is no limit, as in tests and
-- in practice (coaching, persona). None is left after a decision about the candidate. Only a few attempts may end without a
-- submit (`allowed_unsubmitted`), so that nobody reads the questions again and again.
create or replace function app.attempts_left(r public.interview_result) returns integer language sql stable
as $$
  select case
    when r.is_test or app.is_practice(i.type) then null
    when r.recruiter_go_next_round is not null or app.unsubmitted_attempts(r) >= r.allowed_unsubmitted then 0
    else greatest(0, coalesce((i.result_scoring ->> 'max_retries')::integer, 1) + r.extra_attempts - (
      select count(*) from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.fields ->> 'status' = 'active'
    ) - (r.status = 'active')::integer) end
  from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
$$;
grant execute on function app.attempts_left(interview_result) to app_definer;

-- Returns `begun` if a candidate may begin another attempt after this one, which has ended. After a submit the candidate
-- first waits for the scores and their PDF, for at most 15 minutes, because they are written only while the attempt is the
-- current one.
create or replace function app.next_attempt(r public.interview_result) returns text language sql stable
as $$
  select case
    when app.attempts_left(r) = 0 then case when r.status = 'active' then 'submitted' else 'none_left' end
    when r.status = 'active' and not r.is_test and r.submitted_at > now() - interval '15 minutes'
      and (r.processing_status in ('queued', 'processing') or exists (
        select from public.webhook_hold h where h.merchant_id = r.merchant_id and h.result_id = r.id
      )) then 'submitted'
    else 'begun' end
$$;
grant execute on function app.next_attempt(interview_result) to app_definer;

-- Makes an attempt the current one: sets all columns that belong to an attempt. Columns that `p_fields` does not have
-- become null. The shortlist stays.
create or replace function app.set_attempt(p_result_id uuid, p_fields jsonb) returns void language plpgsql
as $$
begin
  update public.interview_result u set
    attempt = f.attempt, status = f.status, interview_status = f.interview_status, processing_status = f.processing_status,
    recruiter_go_next_round = f.recruiter_go_next_round, charge = f.charge, duration = f.duration,
    started_at = f.started_at, ended_at = f.ended_at, submitted_at = f.submitted_at, score = f.score,
    score_simulation = f.score_simulation, score_text = f.score_text, score_sentiment = f.score_sentiment,
    score_words_per_minute = f.score_words_per_minute, score_pronunciation = f.score_pronunciation,
    score_answer = f.score_answer, ai_interview_coverage_percentage = f.ai_interview_coverage_percentage,
    ai_completion_reason = f.ai_completion_reason, ai_analysis = f.ai_analysis,
    ai_analysis_recruiter = f.ai_analysis_recruiter, ai_analysis_recruiter_score = f.ai_analysis_recruiter_score,
    ai_analysis_other = f.ai_analysis_other, user_feedback_recruiter = f.user_feedback_recruiter,
    recruiter_risks = f.recruiter_risks, recording_local_path = f.recording_local_path,
    recording_is_video = f.recording_is_video, video_introduction_local_path = f.video_introduction_local_path,
    pdf_export_url = f.pdf_export_url, pdf_failed_at = f.pdf_failed_at, is_successful = f.is_successful,
    consent_version = f.consent_version, consent_language = f.consent_language, consented_at = f.consented_at,
    deadline_at = f.deadline_at, last_active_at = f.last_active_at, link_generation = f.link_generation
    from jsonb_populate_record(null::public.interview_result, p_fields) f
    where u.id = p_result_id;
end
$$;
grant execute on function app.set_attempt(uuid, jsonb) to app_definer;

-- Stores an attempt that app.current_attempt has returned and its caller has changed.
create or replace function app.save_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  update public.interview_result_attempt a set fields = to_jsonb(r)
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = r.attempt and a.is_open;
  if not found then
    perform app.set_attempt(r.id, to_jsonb(r));
  end if;
end
$$;
grant execute on function app.save_attempt(interview_result) to app_definer;

-- Returns a result as a new attempt, which has the next number and nothing of the last one.
create or replace function app.blank_attempt(r public.interview_result) returns public.interview_result language sql stable
as $$
  select f from jsonb_populate_record(null::public.interview_result, jsonb_build_object(
    'id', r.id, 'merchant_id', r.merchant_id, 'environment', r.environment, 'interview_id', r.interview_id,
    'enrolment_id', r.enrolment_id, 'is_test', r.is_test, 'is_visit', r.is_visit, 'created_at', r.created_at,
    'recruiter_shortlist', r.recruiter_shortlist, 'extra_attempts', r.extra_attempts,
    'allowed_unsubmitted', r.allowed_unsubmitted, 'status', 'draft', 'is_successful', false,
    'attempt', 1 + greatest(r.attempt, r.erased_attempt, (
      -- An attempt that ended without a submit can have a higher number than the result.
      select max(a.attempt) from public.interview_result_attempt a where a.merchant_id = r.merchant_id and a.result_id = r.id
    ))
  )) f
$$;
grant execute on function app.blank_attempt(interview_result) to app_definer;

-- Moves the attempt of a result to the history, and makes `p_next` the result.
create or replace function app.archive_attempt(r public.interview_result, p_next public.interview_result) returns void
language plpgsql
as $$
begin
  insert into public.interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
    values (r.merchant_id, r.environment, r.id, r.attempt, to_jsonb(r));
  perform app.set_attempt(r.id, to_jsonb(p_next));
end
$$;
grant execute on function app.archive_attempt(interview_result, interview_result) to app_definer;

-- Makes the attempt that was begun after a submit the result, before it is submitted. The events of webhooks are those of an
-- attempt that has just been collected.
create or replace function app.take_over(p_result_id uuid) returns void language plpgsql
as $$
declare
  r public.interview_result;
  next public.interview_result;
begin
  select * into r from public.interview_result u where u.id = p_result_id;
  next := app.current_attempt(r);
  if next.attempt = r.attempt then
    return;
  end if;
  delete from public.interview_result_attempt a
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.is_open;
  perform app.archive_attempt(r, app.blank_attempt(r));
  perform app.set_attempt(r.id, to_jsonb(next));
end
$$;
grant execute on function app.take_over(uuid) to app_definer;

-- Moves an attempt that was begun after a submit, and ends without one, to the history. The result stays as it is.
create or replace function app.leave_attempt(r public.interview_result) returns void language sql
as $$
  update public.interview_result_attempt a set is_open = false, reopened_at = now()
  where a.merchant_id = r.merchant_id and a.result_id = r.id and a.is_open
$$;
grant execute on function app.leave_attempt(interview_result) to app_definer;

-- Ends the attempt that a candidate has begun after a submit, because a recruiter has decided about the submitted one or
-- reopens it. It costs nothing, also if it was already charged.
create or replace function app.end_further_attempt(r public.interview_result, p_reason text) returns void language plpgsql
as $$
declare
  further public.interview_result := app.current_attempt(r);
begin
  if further.attempt = r.attempt then
    return;
  end if;
  if further.interview_status = 'started' then
    perform app.end_attempt(further, 'abandoned', p_reason, now());
  else
    perform app.refund_result(r.id, further.attempt);
    further.charge := case further.charge when 'charged' then 'refunded' else further.charge end;
    perform app.save_attempt(further);
    perform app.leave_attempt(r);
  end if;
  update public.interview_result_attempt a set is_cut_off = true
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = further.attempt;
end
$$;
grant execute on function app.end_further_attempt(interview_result, text) to app_definer;

set local role app_definer;

-- Reopens a completed result for its next attempt. Copies the attempt to the history and clears the attempt's fields in
-- the result, except the shortlist. Ends another attempt that has begun. The candidate may then submit one attempt more than
-- the interview allows. Returns false if the result is unknown, not active or not completed.
create or replace function app.reopen_result(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r
    where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
      and r.status = 'active' and r.processing_status = 'completed'
      and r.interview_status in ('completed', 'completed, stopped early')
    for update;
  if not found then
    return false;
  end if;
  perform app.end_further_attempt(result, 'stopped_early');
  perform app.archive_attempt(result, app.blank_attempt(result));
  update public.interview_result r set extra_attempts = r.extra_attempts + 1 where r.id = result.id;
  update public.enrolment e set link_generation = e.link_generation + 1
    where e.merchant_id = result.merchant_id and e.id = result.enrolment_id;
  return true;
end
$$;
grant execute on function app.reopen_result(uuid) to app_user, app_service;

-- Lets a candidate begin one more attempt with the same link, if the last attempt ended without a result (it failed,
-- was abandoned or was terminated) and no attempt is left. Otherwise returns false.
create or replace function app.grant_attempt(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.merchant_id = app.merchant_id() and u.environment = app.environment()
      and app.caller_role() <> 'merchant_selection' and u.status = 'draft' and u.enrolment_id is not null
      and u.interview_status in ('failed', 'abandoned', 'terminated, no speech detected')
    for update;
  if not found or app.next_attempt(r) <> 'none_left' then
    return false;
  end if;
  r.allowed_unsubmitted := greatest(r.allowed_unsubmitted, app.unsubmitted_attempts(r) + 1);
  update public.interview_result u set
    allowed_unsubmitted = r.allowed_unsubmitted,
    extra_attempts = u.extra_attempts + (app.attempts_left(r) = 0)::integer
    where u.id = r.id;
  return true;
end
$$;
grant execute on function app.grant_attempt(uuid) to app_user;

-- Ends the attempt that a candidate has begun after the submit, when a recruiter decides.
create or replace function app.end_decided_attempt() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.end_further_attempt(new, 'stopped_early');
  return null;
end
$$;

reset role;

create or replace trigger interview_result_decided_ends after update of recruiter_go_next_round on interview_result
  for each row when (old.recruiter_go_next_round is null and new.recruiter_go_next_round is not null)
  execute function app.end_decided_attempt();
