-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('agent_confirmation');
create policy agent_confirmation_caller_select on agent_confirmation for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy agent_confirmation_caller_insert on agent_confirmation for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy agent_confirmation_caller_delete on agent_confirmation for delete to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
grant select, insert, delete on agent_confirmation to app_user, app_service;

-- Owners and admins see and change all connections of the merchant, and everybody else their own.
call pg_temp.reset_access('agent_connection');
create policy agent_connection_user_select on agent_connection for select to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (profile_id = (select app.profile_id()) or (select app.caller_role()) in ('merchant_owner', 'admin'))
  );
create policy agent_connection_user_update on agent_connection for update to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) in ('merchant_owner', 'admin')
  );
create policy agent_connection_definer_select on agent_connection for select to app_definer using (true);
create policy agent_connection_definer_insert on agent_connection for insert to app_definer with check (true);
grant select, update (unattended_decisions) on agent_connection to app_user;
grant select, insert on agent_connection to app_definer;

-- The authorization server acts for nobody: who sends a secret proves with it what the record is about.
call pg_temp.reset_access('oauth_record');
create policy oauth_record_auth_select on oauth_record for select to app_auth using (true);
create policy oauth_record_auth_insert on oauth_record for insert to app_auth with check (true);
create policy oauth_record_auth_update on oauth_record for update to app_auth using (true);
create policy oauth_record_auth_delete on oauth_record for delete to app_auth using (true);
create policy oauth_record_worker_select on oauth_record for select to app_worker using (true);
create policy oauth_record_worker_delete on oauth_record for delete to app_worker using (true);
grant select, insert, update (payload_sealed, grant_id, uid_hash, consumed_at, expires_at), delete on oauth_record
  to app_auth;
grant select (model, hash, expires_at), delete on oauth_record to app_worker;
