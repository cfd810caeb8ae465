-- Renames webhook_hand to webhook_lease, because a sender leases deliveries (docs/webhooks.md#the-sender).
alter table webhook_hand rename to webhook_lease;
alter index webhook_hand_pkey rename to webhook_lease_pkey;
alter policy webhook_hand_definer_select on webhook_lease rename to webhook_lease_definer_select;
alter policy webhook_hand_worker_select on webhook_lease rename to webhook_lease_worker_select;
alter policy webhook_hand_worker_insert on webhook_lease rename to webhook_lease_worker_insert;
alter policy webhook_hand_worker_update on webhook_lease rename to webhook_lease_worker_update;
alter policy webhook_hand_worker_delete on webhook_lease rename to webhook_lease_worker_delete;

set local role app_definer;
drop function app.deliveries_in_hand(uuid[]);
set local role app_owner;
-- Of the given deliveries, returns those that a sender leases, each with the number of its attempt. Callers cannot read
-- the table itself.
create function app.leased_deliveries(p_ids uuid[]) returns table (id uuid, stamp integer)
language sql stable security definer set search_path = '' rows 10
as $$
  select one.id, one.stamp from public.webhook_lease l cross join lateral unnest(l.delivery_ids, l.stamps) as one (id, stamp)
  where one.id = any (p_ids)
$$;
grant execute on function app.leased_deliveries(uuid[]) to app_user, app_service;
alter function app.leased_deliveries(uuid[]) owner to app_definer;
