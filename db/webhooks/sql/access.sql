-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('webhook_endpoint');
-- Callers manage endpoints, except hiring managers, who only read. Callers can also change the next attempt of a
-- delivery and cancel a replay. The worker records all outcomes.
create policy webhook_endpoint_caller_select on webhook_endpoint for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_endpoint_caller_insert on webhook_endpoint for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
-- A deleted endpoint cannot be changed.
create policy webhook_endpoint_caller_update on webhook_endpoint for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and deleted_at is null
  )
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- Rights of the worker, which sends the deliveries.
create policy webhook_endpoint_worker_select on webhook_endpoint for select to app_worker using (true);
create policy webhook_endpoint_worker_update on webhook_endpoint for update to app_worker using (true);
-- The triggers in deliveries.sql insert deliveries when a result changes (docs/webhooks.md#how-a-delivery-begins). They
-- run as app_definer with these rights, because the roles that change results may not insert deliveries or holds.
create policy webhook_endpoint_definer_select on webhook_endpoint for select to app_definer using (true);
create policy webhook_endpoint_definer_update on webhook_endpoint for update to app_definer using (true);
grant select, insert, update (url, description, events, custom_headers_sealed, timeout_seconds, in_flight_limit,
  enabled, paused_reason, paused_at, paused_mailed_at, failing_since, version, deleted_at) on webhook_endpoint
  to app_user, app_service;
grant select, update (paused_reason, paused_at, paused_mailed_at, failing_since, last_failed_at,
  version) on webhook_endpoint to app_worker;
grant select (id, merchant_id, environment, events, enabled, deleted_at, sync_announced_tx, sync_delivery_id),
  update (sync_announced_tx, sync_delivery_id) on webhook_endpoint to app_definer;

call pg_temp.reset_access('webhook_secret');
create policy webhook_secret_caller_select on webhook_secret for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_secret_caller_insert on webhook_secret for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy webhook_secret_caller_update on webhook_secret for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy webhook_secret_worker_select on webhook_secret for select to app_worker using (true);
grant select (id, merchant_id, environment, endpoint_id, expires_at, created_at), insert, update (expires_at)
  on webhook_secret to app_user, app_service;
grant select on webhook_secret to app_worker;

call pg_temp.reset_access('webhook_delivery');
create policy webhook_delivery_caller_select on webhook_delivery for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_delivery_caller_insert on webhook_delivery for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and event = 'test' and state = 'queued' and series = 1 and attempts = 0 and not is_released and last_outcome is null
    and endpoint_id in (select e.id from webhook_endpoint e)
  );
create policy webhook_delivery_caller_update on webhook_delivery for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and state in ('queued', 'retried', 'cancelled')
  );
-- Deliveries of `test` and `sync.changed` have no result, so a restricted person sees all of them.
create policy webhook_delivery_restricted_select on webhook_delivery as restrictive for select to app_restricted
  using (result_id is null or exists (
    select from interview_result r where r.merchant_id = webhook_delivery.merchant_id and r.id = webhook_delivery.result_id
  ));
create policy webhook_delivery_worker_select on webhook_delivery for select to app_worker using (true);
create policy webhook_delivery_worker_update on webhook_delivery for update to app_worker using (true);
create policy webhook_delivery_definer_select on webhook_delivery for select to app_definer using (true);
create policy webhook_delivery_definer_delete on webhook_delivery for delete to app_definer using (true);
create policy webhook_delivery_definer_insert on webhook_delivery for insert to app_definer with check (true);
grant select, insert, update (state, series, attempts, next_attempt_at, is_released, triggered_by, finished_at)
  on webhook_delivery to app_user, app_service;
grant select, update (state, series, attempts, next_attempt_at, is_released, triggered_by, last_outcome, last_status,
  finished_at) on webhook_delivery to app_worker;
grant select (id, merchant_id, endpoint_id, state, next_attempt_at, is_released, created_at, finished_at), insert, delete
  on webhook_delivery to app_definer;

call pg_temp.reset_access('webhook_attempt');
create policy webhook_attempt_caller_select on webhook_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_attempt_restricted_select on webhook_attempt as restrictive for select to app_restricted
  using (exists (
    select from webhook_delivery d where d.merchant_id = webhook_attempt.merchant_id and d.id = webhook_attempt.delivery_id
  ));
create policy webhook_attempt_worker_select on webhook_attempt for select to app_worker using (true);
create policy webhook_attempt_worker_insert on webhook_attempt for insert to app_worker with check (true);
create policy webhook_attempt_definer_select on webhook_attempt for select to app_definer using (true);
create policy webhook_attempt_definer_delete on webhook_attempt for delete to app_definer using (true);
grant select on webhook_attempt to app_user, app_service;
grant select, insert on webhook_attempt to app_worker;
grant select (merchant_id, delivery_id), delete on webhook_attempt to app_definer;

call pg_temp.reset_access('webhook_hold');
create policy webhook_hold_caller_select on webhook_hold for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_hold_restricted_select on webhook_hold as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = webhook_hold.merchant_id and r.id = webhook_hold.result_id
  ));
create policy webhook_hold_worker_select on webhook_hold for select to app_worker using (true);
create policy webhook_hold_definer_select on webhook_hold for select to app_definer using (true);
create policy webhook_hold_definer_insert on webhook_hold for insert to app_definer with check (true);
create policy webhook_hold_definer_update on webhook_hold for update to app_definer using (true);
create policy webhook_hold_definer_delete on webhook_hold for delete to app_definer using (true);
grant select on webhook_hold to app_user, app_service, app_worker;
grant select, insert, update (reasons), delete on webhook_hold to app_definer;

call pg_temp.reset_access('webhook_replay');
create policy webhook_replay_caller_select on webhook_replay for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_replay_caller_insert on webhook_replay for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and requested_by = (select app.caller_id()) and state = 'running' and replayed = 0 and finished_at is null
  );
create policy webhook_replay_caller_update on webhook_replay for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and state = 'running'
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and state = 'cancelled'
  );
create policy webhook_replay_worker_select on webhook_replay for select to app_worker using (true);
create policy webhook_replay_worker_update on webhook_replay for update to app_worker using (true);
grant select, insert, update (state, finished_at) on webhook_replay to app_user, app_service;
grant select, update (state, replayed, last_delivery_id, finished_at) on webhook_replay to app_worker;

call pg_temp.reset_access('webhook_sender');
create policy webhook_sender_worker_select on webhook_sender for select to app_worker using (true);
create policy webhook_sender_worker_insert on webhook_sender for insert to app_worker with check (true);
create policy webhook_sender_worker_update on webhook_sender for update to app_worker using (true);
create policy webhook_sender_definer_select on webhook_sender for select to app_definer using (true);
grant select, insert, update (owner, is_idle) on webhook_sender to app_worker;
grant select on webhook_sender to app_definer;

call pg_temp.reset_access('webhook_lease');
create policy webhook_lease_worker_select on webhook_lease for select to app_worker using (true);
create policy webhook_lease_worker_insert on webhook_lease for insert to app_worker with check (true);
create policy webhook_lease_worker_update on webhook_lease for update to app_worker using (true);
create policy webhook_lease_worker_delete on webhook_lease for delete to app_worker using (true);
create policy webhook_lease_definer_select on webhook_lease for select to app_definer using (true);
grant select, insert, update (delivery_ids, stamps), delete on webhook_lease to app_worker;
grant select (delivery_ids, stamps) on webhook_lease to app_definer;

-- Creates the partitions of a new database. Later ones are created by the worker (app.keep_webhook_partitions). This
-- stands here because the functions read the tables with the grants above.
do $$
begin
  if (select count(*) from pg_inherits where inhparent = 'webhook_delivery'::regclass) = 1 then
    while exists (select from app.keep_webhook_partitions('90 days') where done = 'made') loop
    end loop;
  end if;
end
$$;

call pg_temp.reset_access('webhook_event');
create policy webhook_event_caller_select on webhook_event for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- Only owners, admins and service keys read the log, so restricted people see no row.
create policy webhook_event_restricted_select on webhook_event as restrictive for select to app_restricted using (false);
create policy webhook_event_definer_insert on webhook_event for insert to app_definer with check (true);
create policy webhook_event_definer_select on webhook_event for select to app_definer using (true);
create policy webhook_event_definer_update on webhook_event for update to app_definer using (true);
create policy webhook_event_worker_select on webhook_event for select to app_worker using (true);
create policy webhook_event_worker_delete on webhook_event for delete to app_worker using (true);
grant select on webhook_event to app_user, app_service;
grant insert, select (tx), update (tx) on webhook_event to app_definer;
grant select (merchant_id, environment, tx, id, created_at), delete on webhook_event to app_worker;
