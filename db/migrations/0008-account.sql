-- Credits (docs/account.md#credits).

create table credit_account (
  merchant_id uuid primary key references merchant (id),
  plan text not null default 'Free', -- 'Special' is unlimited
  subscription_status text check (subscription_status in ('trialing', 'active', 'past_due', 'canceled')),
  monthly_limit numeric(12, 2) not null default 0 check (monthly_limit >= 0),
  monthly numeric(12, 2) not null default 0 check (monthly >= 0),
  single numeric(12, 2) not null default 0 check (single >= 0),
  extra numeric(12, 2) not null default 0 check (extra >= 0),
  -- Periods are months from the anchor: the start of the subscription or, without one, the first of a month in UTC.
  period_anchor timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_started_at timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_ends_at timestamptz not null
    default ((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'),
  invitations_sent integer not null default 0 check (invitations_sent >= 0),
  check (
    subscription_status is not null
    or period_anchor at time zone 'UTC' = date_trunc('month', period_anchor at time zone 'UTC')
  )
);
create index credit_account__period_ends_at on credit_account (period_ends_at);
alter table credit_account enable row level security, force row level security;

create table credit_entry (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references credit_account (merchant_id),
  bucket text not null check (bucket in ('monthly', 'single', 'extra')),
  kind text not null check (kind in ('grant', 'renewal', 'expiry', 'charge', 'refund')),
  amount numeric(12, 2) not null check (amount <> 0),
  result_id uuid,
  attempt integer,
  period_started_at timestamptz not null, -- the start of the account's period when the entry was made
  created_at timestamptz not null default now(),
  check ((kind in ('charge', 'refund')) = (result_id is not null and attempt is not null)),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create index credit_entry__merchant_id_created_at on credit_entry (merchant_id, created_at);
-- An attempt has at most one charge and one refund in each bucket of credits.
create unique index credit_entry__merchant_id_result_id_attempt_kind_bucket
  on credit_entry (merchant_id, result_id, attempt, kind, bucket) where result_id is not null;
alter table credit_entry enable row level security, force row level security;
