-- The events of webhooks in the order of their transactions, whether or not an endpoint gets them (docs/webhooks.md#the-log-of-events).
create table webhook_event (
  merchant_id uuid not null,
  environment text not null,
  tx xid8 not null default pg_current_xact_id(),
  id uuid not null default uuidv7(),
  event text not null, -- as in webhook_delivery
  result_id uuid not null,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, environment, tx, id)
);
-- Finds the events that are old enough to be deleted. Rows are in the order of their times, so this is enough.
create index webhook_event__created_at on webhook_event using brin (created_at);

-- Events of before are known by their deliveries, which have the same time for each endpoint.
alter table webhook_delivery no force row level security;
insert into webhook_event (merchant_id, environment, id, event, result_id, reason, created_at)
  select merchant_id, environment, (array_agg(id order by id))[1], event, result_id, reason, created_at
  from webhook_delivery where result_id is not null and created_at > now() - interval '90 days'
  group by merchant_id, environment, event, result_id, reason, created_at;
alter table webhook_delivery force row level security;
alter table webhook_event enable row level security, force row level security;
