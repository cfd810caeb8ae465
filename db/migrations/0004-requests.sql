-- Idempotency keys, and the outbox of workflows that start after a commit.

create table idempotency_key (
  id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  caller_id uuid not null default app.caller_id(),
  key text not null,
  operation text not null,
  body_hash bytea not null,
  reply_sealed bytea, -- null while the first call runs
  lease_until timestamptz not null default now() + interval '70 seconds',
  created_at timestamptz not null default now(),
  -- caller_id comes first because it is more selective than merchant_id, which can be null.
  unique nulls not distinct (caller_id, key, environment, merchant_id)
);
create index idempotency_key__created_at on idempotency_key (created_at);

create table workflow_start (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  workflow_type text not null,
  workflow_id text not null,
  argument jsonb not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index workflow_start__next_attempt_at on workflow_start (next_attempt_at);

alter table idempotency_key enable row level security, force row level security;
alter table workflow_start enable row level security, force row level security;

create policy idempotency_key_caller_select on idempotency_key for select to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_insert on idempotency_key for insert to app_user, app_service
  with check (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_update on idempotency_key for update to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
create policy idempotency_key_caller_delete on idempotency_key for delete to app_user, app_service
  using (
    merchant_id is not distinct from (select app.merchant_id()) and environment = (select app.environment())
    and caller_id = (select app.caller_id())
  );
grant select, insert, delete on idempotency_key to app_user, app_service;
grant update (id, body_hash, operation, reply_sealed, lease_until, created_at) on idempotency_key to app_user, app_service;
create policy idempotency_key_worker_select on idempotency_key for select to app_worker using (true);
create policy idempotency_key_worker_delete on idempotency_key for delete to app_worker using (true);
grant select (id, created_at), delete on idempotency_key to app_worker;

create policy workflow_start_caller_insert on workflow_start for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant insert on workflow_start to app_user, app_service;
create policy workflow_start_worker_select on workflow_start for select to app_worker using (true);
create policy workflow_start_worker_update on workflow_start for update to app_worker using (true);
create policy workflow_start_worker_delete on workflow_start for delete to app_worker using (true);
grant select, update (attempts, next_attempt_at), delete on workflow_start to app_worker;
