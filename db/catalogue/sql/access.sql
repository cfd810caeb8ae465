-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('catalogue_directory');
-- Callers see their merchant's directories and the active platform-wide ones. Platform admins see and change all
-- platform-wide ones.
create policy catalogue_directory_caller_select on catalogue_directory for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id())
    or merchant_id is null and (status = 'active' or (select app.caller_role()) = 'admin')
  );
create policy catalogue_directory_caller_insert on catalogue_directory for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and visibility <> 'public'
    or merchant_id is null and visibility = 'public' and (select app.caller_role()) = 'admin'
  );
create policy catalogue_directory_caller_update on catalogue_directory for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
  with check (
    merchant_id = (select app.merchant_id()) and visibility <> 'public'
    or merchant_id is null and visibility = 'public' and (select app.caller_role()) = 'admin'
  );
-- Platform-wide directories are pages of every merchant's portal. A host name without a merchant shows no directories.
create policy catalogue_directory_portal_select on catalogue_directory for select to app_portal
  using (
    status = 'active' and (select app.merchant_id()) is not null
    and (merchant_id is null or merchant_id = (select app.merchant_id()))
    and (visibility <> 'merchant_invite' or (select app.profile_id()) is not null)
  );
create policy catalogue_directory_definer_select on catalogue_directory for select to app_definer using (true);
grant select, insert, update (name, description, platform_language_code, visibility, status, cover_image_url,
  coach_plan, tags_sub, tags_interview_set_filter, content_md) on catalogue_directory to app_user, app_service;
grant select on catalogue_directory to app_portal;
grant select (merchant_id, id, tags_sub, tags_interview_set_filter, status, visibility, session_ids) on catalogue_directory to app_definer;
