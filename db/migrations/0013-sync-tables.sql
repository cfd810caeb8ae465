-- What GET /sync reads (docs/sync.md).

-- One row for each object that an integrator can mirror, with the transaction that changed it last. Deleted objects keep
-- their row for 90 days.
create table change (
  merchant_id uuid not null,
  environment text check (environment in ('production', 'uat', 'development', 'demo')), -- null: in all environments
  object text not null check (
    object in ('interview', 'position', 'candidate', 'invitation', 'result', 'decision', 'credit_entry', 'audit_entry',
      'team_member', 'report', 'knowledge_base', 'directory')
  ),
  id text collate "C" not null,
  tx xid8 not null default pg_current_xact_id(),
  version bigint not null default 1,
  changed_at timestamptz not null default now(),
  deleted_at timestamptz,
  reason text check (reason in ('deleted', 'erased', 'merged')),
  primary key (merchant_id, object, id),
  check ((deleted_at is null) = (reason is null))
);
create index change__merchant_id_environment_tx_object_id on change (merchant_id, environment, tx, object, id);
create index change__deleted_at on change (deleted_at) where deleted_at is not null;
alter table change enable row level security, force row level security;

-- Changes that a job records later, because one transaction made very many (docs/sync.md#very-many-changes).
create table waiting_change (
  merchant_id uuid not null,
  environment text check (environment in ('production', 'uat', 'development', 'demo')), -- null: in all environments
  id uuid not null default uuidv7(),
  object text not null, -- as in change
  object_ids text[] not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
alter table waiting_change enable row level security, force row level security;

-- The only row. Cursors of other generations have expired: after a restore, they could be ahead of the database.
create table sync_generation (
  id boolean primary key default true check (id),
  generation uuid not null default gen_random_uuid()
);
-- The row is inserted before row-level security is forced on the owner of the table.
insert into sync_generation default values;
alter table sync_generation enable row level security, force row level security;
