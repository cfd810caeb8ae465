-- Erases what candidates said after the retention (docs/operations.md#retention).

set local role app_definer;

-- For the worker, after it has deleted a file: removes the file's path from the result and its history, and deletes the
-- row of the recording.
create or replace function app.forget_recording(p_merchant_id uuid, p_result_id uuid, p_attempt integer, p_path text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.interview_result r where r.merchant_id = p_merchant_id and r.id = p_result_id for update;
  update public.result_question q set recording_local_path = null, recording_is_video = null
    where q.merchant_id = p_merchant_id and q.result_id = p_result_id and q.attempt = p_attempt
      and q.recording_local_path = p_path;
  update public.interview_result r set
    recording_is_video = case when r.recording_local_path = p_path then null else r.recording_is_video end,
    recording_local_path = nullif(r.recording_local_path, p_path),
    video_introduction_local_path = nullif(r.video_introduction_local_path, p_path)
    where r.merchant_id = p_merchant_id and r.id = p_result_id and r.attempt = p_attempt
      and p_path in (r.recording_local_path, r.video_introduction_local_path);
  update public.interview_result_attempt a set fields = a.fields
    || case when a.fields ->> 'recording_local_path' = p_path
      then '{"recording_local_path": null, "recording_is_video": null}'::jsonb else '{}' end
    || case when a.fields ->> 'video_introduction_local_path' = p_path
      then '{"video_introduction_local_path": null}'::jsonb else '{}' end
    where a.merchant_id = p_merchant_id and a.result_id = p_result_id and a.attempt = p_attempt
      and p_path in (a.fields ->> 'recording_local_path', a.fields ->> 'video_introduction_local_path');
  delete from public.recording c
    where c.merchant_id = p_merchant_id and c.result_id = p_result_id and c.attempt = p_attempt and c.path = p_path;
  delete from public.resume c
    where c.merchant_id = p_merchant_id and c.result_id = p_result_id and c.attempt = p_attempt and c.path = p_path;
  -- A PDF of the result may list the résumé, so it gets another revision.
  if found then
    update public.interview_result r set erased_attempt = r.erased_attempt
      where r.merchant_id = p_merchant_id and r.id = p_result_id;
  end if;
end
$$;
grant execute on function app.forget_recording(uuid, uuid, integer, text) to app_worker;

-- For the worker: erases the answers, scores and analyses of an attempt. The row of the result stays, with its states,
-- times and decision, so that counts and credits stay right. Returns false while the attempt is running.
create or replace function app.erase_attempt(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  is_running boolean;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  if not found then
    return false;
  end if;
  select c.attempt = p_attempt and c.interview_status is not distinct from 'started' into is_running from app.current_attempt(r) c;
  if is_running then
    return false;
  end if;
  delete from public.score_sample s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  delete from public.score_record s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  delete from public.score_decision d
    where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = p_attempt;
  delete from public.attempt_plan p
    where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = p_attempt;
  delete from public.recording c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = p_attempt;
  delete from public.resume c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = p_attempt;
  delete from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = p_attempt;
  delete from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  if p_attempt <> r.attempt then
    delete from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    update public.interview_result u set erased_attempt = greatest(u.erased_attempt, p_attempt) where u.id = r.id;
    update public.report_attempt a set score = null, recruiter_score = null, pronunciation = null,
      words_per_minute = null, coverage = null, has_risk_flags = false
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    return true;
  end if;
  -- A scoring run that is in progress does not change the result any more. It ends when it finds the result erased.
  update public.interview_result u set
    processing_status = case when u.processing_status in ('queued', 'processing') then 'failed'
      else u.processing_status end,
    erased_at = now(), score = null, score_simulation = null, score_text = null, score_sentiment = null,
    score_words_per_minute = null, score_pronunciation = null, score_answer = null,
    ai_interview_coverage_percentage = null, ai_completion_reason = null, ai_analysis = null,
    ai_analysis_recruiter = null, ai_analysis_recruiter_score = null, ai_analysis_other = null,
    user_feedback_recruiter = null, recruiter_risks = null, recording_local_path = null, recording_is_video = null,
    video_introduction_local_path = null, pdf_export_url = null, pdf_failed_at = null
    where u.id = r.id;
  return true;
end
$$;
grant execute on function app.erase_attempt(uuid, integer) to app_worker;

-- For the worker: deletes the messages that a candidate has sent about an attempt.
create or replace function app.erase_messages(p_result_id uuid, p_attempt integer) returns void
language sql security definer set search_path = ''
as $$
  delete from public.candidate_message m
    where m.result_id = p_result_id and m.attempt = p_attempt
      and m.merchant_id = (select r.merchant_id from public.interview_result r where r.id = p_result_id)
$$;
grant execute on function app.erase_messages(uuid, integer) to app_worker;

-- For the worker: deletes requests for more time that have passed their merchant's retention time of drafts.
create or replace function app.erase_time_requests() returns void
language sql security definer set search_path = ''
as $$
  delete from public.candidate_message m using public.merchant a
    where m.merchant_id = a.id and m.kind = 'more_time'
      and m.created_at < now() - make_interval(days => a.draft_retention_days)
$$;
grant execute on function app.erase_time_requests() to app_worker;

reset role;
