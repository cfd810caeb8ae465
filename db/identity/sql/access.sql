-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('profile');
-- Requests can contain ids of people of the merchant. To check that these people exist, callers need to read the
-- columns granted here.
create policy profile_caller_select on profile for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy profile_caller_insert on profile for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and role <> 'admin' and activated_at is null);
create policy profile_restricted_select on profile as restrictive for select to app_restricted
  using (role <> 'candidate' or id in (select e.profile_id from enrolment e));
-- With an embed key, visitors can be enrolled only in the interview of the key. The role can read only the rows that
-- this needs.
create policy profile_embed_select on profile for select to app_embed
  using (merchant_id = (select app.merchant_id()) and role = 'candidate' and (select app.embed_interview_id()) is not null);
create policy profile_embed_insert on profile for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and role = 'candidate' and activated_at is null
  and (select app.embed_interview_id()) is not null
);
-- Rights of app_auth, which renews access tokens and records when a credential was last used.
create policy profile_auth_select on profile for select to app_auth using (true);
create policy profile_worker_select on profile for select to app_worker using (true);
create policy profile_report_select on profile for select to app_report using (merchant_id = (select app.merchant_id()));
create policy profile_definer_select on profile for select to app_definer using (true);
create policy profile_definer_update on profile for update to app_definer using (true);
create policy profile_definer_insert on profile for insert to app_definer with check (role = 'candidate');
grant select (id, merchant_id, role, email, name, disabled_at, email_key, activated_at, home_disabled_at,
  home_withdrawn_at), insert on profile to app_user;
grant select (id, merchant_id, role, name, disabled_at, email_key, activated_at, home_disabled_at, home_withdrawn_at),
  insert on profile to app_service;
grant select (id, merchant_id, role, email_key), insert on profile to app_embed;
grant select (id, merchant_id, role, email, name, disabled_at, platform_language_code, activated_at, home_disabled_at,
  home_withdrawn_at) on profile to app_auth;
grant select (id, merchant_id, role, email, name, disabled_at, email_key, platform_language_code, activated_at,
  home_disabled_at, home_withdrawn_at) on profile to app_worker;
grant select (id, merchant_id, name) on profile to app_report;
grant select, insert (merchant_id, role, email, name, email_key, platform_language_code), update (merchant_id, role,
  name, activated_at, home_disabled_at, home_withdrawn_at, default_merchant_id) on profile to app_definer;

call pg_temp.reset_access('merchant_access');
create policy merchant_access_caller_select on merchant_access for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy merchant_access_caller_insert on merchant_access for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()));
create policy merchant_access_auth_select on merchant_access for select to app_auth using (true);
-- The worker reads these columns to mail the owners of a merchant about a pause.
create policy merchant_access_worker_select on merchant_access for select to app_worker using (true);
create policy merchant_access_definer_select on merchant_access for select to app_definer using (true);
create policy merchant_access_definer_insert on merchant_access for insert to app_definer with check (true);
create policy merchant_access_definer_update on merchant_access for update to app_definer using (true);
create policy merchant_access_definer_delete on merchant_access for delete to app_definer using (true);
grant select (merchant_id, profile_id), insert on merchant_access to app_user, app_service;
grant select (merchant_id, profile_id, role, disabled_at) on merchant_access to app_auth;
grant select (merchant_id, profile_id, role, disabled_at, name) on merchant_access to app_worker;
grant select, insert, update (role, disabled_at), delete on merchant_access to app_definer;

call pg_temp.reset_access('team_withdrawal');
create policy team_withdrawal_definer_select on team_withdrawal for select to app_definer using (true);
create policy team_withdrawal_definer_insert on team_withdrawal for insert to app_definer with check (true);
create policy team_withdrawal_definer_update on team_withdrawal for update to app_definer using (true);
grant select, insert, update (withdrawals) on team_withdrawal to app_definer;

call pg_temp.reset_access('session');
create policy session_auth_select on session for select to app_auth using (true);
create policy session_auth_update on session for update to app_auth using (true);
create policy session_definer_select on session for select to app_definer using (true);
create policy session_definer_insert on session for insert to app_definer with check (true);
create policy session_definer_update on session for update to app_definer using (true);
grant select, update (expires_at, last_used_at, revoked_at) on session to app_auth;
grant select, insert, update (revoked_at) on session to app_definer;

call pg_temp.reset_access('refresh_token');
create policy refresh_token_auth_select on refresh_token for select to app_auth using (true);
create policy refresh_token_auth_insert on refresh_token for insert to app_auth with check (true);
create policy refresh_token_auth_update on refresh_token for update to app_auth using (true);
-- A cleanup job deletes expired refresh tokens.
create policy refresh_token_worker_select on refresh_token for select to app_worker using (true);
create policy refresh_token_worker_delete on refresh_token for delete to app_worker using (true);
create policy refresh_token_definer_insert on refresh_token for insert to app_definer with check (true);
grant select, insert, update (used_at) on refresh_token to app_auth;
grant select (hash, expires_at), delete on refresh_token to app_worker;
grant insert on refresh_token to app_definer;

call pg_temp.reset_access('service_key');
create policy service_key_user_select on service_key for select to app_user
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy service_key_user_insert on service_key for insert to app_user
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and created_by = (select app.profile_id()) and (select app.caller_role()) in ('merchant_owner', 'admin')
  );
create policy service_key_user_update on service_key for update to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) in ('merchant_owner', 'admin')
  );
create policy service_key_auth_select on service_key for select to app_auth using (true);
create policy service_key_auth_update on service_key for update to app_auth using (true);
create policy service_key_definer_select on service_key for select to app_definer using (true);
grant select (id, merchant_id, environment, created_at, last_used_at, revoked_at, name, created_by,
  unattended_decisions), insert, update (revoked_at, unattended_decisions) on service_key to app_user;
grant select (id, merchant_id, last_used_at), update (last_used_at) on service_key to app_auth;
grant select on service_key to app_definer;

call pg_temp.reset_access('sign_in_link');
create policy sign_in_link_worker_select on sign_in_link for select to app_worker using (true);
create policy sign_in_link_worker_update on sign_in_link for update to app_worker using (true);
create policy sign_in_link_worker_delete on sign_in_link for delete to app_worker using (true);
create policy sign_in_link_definer_select on sign_in_link for select to app_definer using (true);
create policy sign_in_link_definer_insert on sign_in_link for insert to app_definer with check (true);
create policy sign_in_link_definer_update on sign_in_link for update to app_definer using (true);
grant select, update (hash, expires_at), delete on sign_in_link to app_worker;
grant select, insert, update (used_at) on sign_in_link to app_definer;

call pg_temp.reset_access('position_member');
create policy position_member_definer_select on position_member for select to app_definer using (true);
create policy position_member_definer_insert on position_member for insert to app_definer with check (true);
create policy position_member_definer_update on position_member for update to app_definer using (true);
create policy position_member_definer_delete on position_member for delete to app_definer using (true);
grant select, insert, update (position_ids), delete on position_member to app_definer;
