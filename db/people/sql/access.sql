-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('enrolment');
create policy enrolment_caller_select on enrolment for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_caller_insert on enrolment for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_caller_update on enrolment for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_restricted_select on enrolment as restrictive for select to app_restricted
  using (scope_id = any ((select app.position_ids())::uuid[]));
create policy enrolment_link_select on enrolment for select to app_link
  using (merchant_id = (select app.merchant_id()) and id = (select app.enrolment_id()));
create policy enrolment_embed_select on enrolment for select to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
create policy enrolment_embed_insert on enrolment for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
create policy enrolment_embed_update on enrolment for update to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
-- Rights of the worker, which sends the mails.
create policy enrolment_worker_select on enrolment for select to app_worker using (true);
create policy enrolment_report_select on enrolment for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_definer_select on enrolment for select to app_definer using (true);
create policy enrolment_definer_update on enrolment for update to app_definer using (true);
create policy enrolment_definer_insert on enrolment for insert to app_definer with check (true);
grant select on enrolment to app_user, app_service, app_worker, app_report;
grant select (id, interview_id, position_id, name, link_generation) on enrolment to app_link;
grant select (id, merchant_id, environment, interview_id, scope_id, profile_id, name, email, email_key, external_id,
  phone, link_generation, invited_at, withdrawn_at) on enrolment to app_embed;
grant select (id, merchant_id, environment, interview_id, position_id, scope_id, profile_id, name, email_key,
  link_generation, created_at, source, time_factor, may_type, readable_from, status, search_text, updated_at,
  withdrawn_at), insert (merchant_id,
  environment, interview_id, position_id, profile_id, name, email, email_key, invited_at, source, apply_consent_version,
  apply_consent_language, apply_consented_at), update (interview_id, link_generation, invited_at, withdrawn_at,
  time_factor, may_type, progress) on enrolment to app_definer;
grant insert, update (profile_id, name, email, email_key, external_id, phone, link_generation, invited_at, withdrawn_at)
  on enrolment to app_user, app_service, app_embed;

call pg_temp.reset_access('enrolment_step');
create policy enrolment_step_caller_select on enrolment_step for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_step_restricted_select on enrolment_step as restrictive for select to app_restricted
  using (position_id = any ((select app.position_ids())::uuid[]));
create policy enrolment_step_report_select on enrolment_step for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_step_definer_select on enrolment_step for select to app_definer using (true);
create policy enrolment_step_definer_insert on enrolment_step for insert to app_definer with check (true);
create policy enrolment_step_definer_update on enrolment_step for update to app_definer using (true);
grant select on enrolment_step to app_user, app_service, app_report;
grant select, insert, update (position_id, entered_at, left_at, outcome) on enrolment_step to app_definer;

call pg_temp.reset_access('enrolment_stage');
create policy enrolment_stage_caller_select on enrolment_stage for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_stage_restricted_select on enrolment_stage as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
create policy enrolment_stage_report_select on enrolment_stage for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_stage_definer_select on enrolment_stage for select to app_definer using (true);
create policy enrolment_stage_definer_insert on enrolment_stage for insert to app_definer with check (true);
create policy enrolment_stage_definer_update on enrolment_stage for update to app_definer using (true);
create policy enrolment_stage_definer_delete on enrolment_stage for delete to app_definer using (true);
grant select on enrolment_stage to app_user, app_service, app_report;
grant select, insert, update (left_at), delete on enrolment_stage to app_definer;

call pg_temp.reset_access('invitation_batch');
create policy invitation_batch_caller_select on invitation_batch for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_batch_caller_insert on invitation_batch for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_batch_restricted_select on invitation_batch as restrictive for select to app_restricted
  using (false);
create policy invitation_batch_worker_select on invitation_batch for select to app_worker using (true);
create policy invitation_batch_definer_select on invitation_batch for select to app_definer using (true);
create policy invitation_batch_definer_insert on invitation_batch for insert to app_definer with check (true);
grant select, insert on invitation_batch to app_user, app_service;
grant select on invitation_batch to app_worker;
grant select (id, merchant_id, is_test, hide_menu, hide_iframe), insert on invitation_batch to app_definer;

call pg_temp.reset_access('invitation');
create policy invitation_caller_select on invitation for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_caller_insert on invitation for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_restricted_select on invitation as restrictive for select to app_restricted
  using (coalesce(position_id, interview_id) = any ((select app.position_ids())::uuid[]));
create policy invitation_report_select on invitation for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- The worker deletes the addresses of rows that failed.
create policy invitation_worker_select on invitation for select to app_worker using (true);
create policy invitation_worker_update on invitation for update to app_worker using (true);
create policy invitation_definer_select on invitation for select to app_definer using (true);
create policy invitation_definer_insert on invitation for insert to app_definer with check (true);
grant select, insert on invitation to app_user, app_service;
grant select (merchant_id, id, environment, invited_at, inviter_id, type, result, channel, interview_id, position_id,
  enrolment_id, profile_id, language, is_test, expires_at) on invitation to app_report;
grant select (merchant_id, id, invited_at, email), update (email) on invitation to app_worker;
grant select (merchant_id, id, environment, invited_at, type, result, channel, interview_id, position_id, enrolment_id,
  profile_id, email), insert on invitation to app_definer;

call pg_temp.reset_access('mail');
create policy mail_caller_insert on mail for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and state = 'queued'
  );
-- Callers list the mails of their merchant, and reports find out whether a candidate was reminded or got a message.
create policy mail_caller_select on mail for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy mail_restricted_select on mail as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
-- Rights of app_mail_hook, which records what SendGrid's event webhook reports about mails.
create policy mail_mail_hook_select on mail for select to app_mail_hook using (true);
create policy mail_mail_hook_update on mail for update to app_mail_hook using (true);
create policy mail_worker_select on mail for select to app_worker using (true);
create policy mail_worker_insert on mail for insert to app_worker with check (true);
create policy mail_worker_update on mail for update to app_worker using (true);
create policy mail_report_select on mail for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy mail_definer_select on mail for select to app_definer using (true);
create policy mail_definer_update on mail for update to app_definer using (true);
create policy mail_definer_insert on mail for insert to app_definer with check (true);
grant select (id, merchant_id, environment, kind, profile_id, enrolment_id, state, last_error, sent_at, delivered_at,
  bounced_at, bounce_reason, created_at, status), insert on mail to app_user, app_service;
grant select (id, state, sent_at, delivered_at, opened_at, bounced_at, bounce_reason), update (state, sent_at,
  delivered_at, opened_at, bounced_at, bounce_reason) on mail to app_mail_hook;
grant select, insert, update (state, attempts, last_error, message_id, sent_at) on mail to app_worker;
grant select (id, merchant_id, environment, kind, enrolment_id, state, created_at) on mail to app_report;
grant select, insert, update (state) on mail to app_definer;

call pg_temp.reset_access('message');
create policy message_caller_select on message for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy message_restricted_select on message as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
-- Rights of app_mail_hook, which records what Twilio reports about messages.
create policy message_mail_hook_select on message for select to app_mail_hook using (true);
create policy message_mail_hook_update on message for update to app_mail_hook using (true);
create policy message_worker_select on message for select to app_worker using (true);
create policy message_worker_insert on message for insert to app_worker with check (true);
create policy message_worker_update on message for update to app_worker using (true);
create policy message_report_select on message for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy message_definer_select on message for select to app_definer using (true);
grant select (mail_id, merchant_id, environment, enrolment_id, channel, state, error, price, price_unit) on message
  to app_user, app_service;
grant select (mail_id, merchant_id, environment, channel, state) on message to app_report;
grant select (mail_id, state, error, sid), update (state, error, sid) on message to app_mail_hook;
grant select, insert, update (number, state, error, sid, code_hash, price, price_unit, sent_at, checked_at) on message
  to app_worker;
grant select (mail_id, merchant_id, enrolment_id, interview_id, link_generation, code_hash, sent_at) on message
  to app_definer;

call pg_temp.reset_access('message_opt_out');
create policy message_opt_out_mail_hook_select on message_opt_out for select to app_mail_hook using (true);
create policy message_opt_out_mail_hook_insert on message_opt_out for insert to app_mail_hook with check (true);
create policy message_opt_out_mail_hook_delete on message_opt_out for delete to app_mail_hook using (true);
create policy message_opt_out_worker_select on message_opt_out for select to app_worker using (true);
grant select, insert, delete on message_opt_out to app_mail_hook;
grant select on message_opt_out to app_worker;

call pg_temp.reset_access('test_invitation_budget');
create policy test_invitation_budget_caller_select on test_invitation_budget for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy test_invitation_budget_definer_select on test_invitation_budget for select to app_definer using (true);
create policy test_invitation_budget_definer_insert on test_invitation_budget for insert to app_definer with check (true);
create policy test_invitation_budget_definer_update on test_invitation_budget for update to app_definer using (true);
grant select on test_invitation_budget to app_user, app_service;
grant select, insert, update (day, sent) on test_invitation_budget to app_definer;
