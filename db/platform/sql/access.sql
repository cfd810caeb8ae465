-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('merchant');
create policy merchant_caller_select on merchant for select to app_user, app_service
  using (id = (select app.merchant_id()));
create policy merchant_user_update on merchant for update to app_user
  using (id = (select app.merchant_id()) and (select app.caller_role()) in ('merchant_owner', 'admin'));
create policy merchant_link_select on merchant for select to app_link using (id = (select app.merchant_id()));
create policy merchant_portal_select on merchant for select to app_portal using (id = (select app.merchant_id()));
-- Rights of app_auth, which accepts invitations to a team or a portal.
create policy merchant_auth_select on merchant for select to app_auth using (true);
create policy merchant_worker_select on merchant for select to app_worker using (true);
-- The worker runs a scheduled report as app_report, in the scope of the schedule's creator. app_report can read
-- everything that reports read, because the creator is never a hiring manager, who would see less.
create policy merchant_report_select on merchant for select to app_report using (id = (select app.merchant_id()));
-- `app.check_credential` reads merchants, people and credentials before the transaction has a scope, so the policies
-- allow every row.
create policy merchant_definer_select on merchant for select to app_definer using (true);
create policy merchant_definer_update on merchant for update to app_definer using (true);
create policy merchant_definer_insert on merchant for insert to app_definer with check (true);
grant select (id, name, time_zone, reminder_after, final_reminder_after, portal_domain, start_directory,
  reports_enabled, test_recipients, portal_domain_claim, portal_domain_challenge,
  recording_retention_days, draft_retention_days, result_retention_days, mail_next_step, privacy_contact, mail_reopened,
  accent_color, logo_path, agent_environments, agent_hosts) on merchant to app_user, app_service;
grant select (id, name, accent_color, logo_path) on merchant to app_link;
grant select (id, name, portal_domain, start_directory, recording_retention_days, draft_retention_days,
  result_retention_days, privacy_contact, accent_color, logo_path) on merchant to app_portal;
grant select (id, name, portal_domain, start_directory, accent_color, logo_path) on merchant to app_auth;
grant select (id, name, time_zone, reminder_after, final_reminder_after, portal_domain, test_recipients,
  recording_retention_days, draft_retention_days, result_retention_days, accent_color, logo_path) on merchant to app_worker;
grant select (id, time_zone, reports_enabled) on merchant to app_report;
grant select, insert (name, parent_id, time_zone), update (name, portal_domain) on merchant to app_definer;
grant update (time_zone, reminder_after, final_reminder_after, start_directory, reports_enabled, test_recipients,
  portal_domain_claim, recording_retention_days, draft_retention_days, result_retention_days, mail_next_step,
  privacy_contact, mail_reopened, accent_color, logo_path, agent_environments, agent_hosts) on merchant to app_user;

call pg_temp.reset_access('audit_entry');
create policy audit_entry_caller_select on audit_entry for select to app_user, app_service
  using (
    (environment = (select app.environment()) or is_of_account)
    and (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
  );
create policy audit_entry_caller_insert on audit_entry for insert to app_user, app_service
  with check (
    environment = (select app.environment())
    and (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
    and actor_id = (select app.caller_id()) and actor_role = (select app.caller_role())
  );
-- A restricted person sees only the person's own audit entries and technical issues. The entries and issues of others
-- can name or describe candidates, interviews and results of any position.
create policy audit_entry_restricted_select on audit_entry as restrictive for select to app_restricted
  using (actor_id = (select app.caller_id()));
-- The PDF of a result names the people who set scores, decided about the candidate and wrote the note
-- (docs/results.md#what-a-pdf-shows). The worker finds them in the audit entries about the result.
create policy audit_entry_worker_select on audit_entry for select to app_worker using (true);
-- The name of a person is in the entries about what the person did (db/sync/sql/record.sql).
create policy audit_entry_definer_select on audit_entry for select to app_definer using (true);
grant select, insert on audit_entry to app_user, app_service;
grant select (id, merchant_id, environment, actor_id, is_of_account) on audit_entry to app_definer;
grant select (id, merchant_id, environment, actor_id, act, subject_id, details, created_at) on audit_entry
  to app_worker;

call pg_temp.reset_access('idempotency_key');
create policy idempotency_key_caller_select on idempotency_key for select to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_insert on idempotency_key for insert to app_user, app_service
  with check (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_update on idempotency_key for update to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_delete on idempotency_key for delete to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_worker_select on idempotency_key for select to app_worker using (true);
create policy idempotency_key_worker_delete on idempotency_key for delete to app_worker using (true);
grant select, insert, update (id, operation, body_hash, reply_sealed, lease_until, created_at), delete
  on idempotency_key to app_user, app_service;
grant select (id, created_at), delete on idempotency_key to app_worker;

call pg_temp.reset_access('workflow_start');
create policy workflow_start_caller_insert on workflow_start for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy workflow_start_worker_select on workflow_start for select to app_worker using (true);
create policy workflow_start_worker_update on workflow_start for update to app_worker using (true);
create policy workflow_start_worker_delete on workflow_start for delete to app_worker using (true);
-- A cleanup job restarts the workflow of an issue if the workflow was terminated.
create policy workflow_start_worker_insert on workflow_start for insert to app_worker with check (true);
create policy workflow_start_definer_insert on workflow_start for insert to app_definer with check (true);
create policy workflow_start_definer_select on workflow_start for select to app_definer using (true);
grant insert on workflow_start to app_user, app_service;
grant select, insert, update (attempts, next_attempt_at), delete on workflow_start to app_worker;
grant select (merchant_id, workflow_id), insert on workflow_start to app_definer;

call pg_temp.reset_access('account_count');
create policy account_count_caller_select on account_count for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- Stored counts of a period belong to no position, so a restricted person cannot read `account_count`;
-- app.count_positions counts the visible rows instead. A restricted person cannot read the ledger of credits either.
create policy account_count_restricted_select on account_count as restrictive for select to app_restricted
  using (false);
create policy account_count_worker_select on account_count for select to app_worker using (true);
create policy account_count_worker_insert on account_count for insert to app_worker with check (true);
create policy account_count_worker_update on account_count for update to app_worker using (true);
create policy account_count_worker_delete on account_count for delete to app_worker using (true);
create policy account_count_definer_insert on account_count for insert to app_definer with check (true);
grant select on account_count to app_user, app_service;
grant select, insert, update (value), delete on account_count to app_worker;
grant insert on account_count to app_definer;

call pg_temp.reset_access('rate_window');
create policy rate_window_worker_select on rate_window for select to app_worker using (true);
create policy rate_window_worker_delete on rate_window for delete to app_worker using (true);
create policy rate_window_definer_select on rate_window for select to app_definer using (true);
create policy rate_window_definer_insert on rate_window for insert to app_definer with check (true);
create policy rate_window_definer_update on rate_window for update to app_definer using (true);
grant select, delete on rate_window to app_worker;
grant select, insert, update (ends_at, used) on rate_window to app_definer;
