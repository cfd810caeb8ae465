-- Webhooks (docs/webhooks.md).

create table webhook_endpoint (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  url text not null,
  description text,
  events text[] not null check (
    events <@ array['interview_result', 'interview_collected', 'interview_failed', 'sync.changed'] and cardinality(events) > 0
  ),
  custom_headers_sealed bytea, -- a JSON object, sealed for `webhook_endpoint/<id>`
  timeout_seconds integer not null default 60 check (timeout_seconds between 1 and 60),
  -- The waits before attempts 2 to 10, in milliseconds. Null means the default
  -- (docs/webhooks.md#attempts-and-schedule).
  retry_waits_ms integer[] check (cardinality(retry_waits_ms) = 9),
  in_flight_limit integer check (in_flight_limit between 1 and 50),
  enabled boolean not null default true, -- an owner can turn the endpoint off
  paused_reason text check (paused_reason in ('failing', 'gone', 'by_hand')),
  paused_at timestamptz,
  paused_mailed_at timestamptz,
  failing_since timestamptz, -- since then every attempt failed
  last_failed_at timestamptz, -- accurate to the hour, so that not every failure updates the row
  -- The newest change of the account that the endpoint was told about, and the delivery that did
  -- (docs/webhooks.md#the-event-of-the-feed).
  sync_announced_tx xid8,
  sync_delivery_id uuid,
  -- Every change that senders must see raises the version, because they cache an endpoint until its version changes.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (merchant_id, id),
  check ((paused_reason is null) = (paused_at is null))
);
create index webhook_endpoint__merchant_id_environment_id on webhook_endpoint (merchant_id, environment, id)
  where deleted_at is null;
-- Lets the worker's scan for due deliveries skip endpoints that are disabled, paused or deleted.
create index webhook_endpoint__id on webhook_endpoint (id)
  where enabled and paused_reason is null and deleted_at is null;
-- Finds the pauses that the worker has to mail to the owners.
create index webhook_endpoint__paused_at on webhook_endpoint (paused_at)
  where paused_reason in ('failing', 'gone') and paused_mailed_at is null and deleted_at is null;
alter table webhook_endpoint enable row level security, force row level security;

-- Requests are signed with every secret that has not expired. After a rotation, an endpoint has more than one.
create table webhook_secret (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  endpoint_id uuid not null,
  secret_sealed bytea not null, -- sealed for `webhook_secret/<id>`
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (merchant_id, endpoint_id) references webhook_endpoint (merchant_id, id)
);
create index webhook_secret__merchant_id_endpoint_id on webhook_secret (merchant_id, endpoint_id);
alter table webhook_secret enable row level security, force row level security;

-- One event for one endpoint. The table has no foreign keys, because a thousand simultaneous inserts, each in the
-- transaction of a result, would share locks on one endpoint's row. Endpoints are only marked as deleted, so the id
-- stays valid.
create table webhook_delivery (
  id uuid not null default uuidv7(),
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment(),
  endpoint_id uuid not null,
  event text not null
    check (event in ('interview_result', 'interview_collected', 'interview_failed', 'sync.changed', 'test')),
  result_id uuid,
  reason text not null,
  state text not null default 'queued' check (state in ('queued', 'retried', 'acknowledged', 'gave_up', 'cancelled')),
  series integer not null default 1 check (series >= 1),
  attempts integer not null default 0 check (attempts between 0 and 10), -- made in this series
  next_attempt_at timestamptz default now(),
  -- True if the workflow of the endpoint has released the retry, so that the sender sends it when it is due.
  is_released boolean not null default false,
  -- The caller who requested the next attempt. Null if the retry schedule determined it.
  triggered_by uuid,
  last_outcome text,
  last_status integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (id),
  check ((event in ('sync.changed', 'test')) = (result_id is null)),
  check ((next_attempt_at is not null) = (state in ('queued', 'retried'))),
  check ((finished_at is null) = (state in ('queued', 'retried')))
) partition by range (id);
-- The first index is the sender's queue. The endpoint's workflow finds its retries with the second one.
create index webhook_delivery__endpoint_id_next_attempt_at on webhook_delivery (endpoint_id, next_attempt_at)
  where state = 'queued' or state = 'retried' and is_released;
create index webhook_delivery__endpoint_id_next_attempt_at_id on webhook_delivery (endpoint_id, next_attempt_at, id)
  where state = 'retried';
create index webhook_delivery__merchant_id_environment_id on webhook_delivery (merchant_id, environment, id);
create index webhook_delivery__merchant_id_result_id on webhook_delivery (merchant_id, result_id);
-- Searches by endpoint or state use this index instead of reading many rows to find a few. It has no `queued`
-- deliveries, so that inserts do not update it.
create index webhook_delivery__merchant_id_endpoint_id_state_id on webhook_delivery (merchant_id, endpoint_id, state, id)
  where state <> 'queued';
alter table webhook_delivery enable row level security, force row level security;

create table webhook_attempt (
  merchant_id uuid not null,
  environment text not null,
  delivery_id uuid not null,
  series integer not null,
  attempt integer not null check (attempt between 1 and 10),
  started_at timestamptz not null,
  outcome text not null check (
    outcome in ('acknowledged', 'refused', 'timeout', 'network', 'blocked_address', 'worker_lost')
  ),
  status integer,
  error text,
  -- These headers are only shown, never compared. The type json keeps their order.
  request_headers json,
  request_body text,
  response_headers json,
  response_body text,
  is_truncated boolean not null default false,
  peer_address text,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real,
  triggered_by uuid,
  primary key (merchant_id, delivery_id, series, attempt)
) partition by range (delivery_id);
alter table webhook_attempt enable row level security, force row level security;

-- The default partitions take rows of months without a partition. Rejecting such a row would roll back the change of
-- its result too. `app.keep_webhook_partitions` creates the partitions of the months.
create table webhook_delivery_other partition of webhook_delivery default;
create table webhook_attempt_other partition of webhook_attempt default;
alter table webhook_delivery_other enable row level security, force row level security;
alter table webhook_attempt_other enable row level security, force row level security;

-- The events in the order of their transactions, whether or not an endpoint gets them (docs/webhooks.md#the-log-of-events).
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
alter table webhook_event enable row level security, force row level security;

-- An event that waits for the PDF of its result, and the fields that have changed meanwhile.
create table webhook_hold (
  merchant_id uuid not null,
  environment text not null,
  result_id uuid not null,
  reasons text[] not null,
  held_at timestamptz not null default now(),
  primary key (merchant_id, result_id)
);
alter table webhook_hold enable row level security, force row level security;

create table webhook_replay (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  filter jsonb not null,
  per_second integer not null check (per_second between 1 and 1000),
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  matched integer not null,
  replayed integer not null default 0,
  last_delivery_id uuid, -- the last delivery that was replayed
  requested_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index webhook_replay__merchant_id_environment_id on webhook_replay (merchant_id, environment, id);
alter table webhook_replay enable row level security, force row level security;

-- One row per shard. Transactions that insert deliveries notify a sender only while it is idle.
create table webhook_sender (
  shard integer primary key,
  owner uuid not null,
  is_idle boolean not null default false
);
alter table webhook_sender enable row level security, force row level security;

-- The deliveries that each sender is sending. Marking every delivery in its own row instead would write the row and all
-- its index entries twice. A sender that is alive holds the advisory lock of its owner id.
create table webhook_lease (
  owner uuid primary key,
  delivery_ids uuid[] not null default '{}',
  stamps integer[] not null default '{}' -- series * 100 + attempts of each delivery
) with (toast_tuple_target = 8160);
alter table webhook_lease alter column delivery_ids set storage external;
alter table webhook_lease enable row level security, force row level security;
