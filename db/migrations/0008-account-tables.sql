-- Credits (docs/account.md#credits).

create table credit_account (
  merchant_id uuid primary key references merchant (id),
  plan text not null default 'Free', -- 'Special' is unlimited
  subscription_status text check (subscription_status in ('trialing', 'active', 'past_due', 'canceled')),
  -- Periods are months from the anchor: the start of the subscription or, without one, the first of a month in UTC.
  period_anchor timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_started_at timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_ends_at timestamptz not null
    default ((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'),
  monthly_limit numeric(12, 2) not null default 0 check (monthly_limit >= 0),
  monthly numeric(12, 2) not null default 0 check (monthly >= 0),
  coaching_limit numeric(12, 2) not null default 0 check (coaching_limit >= 0),
  coaching numeric(12, 2) not null default 0 check (coaching >= 0),
  single numeric(12, 2) not null default 0 check (single >= 0), -- the sum of `single_credit.balance`
  extra numeric(12, 2) not null default 0 check (extra >= 0),
  invitations_sent integer not null default 0 check (invitations_sent >= 0),
  check (
    subscription_status is not null
    or period_anchor at time zone 'UTC' = date_trunc('month', period_anchor at time zone 'UTC')
  )
);
create index credit_account__period_ends_at on credit_account (period_ends_at);
alter table credit_account enable row level security, force row level security;

-- The single credits that are left for each interview or position.
create table single_credit (
  merchant_id uuid not null references credit_account (merchant_id),
  position_id uuid not null, -- an interview or a position
  balance numeric(12, 2) not null check (balance >= 0),
  primary key (merchant_id, position_id)
);
alter table single_credit enable row level security, force row level security;

create table credit_entry (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references credit_account (merchant_id),
  bucket text not null check (bucket in ('monthly', 'single', 'extra', 'coaching')),
  kind text not null check (kind in ('grant', 'renewal', 'expiry', 'charge', 'refund')),
  amount numeric(12, 2) not null check (amount <> 0),
  balance_after numeric(12, 2) not null check (balance_after >= 0),
  position_id uuid, -- the interview or position that single credits are for
  -- A charge or refund has an attempt, without a foreign key: credits pay for attempts without a lock on their results,
  -- because the transaction of a candidate locks the result first and then the account.
  result_id uuid,
  attempt integer,
  -- Null for entries that the product makes by itself, such as renewals and charges.
  reason text check (char_length(reason) between 1 and 500),
  actor text check (actor in ('platform_admin', 'platform_key')),
  period_started_at timestamptz not null, -- the start of the account's period when the entry was made
  created_at timestamptz not null default now(),
  check ((kind in ('charge', 'refund')) = (result_id is not null and attempt is not null))
);
create index credit_entry__merchant_id_created_at on credit_entry (merchant_id, created_at);
-- An attempt has at most one charge and one refund from each balance.
create unique index credit_entry__result_id_attempt_kind_bucket_position_id
  on credit_entry (result_id, attempt, kind, bucket, position_id) nulls not distinct where result_id is not null;
alter table credit_entry enable row level security, force row level security;

-- Attempts that wait for credits. A row is changed only while the credit account is locked.
create table unpaid_attempt (
  merchant_id uuid not null references credit_account (merchant_id),
  result_id uuid not null,
  attempt integer not null,
  interview_id uuid not null,
  position_id uuid,
  is_practice boolean not null, -- paid with coaching credits
  price numeric(12, 2) not null check (price > 0),
  due_at timestamptz not null,
  primary key (merchant_id, result_id, attempt)
);
create index unpaid_attempt__merchant_id_is_practice_due_at on unpaid_attempt (merchant_id, is_practice, due_at);
alter table unpaid_attempt enable row level security, force row level security;
