-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('interview_template');
-- Callers see the rows of their own merchant and environment. Queries must leave out deleted definitions. The select
-- policy cannot do this: Postgres also applies it to the new row of an update, so no row could be set to deleted.
create policy interview_template_caller_select on interview_template for select to app_user, app_service using (true);
-- The worker can access the rows of every merchant, but only the columns that its activities need.
create policy interview_template_worker_select on interview_template for select to app_worker using (true);
create policy interview_template_report_select on interview_template for select to app_report using (true);
create policy interview_template_definer_select on interview_template for select to app_definer using (true);
grant select on interview_template to app_user, app_service, app_worker, app_report;
grant select (id, type) on interview_template to app_definer;

call pg_temp.reset_access('knowledge_base');
create policy knowledge_base_caller_select on knowledge_base for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy knowledge_base_caller_insert on knowledge_base for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()));
create policy knowledge_base_caller_update on knowledge_base for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy knowledge_base_worker_select on knowledge_base for select to app_worker using (true);
grant select, insert, update (name, text, is_for_candidates, status, updated_at) on knowledge_base
  to app_user, app_service;
grant select on knowledge_base to app_worker;

call pg_temp.reset_access('position');
create policy position_caller_select on position for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_caller_insert on position for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_caller_update on position for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- A candidate, and everything about the candidate, belongs to the position of the enrolment, or to the interview if the
-- enrolment has no position. The other tables with such a policy follow the same rule.
create policy position_restricted_select on position as restrictive for select to app_restricted
  using (id = any ((select app.position_ids())::uuid[]));
create policy position_link_select on position for select to app_link
  using (merchant_id = (select app.merchant_id()) and id in (select e.position_id from enrolment e));
create policy position_worker_select on position for select to app_worker using (true);
create policy position_report_select on position for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_definer_select on position for select to app_definer using (true);
grant select, insert, update (name, status, visibility, code, interview_location, cover_image_url,
  platform_language_code, description, interview_description_long, interview_department, interview_salary,
  interview_available_till, candidate_notification_channel, recruiter_profile_id, hiring_for_company, slug,
  former_step_ids) on position to app_user, app_service;
grant select (id, name, status, platform_language_code, interview_available_till) on position to app_link;
grant select on position to app_worker, app_report;
grant select (id, merchant_id, environment, name, status, visibility, code, interview_location, cover_image_url, description,
  interview_description_long, interview_department, interview_salary, interview_available_till, hiring_for_company, slug,
  created_at, updated_at, former_step_ids) on position to app_definer;

call pg_temp.reset_access('interview');
-- No caller sees an interview that is still being built.
create policy interview_caller_select on interview for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy interview_caller_insert on interview for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_caller_update on interview for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy interview_restricted_select on interview as restrictive for select to app_restricted
  using (id = any ((select app.position_interview_ids())::uuid[]));
create policy interview_link_select on interview for select to app_link
  using (
    merchant_id = (select app.merchant_id()) and id in (select e.interview_id from enrolment e) and built_at is not null
  );
create policy interview_portal_select on interview for select to app_portal
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and status = 'active' and type in ('coaching', 'persona') and built_at is not null and (
      visibility in ('public', 'merchant_public', 'merchant_unlisted') or id = any ((select app.reached_sessions())::uuid[])
    )
  );
create policy interview_worker_select on interview for select to app_worker using (true);
create policy interview_worker_update on interview for update to app_worker using (built_at is null) with check (true);
create policy interview_worker_delete on interview for delete to app_worker using (built_at is null);
create policy interview_report_select on interview for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy interview_definer_select on interview for select to app_definer using (true);
create policy interview_definer_delete on interview for delete to app_definer using (built_at is null);
grant select, insert, update (name, status, visibility, code, interview_location, cover_image_url,
  interview_template_id, knowledge_base_store_id, recording, recording_full_session, result_view,
  candidate_video_introduction, description, interview_description_long, candidate_expectations, interview_department,
  interview_salary, interview_available_till, candidate_notification_channel, recruiter_profile_id, slug, tags, coach_plan,
  interview_conversation_speed, max_followups, max_duration, questions_random_subset, required_pronunciation,
  result_enable_edit_transcript, candidate_expectations_json, result_scoring, creation_parameters, pdf_export_auto_config,
  calc_definition_json, next_step_text, answer_within_days, persona) on interview to app_user, app_service;
grant select (id, name, status, platform_language_code, result_view, interview_available_till) on interview to app_link;
grant select (id, merchant_id, environment, name, status, visibility, type, cover_image_url, platform_language_code,
  description, interview_description_long, interview_available_till, tags, coach_plan, max_duration, built_at)
  on interview to app_portal;
grant select, update (description, interview_description_long, slug, candidate_expectations_json, creation_parameters,
  calc_definition_json, questions_generated, build_input, draft, built_at, persona), delete on interview to app_worker;
grant select on interview to app_report;
grant select (id, merchant_id, environment, name, status, visibility, type, code, interview_location, cover_image_url,
  interview_template_id, platform_language_code, recording, recording_full_session, result_view,
  candidate_video_introduction, description, interview_description_long, interview_department, interview_salary, slug,
  creation_parameters, interview_available_till, interview_conversation_speed, max_followups, max_duration,
  questions_random_subset, required_pronunciation, result_enable_edit_transcript, candidate_expectations_json,
  result_scoring, pdf_export_auto_config, built_at, next_step_text, answer_within_days, tags, created_at, updated_at,
  persona), delete on interview to app_definer;

call pg_temp.reset_access('question');
create policy question_caller_select on question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy question_caller_insert on question for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()));
create policy question_restricted_select on question as restrictive for select to app_restricted
  using (id in (select q.question_id from interview_question q));
create policy question_worker_insert on question for insert to app_worker with check (true);
create policy question_worker_select on question for select to app_worker using (true);
create policy question_definer_select on question for select to app_definer using (true);
grant select, insert on question to app_user, app_service, app_worker;
grant select on question to app_definer;

call pg_temp.reset_access('question_video');
create policy question_video_caller_select on question_video for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy question_video_caller_update on question_video for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy question_video_restricted_select on question_video as restrictive for select to app_restricted
  using (question_id in (select q.question_id from interview_question q));
create policy question_video_worker_select on question_video for select to app_worker using (true);
create policy question_video_worker_insert on question_video for insert to app_worker with check (true);
create policy question_video_worker_update on question_video for update to app_worker using (true);
create policy question_video_worker_delete on question_video for delete to app_worker using (true);
create policy question_video_definer_select on question_video for select to app_definer using (true);
grant select, update (state, error) on question_video to app_user, app_service;
grant select, insert, update (state, error, provider_id, sent_at, duration_ms, size_bytes), delete on question_video
  to app_worker;
grant select on question_video to app_definer;

call pg_temp.reset_access('interview_question');
create policy interview_question_caller_select on interview_question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_question_caller_insert on interview_question for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_question_caller_delete on interview_question for delete to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_question_restricted_select on interview_question as restrictive for select to app_restricted
  using (interview_id = any ((select app.position_interview_ids())::uuid[]));
create policy interview_question_worker_insert on interview_question for insert to app_worker with check (true);
create policy interview_question_worker_select on interview_question for select to app_worker using (true);
create policy interview_question_definer_select on interview_question for select to app_definer using (true);
grant select, insert, delete on interview_question to app_user, app_service;
grant select, insert on interview_question to app_worker;
grant select on interview_question to app_definer;

call pg_temp.reset_access('position_step');
create policy position_step_caller_select on position_step for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_caller_insert on position_step for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_caller_delete on position_step for delete to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_restricted_select on position_step as restrictive for select to app_restricted
  using (position_id = any ((select app.position_ids())::uuid[]));
create policy position_step_worker_select on position_step for select to app_worker using (true);
create policy position_step_report_select on position_step for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_definer_select on position_step for select to app_definer using (true);
grant select, insert, delete on position_step to app_user, app_service;
grant select on position_step to app_worker, app_report, app_definer;

call pg_temp.reset_access('embed_key');
create policy embed_key_caller_select on embed_key for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_caller_insert on embed_key for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_caller_update on embed_key for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_restricted_select on embed_key as restrictive for select to app_restricted
  using (interview_id = any ((select app.position_interview_ids())::uuid[]));
create policy embed_key_worker_insert on embed_key for insert to app_worker with check (true);
create policy embed_key_definer_select on embed_key for select to app_definer using (true);
grant select, insert, update (revoked_at, embed_origins) on embed_key to app_user, app_service;
grant insert on embed_key to app_worker;
grant select (id, merchant_id, environment, interview_id, signing_key_sealed, revoked_at, embed_origins) on embed_key
  to app_definer;

call pg_temp.reset_access('model_call');
create policy model_call_worker_insert on model_call for insert to app_worker with check (true);
create policy model_call_definer_insert on model_call for insert to app_definer with check (true);
create policy model_call_definer_select on model_call for select to app_definer using (true);
grant insert on model_call to app_worker, app_definer;
grant select on model_call to app_definer;
