-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('interview_result');
create policy interview_result_caller_select on interview_result for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- All callers can read results. All except hiring managers can update the columns that recruiters set.
create policy interview_result_caller_update on interview_result for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy interview_result_restricted_select on interview_result as restrictive for select to app_restricted
  using (
    enrolment_id in (select e.id from enrolment e)
    or enrolment_id is null and interview_id = any ((select app.position_ids())::uuid[])
  );
create policy interview_result_embed_select on interview_result for select to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and interview_id = (select app.embed_interview_id())
);
create policy interview_result_worker_select on interview_result for select to app_worker using (true);
-- Rights of the worker, which records scores and PDFs and closes abandoned attempts.
create policy interview_result_worker_update on interview_result for update to app_worker using (true);
create policy interview_result_report_select on interview_result for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_result_definer_select on interview_result for select to app_definer using (true);
create policy interview_result_definer_update on interview_result for update to app_definer using (true);
-- The definer functions of attempts read and write results and their parts.
create policy interview_result_definer_insert on interview_result for insert to app_definer with check (true);
create policy interview_result_definer_delete on interview_result for delete to app_definer using (is_visit);
grant select, update (recruiter_go_next_round, user_feedback_recruiter, recruiter_risks, recruiter_shortlist)
  on interview_result to app_user, app_service;
grant select (id, merchant_id, environment, interview_id, enrolment_id, is_test, interview_status) on interview_result
  to app_embed;
grant select, update (processing_status, score, score_simulation, score_text, score_sentiment, score_words_per_minute,
  score_pronunciation, score_answer, ai_analysis, ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other,
  recruiter_risks, pdf_export_url, pdf_failed_at, pdf_made_at) on interview_result to app_worker;
grant select (id, merchant_id, environment, interview_id, enrolment_id, attempt, is_test, status, created_at)
  on interview_result to app_report;
grant select, insert, update (attempt, status, interview_status, processing_status, recruiter_go_next_round, duration,
  charge, started_at, ended_at, submitted_at, score, score_simulation, score_text, score_sentiment,
  score_words_per_minute, score_pronunciation, score_answer, ai_interview_coverage_percentage, ai_completion_reason,
  ai_analysis, ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other, user_feedback_recruiter,
  recruiter_risks, recording_local_path, recording_is_video, video_introduction_local_path, pdf_export_url,
  pdf_failed_at, is_successful, consent_version, consent_language, consented_at, deadline_at, last_active_at,
  link_generation, extra_attempts, allowed_unsubmitted, erased_at, erased_attempt, scoring_run), delete on interview_result to app_definer;

call pg_temp.reset_access('interview_result_attempt');
-- An attempt that has begun after a submit is hidden until it ends. Until then, the submitted one is all that counts.
create policy interview_result_attempt_caller_select on interview_result_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and not is_open);
create policy interview_result_attempt_restricted_select on interview_result_attempt as restrictive for select to app_restricted
  using (exists (
    select from interview_result r
    where r.merchant_id = interview_result_attempt.merchant_id and r.id = interview_result_attempt.result_id
  ));
-- The worker stops the reminders of an attempt when its result is reopened, so it reads the times of reopening here.
create policy interview_result_attempt_worker_select on interview_result_attempt for select to app_worker using (true);
create policy interview_result_attempt_definer_insert on interview_result_attempt for insert to app_definer with check (true);
create policy interview_result_attempt_definer_select on interview_result_attempt for select to app_definer using (true);
create policy interview_result_attempt_definer_update on interview_result_attempt for update to app_definer using (true);
create policy interview_result_attempt_definer_delete on interview_result_attempt for delete to app_definer using (true);
grant select on interview_result_attempt to app_user, app_service;
grant select (merchant_id, environment, result_id, attempt, fields, reopened_at, is_open) on interview_result_attempt
  to app_worker;
grant select, insert, update (fields, is_open, reopened_at, is_cut_off), delete on interview_result_attempt to app_definer;

call pg_temp.reset_access('result_question');
create policy result_question_caller_select on result_question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy result_question_restricted_select on result_question as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = result_question.merchant_id and r.id = result_question.result_id
  ));
create policy result_question_worker_select on result_question for select to app_worker using (true);
create policy result_question_worker_update on result_question for update to app_worker using (true);
create policy result_question_definer_select on result_question for select to app_definer using (true);
create policy result_question_definer_insert on result_question for insert to app_definer with check (true);
create policy result_question_definer_update on result_question for update to app_definer using (true);
create policy result_question_definer_delete on result_question for delete to app_definer using (true);
grant select on result_question to app_user, app_service;
grant select, update (ai_analysis, ai_analysis_recruiter, score, score_simulation, score_answer_ai,
  score_answer_ai_simulation, answer_assessment_raw_data) on result_question to app_worker;
grant select, insert, update (answer, score, duration, recording_local_path, recording_is_video, answered_at,
  answer_kind, answer_original, is_typed, mode, recorded, recording_id, transcript_status, transcript_confidence,
  transcript_tokens),
  delete on result_question to app_definer;
