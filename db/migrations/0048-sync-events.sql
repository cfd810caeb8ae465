-- The event sync.changed: something of the account has changed (docs/webhooks.md#the-event-of-the-feed).
alter table webhook_endpoint
  add sync_announced_tx xid8, -- the newest change that the endpoint was told about
  add sync_delivery_id uuid, -- the delivery that did
  drop constraint webhook_endpoint_events_check,
  add constraint webhook_endpoint_events_check check (
    events <@ array['interview_result', 'interview_collected', 'interview_failed', 'sync.changed'] and cardinality(events) > 0
  );
alter table webhook_delivery
  drop constraint webhook_delivery_event_check,
  add constraint webhook_delivery_event_check check (
    event in ('interview_result', 'interview_collected', 'interview_failed', 'sync.changed', 'test')
  ),
  drop constraint webhook_delivery_check,
  add constraint webhook_delivery_check check ((event in ('sync.changed', 'test')) = (result_id is null));
