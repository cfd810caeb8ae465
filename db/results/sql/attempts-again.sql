-- Further attempts of a candidate (docs/results.md#decisions).

-- Returns `begun` if a candidate may begin another attempt after this one. A submitted attempt can be followed by
-- another one only in tests and in practice (coaching, persona). In practice the candidate first waits for the scoring,
-- for at most 15 minutes.
create or replace function app.next_attempt(r public.interview_result) returns text language sql stable
as $$
  select case
    when r.status = 'active' and not r.is_test and not is_practice then 'submitted'
    when r.status = 'active' and not r.is_test and r.processing_status in ('queued', 'processing')
      and r.submitted_at > now() - interval '15 minutes' then 'submitted'
    when r.is_test or r.attempt < coalesce(
      (i.result_scoring ->> 'max_retries')::integer, case when is_practice then r.attempt + 1 else 1 end
    ) + r.extra_attempts then 'begun'
    when r.status = 'active' then 'submitted' else 'none_left' end
  from public.interview i cross join lateral (select i.type in ('coaching', 'persona') as is_practice) kind
  where i.merchant_id = r.merchant_id and i.id = r.interview_id
$$;
grant execute on function app.next_attempt(interview_result) to app_definer;

-- Moves the current attempt to the history and prepares the next one. Keeps the shortlist.
create or replace function app.archive_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  insert into public.interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
    values (r.merchant_id, r.environment, r.id, r.attempt, to_jsonb(r));
  -- An unpaid attempt must stay in the count `without_credits` after it was reopened. This row offsets the -1 that the
  -- counting trigger adds when the update below clears `charge`.
  if r.charge = 'unpaid' and not r.is_test then
    insert into public.account_count (merchant_id, environment, metric, scope_id, value) values (
      r.merchant_id, r.environment, 'without_credits', coalesce((
        select e.scope_id from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      ), r.interview_id), 1
    );
  end if;
  update public.interview_result u set
    attempt = u.attempt + 1, status = 'draft', interview_status = null, processing_status = null,
    recruiter_go_next_round = null, charge = null, duration = null, started_at = null, ended_at = null,
    submitted_at = null, score = null, score_simulation = null, score_text = null, score_sentiment = null,
    score_words_per_minute = null, score_pronunciation = null, score_answer = null,
    ai_interview_coverage_percentage = null, ai_completion_reason = null, ai_analysis = null,
    ai_analysis_recruiter = null, ai_analysis_recruiter_score = null, ai_analysis_other = null,
    user_feedback_recruiter = null, recruiter_risks = null, recording_local_path = null, recording_is_video = null,
    video_introduction_local_path = null, pdf_export_url = null, pdf_failed_at = null, is_successful = false,
    consent_version = null, consent_language = null, consented_at = null, deadline_at = null, last_active_at = null,
    link_generation = null
    where u.id = r.id;
end
$$;
grant execute on function app.archive_attempt(interview_result) to app_definer;

set local role app_definer;

-- Reopens a completed result for its next attempt. Copies the attempt to the history and clears the attempt's fields in
-- the result, except the shortlist. The candidate may then begin one attempt more than the interview allows. Returns
-- false if the result is unknown, not active or not completed.
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
  perform app.archive_attempt(result);
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
  update public.interview_result u set extra_attempts = u.attempt + 1 - coalesce((
      select (i.result_scoring ->> 'max_retries')::integer from public.interview i
      where i.merchant_id = u.merchant_id and i.id = u.interview_id
    ), 1)
    where u.id = r.id;
  return true;
end
$$;
grant execute on function app.grant_attempt(uuid) to app_user;

reset role;
