-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('change');
create policy change_caller_select on change for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and (environment = (select app.environment()) or environment is null)
  );
-- Only owners, admins and service keys mirror an account, so restricted people see no row.
create policy change_restricted_select on change as restrictive for select to app_restricted using (false);
-- The triggers record the changes of every role.
create policy change_definer_select on change for select to app_definer using (true);
create policy change_definer_insert on change for insert to app_definer with check (true);
create policy change_definer_update on change for update to app_definer using (true);
-- A cleanup job removes the rows of objects that were deleted long ago.
create policy change_worker_select on change for select to app_worker using (true);
create policy change_worker_delete on change for delete to app_worker using (deleted_at is not null);
grant select on change to app_user, app_service;
grant select, insert, update (tx, version, changed_at, deleted_at, reason) on change to app_definer;
grant select (merchant_id, object, id, deleted_at), delete on change to app_worker;

call pg_temp.reset_access('waiting_change');
-- The feed says how long the oldest of these changes has waited.
create policy waiting_change_caller_select on waiting_change for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and (environment = (select app.environment()) or environment is null)
  );
create policy waiting_change_restricted_select on waiting_change as restrictive for select to app_restricted using (false);
create policy waiting_change_definer_select on waiting_change for select to app_definer using (true);
create policy waiting_change_definer_insert on waiting_change for insert to app_definer with check (true);
create policy waiting_change_definer_delete on waiting_change for delete to app_definer using (true);
create policy waiting_change_worker_select on waiting_change for select to app_worker using (true);
grant select (merchant_id, environment, id, created_at) on waiting_change to app_user, app_service, app_worker;
grant select, insert, delete on waiting_change to app_definer;

call pg_temp.reset_access('sync_generation');
create policy sync_generation_caller_select on sync_generation for select to app_user, app_service using (true);
create policy sync_generation_restricted_select on sync_generation as restrictive for select to app_restricted using (false);
create policy sync_generation_definer_select on sync_generation for select to app_definer using (true);
create policy sync_generation_definer_update on sync_generation for update to app_definer using (true);
grant select on sync_generation to app_user, app_service;
grant select, update (generation) on sync_generation to app_definer;
