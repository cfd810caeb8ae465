-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('credit_account');
create policy credit_account_caller_select on credit_account for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy credit_account_report_select on credit_account for select to app_report
  using (merchant_id = (select app.merchant_id()));
create policy credit_account_definer_select on credit_account for select to app_definer using (true);
create policy credit_account_definer_insert on credit_account for insert to app_definer with check (true);
create policy credit_account_definer_update on credit_account for update to app_definer using (true);
grant select on credit_account to app_user, app_service;
grant select (merchant_id, plan) on credit_account to app_report;
grant select, insert, update (plan, subscription_status, monthly_limit, coaching_limit, monthly, single, extra, coaching,
  period_anchor, period_started_at, period_ends_at, invitations_sent) on credit_account to app_definer;

call pg_temp.reset_access('credit_entry');
-- All callers except hiring managers can read the ledger of credits.
create policy credit_entry_caller_select on credit_entry for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and (select app.caller_role()) <> 'merchant_selection');
create policy credit_entry_restricted_select on credit_entry as restrictive for select to app_restricted
  using (false);
create policy credit_entry_report_select on credit_entry for select to app_report
  using (merchant_id = (select app.merchant_id()));
create policy credit_entry_definer_select on credit_entry for select to app_definer using (true);
create policy credit_entry_definer_insert on credit_entry for insert to app_definer with check (true);
grant select on credit_entry to app_user, app_service, app_report;
grant select, insert on credit_entry to app_definer;

call pg_temp.reset_access('single_credit');
create policy single_credit_definer_select on single_credit for select to app_definer using (true);
create policy single_credit_definer_insert on single_credit for insert to app_definer with check (true);
create policy single_credit_definer_update on single_credit for update to app_definer using (true);
grant select, insert, update (balance) on single_credit to app_definer;

call pg_temp.reset_access('unpaid_attempt');
-- Only attempts of production can be unpaid.
create policy unpaid_attempt_caller_select on unpaid_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and (select app.environment()) = 'production');
create policy unpaid_attempt_restricted_select on unpaid_attempt as restrictive for select to app_restricted
  using (result_id in (select r.id from interview_result r));
create policy unpaid_attempt_report_select on unpaid_attempt for select to app_report
  using (merchant_id = (select app.merchant_id()) and (select app.environment()) = 'production');
create policy unpaid_attempt_definer_select on unpaid_attempt for select to app_definer using (true);
create policy unpaid_attempt_definer_insert on unpaid_attempt for insert to app_definer with check (true);
create policy unpaid_attempt_definer_delete on unpaid_attempt for delete to app_definer using (true);
grant select on unpaid_attempt to app_user, app_service, app_report;
grant select, insert, delete on unpaid_attempt to app_definer;
