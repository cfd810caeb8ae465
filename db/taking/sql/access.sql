-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('attempt_plan');
create policy attempt_plan_worker_select on attempt_plan for select to app_worker using (true);
create policy attempt_plan_definer_select on attempt_plan for select to app_definer using (true);
create policy attempt_plan_definer_insert on attempt_plan for insert to app_definer with check (true);
create policy attempt_plan_definer_update on attempt_plan for update to app_definer using (true);
create policy attempt_plan_definer_delete on attempt_plan for delete to app_definer using (true);
grant select on attempt_plan to app_worker;
grant select, insert, update (deleted_recordings, deleted_bytes, stopped_after, stopped_because, lost_answers), delete on attempt_plan
  to app_definer;

call pg_temp.reset_access('attempt_step');
create policy attempt_step_worker_select on attempt_step for select to app_worker using (true);
create policy attempt_step_definer_select on attempt_step for select to app_definer using (true);
create policy attempt_step_definer_insert on attempt_step for insert to app_definer with check (true);
create policy attempt_step_definer_delete on attempt_step for delete to app_definer using (true);
grant select on attempt_step to app_worker;
grant select, insert, delete on attempt_step to app_definer;

call pg_temp.reset_access('recording');
create policy recording_worker_select on recording for select to app_worker using (true);
create policy recording_worker_update on recording for update to app_worker using (true);
create policy recording_worker_delete on recording for delete to app_worker using (true);
create policy recording_definer_select on recording for select to app_definer using (true);
create policy recording_definer_insert on recording for insert to app_definer with check (true);
create policy recording_definer_update on recording for update to app_definer using (true);
create policy recording_definer_delete on recording for delete to app_definer using (true);
grant select, update (state, work_at, tries), delete on recording to app_worker;
grant select, insert, update (has_picture, state, parts, bytes, duration_ms, verified_type, first_part_at, refused_at,
  completed_at, stored_at, work_at, tries, measured_ms, draft), delete on recording to app_definer;

call pg_temp.reset_access('recording_part');
create policy recording_part_worker_select on recording_part for select to app_worker using (true);
create policy recording_part_worker_delete on recording_part for delete to app_worker using (true);
create policy recording_part_definer_select on recording_part for select to app_definer using (true);
create policy recording_part_definer_insert on recording_part for insert to app_definer with check (true);
create policy recording_part_definer_delete on recording_part for delete to app_definer using (true);
grant select, delete on recording_part to app_worker;
grant select, insert, delete on recording_part to app_definer;

call pg_temp.reset_access('resume');
create policy resume_caller_select on resume for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy resume_restricted_select on resume as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = resume.merchant_id and r.id = resume.result_id
  ));
create policy resume_worker_select on resume for select to app_worker using (true);
create policy resume_definer_select on resume for select to app_definer using (true);
create policy resume_definer_insert on resume for insert to app_definer with check (true);
create policy resume_definer_update on resume for update to app_definer using (true);
create policy resume_definer_delete on resume for delete to app_definer using (true);
grant select on resume to app_user, app_service, app_worker;
grant select, insert, update (stored_at), delete on resume to app_definer;

call pg_temp.reset_access('candidate_message');
create policy candidate_message_caller_select on candidate_message for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy candidate_message_restricted_select on candidate_message as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
create policy candidate_message_definer_select on candidate_message for select to app_definer using (true);
create policy candidate_message_definer_insert on candidate_message for insert to app_definer with check (true);
create policy candidate_message_definer_update on candidate_message for update to app_definer using (true);
create policy candidate_message_definer_delete on candidate_message for delete to app_definer using (true);
grant select on candidate_message to app_user, app_service;
grant select, insert, update (outcome, reply, closed_at, closed_by), delete on candidate_message to app_definer;

call pg_temp.reset_access('embed_token_use');
create policy embed_token_use_embed_insert on embed_token_use for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and embed_key_id = (select app.embed_key_id()) and (select app.embed_interview_id()) is not null
);
create policy embed_token_use_worker_select on embed_token_use for select to app_worker using (true);
create policy embed_token_use_worker_delete on embed_token_use for delete to app_worker using (true);
grant insert on embed_token_use to app_embed;
grant select, delete on embed_token_use to app_worker;
