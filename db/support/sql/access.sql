-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('technical_issue');
-- People create issues and requests in their own name, and the merchant's console lists them. Service keys cannot
-- create any.
create policy technical_issue_user_select on technical_issue for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy technical_issue_user_insert on technical_issue for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy technical_issue_restricted_select on technical_issue as restrictive for select to app_restricted
  using (profile_id = (select app.profile_id()));
create policy technical_issue_worker_select on technical_issue for select to app_worker using (true);
create policy technical_issue_worker_update on technical_issue for update to app_worker using (status = 'queued') with check (true);
create policy technical_issue_definer_select on technical_issue for select to app_definer using (true);
grant select, insert on technical_issue to app_user;
grant select, update (status, reference, attempts, last_failure, gave_up_at, restart_at, sent_at) on technical_issue
  to app_worker;
grant select (profile_id, created_at) on technical_issue to app_definer;

call pg_temp.reset_access('feature_request');
create policy feature_request_user_select on feature_request for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy feature_request_user_insert on feature_request for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
-- A call that times out deletes its feature request, unless the request was posted.
create policy feature_request_user_delete on feature_request for delete to app_user
  using (
    merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()) and status = 'pending'
  );
create policy feature_request_worker_select on feature_request for select to app_worker using (true);
create policy feature_request_worker_update on feature_request for update to app_worker
  using (status = 'pending') with check (true);
create policy feature_request_worker_delete on feature_request for delete to app_worker using (status = 'pending');
create policy feature_request_definer_select on feature_request for select to app_definer using (true);
grant select, insert, delete on feature_request to app_user;
grant select, update (status, post_id, posted_at), delete on feature_request to app_worker;
grant select (profile_id, created_at) on feature_request to app_definer;
