-- How long a merchant keeps what candidates said (docs/operations.md#retention).

alter table merchant
  add column recording_retention_days integer not null default 180 check (recording_retention_days between 1 and 3650),
  add column draft_retention_days integer not null default 90 check (draft_retention_days between 1 and 3650),
  add column result_retention_days integer not null default 730 check (result_retention_days between 1 and 3650);
grant select (recording_retention_days, draft_retention_days, result_retention_days) on merchant
  to app_user, app_service, app_worker, app_definer;
grant update (recording_retention_days, draft_retention_days, result_retention_days) on merchant to app_user;

-- When the content of a result was erased. An attempt that begins afterwards has content again.
alter table interview_result add column erased_at timestamptz;
create function app.clear_erased_at() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.erased_at := null;
  return new;
end
$$;
create trigger interview_result_begun before update of started_at on interview_result
  for each row when (old.erased_at is not null and new.started_at is distinct from old.started_at
    and new.started_at is not null)
  execute function app.clear_erased_at();

-- The worker finds what it has to erase with these indexes.
create index recording__merchant_id_created_at on recording (merchant_id, created_at);
create index result_question__merchant_id_created_at on result_question (merchant_id, created_at)
  where recording_local_path is not null;
create index interview_result__merchant_id_status_created_at on interview_result (merchant_id, status, created_at)
  where erased_at is null;
create index interview_result__merchant_id_created_at on interview_result (merchant_id, created_at)
  where recording_local_path is not null or video_introduction_local_path is not null;
create index interview_result_attempt__merchant_id_reopened_at_result_id
  on interview_result_attempt (merchant_id, reopened_at, result_id);
create index interview_result_attempt__merchant_id_reopened_at on interview_result_attempt (merchant_id, reopened_at)
  where fields ->> 'recording_local_path' is not null or fields ->> 'video_introduction_local_path' is not null;

grant select (merchant_id, environment, result_id, attempt, reopened_at, fields) on interview_result_attempt to app_worker;

-- Erasing a result queues no webhook events.
set local role app_definer;
grant execute on function app.announce_result() to app_owner;
set local role app_owner;
drop trigger interview_result_announce_changed on interview_result;
create trigger interview_result_announce_changed after update on interview_result
  for each row when (
    old.erased_at is not distinct from new.erased_at
    and (old.status, old.processing_status, old.interview_status, old.score, old.ai_analysis_recruiter_score,
      old.ai_analysis_recruiter, old.ai_analysis_recruiter_why_hire, old.ai_analysis_recruiter_why_not_hire,
      old.recruiter_go_next_round, old.pdf_export_url)
    is distinct from (new.status, new.processing_status, new.interview_status, new.score, new.ai_analysis_recruiter_score,
      new.ai_analysis_recruiter, new.ai_analysis_recruiter_why_hire, new.ai_analysis_recruiter_why_not_hire,
      new.recruiter_go_next_round, new.pdf_export_url)
  ) execute function app.announce_result();
set local role app_definer;
revoke execute on function app.announce_result() from app_owner;
set local role app_owner;

create policy result_question_definer_delete on result_question for delete to app_definer using (true);
create policy attempt_step_definer_delete on attempt_step for delete to app_definer using (true);
create policy recording_definer_delete on recording for delete to app_definer using (true);
create policy interview_result_attempt_definer_delete on interview_result_attempt for delete to app_definer using (true);
grant delete on result_question, attempt_step, recording, interview_result_attempt to app_definer;
grant update (erased_at, score_text, pdf_failed_at) on interview_result to app_definer;

-- For the worker, after it has deleted a file: removes the file's path from the result and its history, and deletes the
-- row of the recording.
create function app.forget_recording(p_merchant_id uuid, p_result_id uuid, p_attempt integer, p_path text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
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
end
$$;

-- For the worker: erases the answers, scores and analyses of an attempt. The row of the result stays, with its states,
-- times and decision, so that counts and credits stay right. Returns false while the attempt is running.
create function app.erase_attempt(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  if not found or r.attempt = p_attempt and r.interview_status is not distinct from 'started' then
    return false;
  end if;
  delete from public.recording c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = p_attempt;
  delete from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = p_attempt;
  delete from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  if p_attempt < r.attempt then
    delete from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    update public.report_attempt a set score = null, recruiter_score = null, pronunciation = null,
      words_per_minute = null, coverage = null, has_risk_flags = false
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    return true;
  end if;
  update public.interview_result u set
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
grant execute on function app.forget_recording(uuid, uuid, integer, text), app.erase_attempt(uuid, integer) to app_worker;
alter function app.forget_recording(uuid, uuid, integer, text) owner to app_definer;
alter function app.erase_attempt(uuid, integer) owner to app_definer;
