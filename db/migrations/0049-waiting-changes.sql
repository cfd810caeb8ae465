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
