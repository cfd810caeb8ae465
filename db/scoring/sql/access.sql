-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('score_record');
create policy score_record_caller_select on score_record for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy score_record_restricted_select on score_record as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = score_record.merchant_id and r.id = score_record.result_id
  ));
create policy score_record_worker_select on score_record for select to app_worker using (true);
create policy score_record_worker_update on score_record for update to app_worker using (true);
create policy score_record_definer_select on score_record for select to app_definer using (true);
create policy score_record_definer_insert on score_record for insert to app_definer with check (true);
create policy score_record_definer_update on score_record for update to app_definer using (true);
create policy score_record_definer_delete on score_record for delete to app_definer using (true);
grant select on score_record to app_user, app_service;
grant select, update (state, began_at, ended_at, failure, model, prompt_version, prompt_hash, rubric_version,
  input_hash, samples, spread, disagreement, verified_share, needs_review, prompt_tokens, completion_tokens, cost_usd,
  scores, changes) on score_record to app_worker;
grant select, insert, update (state, ended_at), delete on score_record to app_definer;

call pg_temp.reset_access('score_sample');
create policy score_sample_worker_select on score_sample for select to app_worker using (true);
create policy score_sample_worker_insert on score_sample for insert to app_worker with check (true);
create policy score_sample_definer_delete on score_sample for delete to app_definer using (true);
create policy score_sample_definer_select on score_sample for select to app_definer using (true);
grant select, insert on score_sample to app_worker;
grant select, delete on score_sample to app_definer;

call pg_temp.reset_access('score_decision');
create policy score_decision_caller_select on score_decision for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy score_decision_restricted_select on score_decision as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = score_decision.merchant_id and r.id = score_decision.result_id
  ));
create policy score_decision_worker_select on score_decision for select to app_worker using (true);
create policy score_decision_definer_select on score_decision for select to app_definer using (true);
create policy score_decision_definer_insert on score_decision for insert to app_definer with check (true);
create policy score_decision_definer_delete on score_decision for delete to app_definer using (true);
grant select on score_decision to app_user, app_service, app_worker;
grant select, insert, delete on score_decision to app_definer;
