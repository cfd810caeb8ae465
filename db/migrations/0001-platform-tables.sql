-- The merchants, and what every domain shares: the audit log, idempotency keys, the outbox of workflows, counts and limits.

-- Indexes of trigrams find parts of texts. The owner of a database may create this extension. No role may use its schema,
-- so no role may call its functions.
create schema extension;
create extension pg_trgm schema extension;

create type app.request_scope as (
  merchant_id uuid, profile_id uuid, caller_id uuid, role text, environment text, db_role text
);

create table merchant (
  id uuid primary key default uuidv7(),
  name text not null check (name <> ''),
  parent_id uuid references merchant (id),
  created_at timestamptz not null default now(),
  -- What the merchant's pages, mails and PDFs look like (docs/account.md#logo-and-accent-color).
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  logo_path text check (logo_path ~ '^[0-9a-f-]{36}/logo/[0-9a-f]{32}[.]png$'),
  -- `portal_domain_claim` is the domain that a merchant asks for; several merchants can claim the same one.
  -- `portal_domain` is the domain that is served, and it is set only after the DNS proof.
  portal_domain_claim text check (
    char_length(portal_domain_claim) <= 253
    and portal_domain_claim ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9]){0,1}\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9]){0,1}$'
  ),
  portal_domain_challenge text not null default replace(gen_random_uuid()::text, '-', ''),
  portal_domain text unique check (
    char_length(portal_domain) <= 253
    and portal_domain ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9]){0,1}\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9]){0,1}$'
  ),
  start_directory text check (char_length(start_directory) between 1 and 200),
  time_zone text not null default 'UTC', -- determines when a day begins
  reports_enabled boolean not null default true,
  -- If an interval is null, that reminder is off.
  reminder_after interval default '3 days',
  final_reminder_after interval default '7 days',
  mail_next_step boolean not null default true,
  mail_reopened boolean not null default false,
  -- Recipients that may get invitation mails outside production: normalized addresses, or `*@domain`.
  test_recipients text[] not null default '{}' check (cardinality(test_recipients) <= 100),
  -- How long the merchant keeps what candidates said (docs/operations.md#retention).
  recording_retention_days integer not null default 180 check (recording_retention_days between 1 and 3650),
  draft_retention_days integer not null default 90 check (draft_retention_days between 1 and 3650),
  result_retention_days integer not null default 730 check (result_retention_days between 1 and 3650),
  -- The contact for candidates' questions about their data: an email address, an https address or a postal address.
  privacy_contact text check (length(privacy_contact) between 1 and 200),
  -- The environments in which agents may work for the merchant (docs/agents.md).
  agent_environments text[] not null default '{uat,development,demo}'
    check (agent_environments <@ '{production,uat,development,demo}'),
  -- Whose agents people may connect: host names, or none for any.
  agent_hosts text[] not null default '{}' check (cardinality(agent_hosts) <= 50),
  check (final_reminder_after > reminder_after)
);
create index merchant__parent_id on merchant (parent_id);
alter table merchant enable row level security, force row level security;

-- What people did at a merchant, and with which credential. Entries are never changed.
create table audit_entry (
  id uuid primary key default uuidv7(),
  -- Entries about actions on the whole platform have no merchant. Only platform admins write and see them.
  merchant_id uuid references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  actor_id uuid not null default app.caller_id(), -- a profile, or a service key
  actor_role text not null default app.caller_role(),
  agent text default app.agent(), -- the name of the agent through which the actor acted; null: none
  act text not null check (act <> ''),
  subject_id text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- True for actions on what all environments of an account share, such as its credits and its knowledge bases. Their
  -- entries are in the audit log of every environment. The column is stored, because a policy calls no function of a
  -- row's column.
  is_of_account boolean not null generated always as (
    act ~ '^(merchant|portal-domain|team-member|knowledge-base|catalogue-tag)-|^report-(create|update|share|archive)$'
  ) stored
);
create index audit_entry__merchant_id_environment_id on audit_entry (merchant_id, environment, id);
-- The page of a result uses this index to list the audit entries about the result.
create index audit_entry__merchant_id_subject_id_id on audit_entry (merchant_id, subject_id, id);
alter table audit_entry enable row level security, force row level security;

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
alter table idempotency_key enable row level security, force row level security;

-- The outbox: workflows that start after a commit.
create table workflow_start (
  id uuid primary key default uuidv7(),
  -- Null for the sign-in mail of a platform admin, who has no merchant.
  merchant_id uuid references merchant (id) default app.merchant_id(),
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
alter table workflow_start enable row level security, force row level security;

-- The current count of an interview or position is the sum of the rows with its `scope_id`, so reads can leave out
-- archived definitions. The rows with a `quarter` show what was added in that quarter of an hour. They can be summed up
-- by day, because days begin at a full quarter of an hour in every time zone. A new row can have both columns. The
-- cleanup job folds new rows: it adds their values to the `folded` rows of the scope and of the quarter.
create table account_count (
  -- Each connection reserves 100 ids at a time, so that writers seldom wait for the sequence.
  id bigint generated always as identity (cache 100) primary key,
  -- The table has no foreign keys and few checks, because only the triggers in counts.sql add rows and checks would
  -- slow down every write.
  merchant_id uuid not null,
  environment text not null,
  metric text not null,
  scope_id uuid,
  quarter timestamptz,
  value bigint not null,
  folded boolean not null default false, -- true if the cleanup job made this row as the sum of other rows
  check (scope_id is not null or quarter is not null),
  check (not folded or scope_id is null or quarter is null)
);
-- Each index covers either folded or unfolded rows, so that an insert changes few indexes.
create unique index account_count__merchant_id_environment_metric_scope_id_quarter
  on account_count (merchant_id, environment, metric, scope_id, quarter) nulls not distinct where folded;
create index account_count__merchant_id_environment on account_count (merchant_id, environment) where not folded;
create index account_count__quarter on account_count (quarter) where folded;
alter table account_count enable row level security, force row level security;

-- Counts that all API processes share, for the limits of requests per minute (docs/security.md#limits). The table is
-- unlogged, because a count is worthless after a minute: a crash of Postgres empties the table.
create unlogged table rate_window (
  key bytea primary key check (length(key) = 32), -- the SHA-256 of what is limited and of its session, key, link or address
  ends_at timestamptz not null,
  used integer not null -- the points that processes have taken in this window
);
alter table rate_window enable row level security, force row level security;
