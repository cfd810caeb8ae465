-- People, their teams and their credentials (docs/identity.md).

create table profile (
  id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id) default app.merchant_id(),
  role text not null check (
    role in ('merchant_owner', 'merchant', 'merchant_selection', 'admin', 'user', 'mentor', 'candidate')
  ),
  email text not null,
  -- `email_key` is the normalized address for comparisons (db/people/email-key.ts). Team members and learners have one
  -- account on the whole platform; each merchant has its own candidates.
  email_key text not null,
  name text,
  platform_language_code text not null default 'en',
  created_at timestamptz not null default now(),
  activated_at timestamptz, -- null: invited, not yet accepted
  -- An owner disables or withdraws a person at one merchant. For the home merchant this is stored in `profile`, for other
  -- merchants in `merchant_access`. The platform sets `profile.disabled_at`, which ends the account everywhere.
  disabled_at timestamptz,
  home_disabled_at timestamptz,
  home_withdrawn_at timestamptz, -- if set, the person no longer belongs to the home merchant
  -- The time at which the home merchant last gave the person a team role again, after the person was a learner or
  -- withdrawn there. Null if that never happened.
  home_team_since timestamptz,
  -- Calls without merchant_id act at this merchant. It is chosen when a session opens, and changes only after the
  -- person has lost the team role there (docs/identity.md#which-merchant-a-call-is-about).
  default_merchant_id uuid references merchant (id),
  unique (merchant_id, id),
  check (merchant_id is not null or role = 'admin')
);
-- Without candidates, because a lookup of one by address would sometimes read all candidates of the merchant in it.
create index profile__merchant_id_role on profile (merchant_id, role) where role <> 'candidate';
create unique index profile__email_key on profile (email_key) where role <> 'candidate';
create unique index profile__merchant_id_email_key on profile (merchant_id, email_key) where role = 'candidate';
alter table profile enable row level security, force row level security;

-- Gives a person access to a merchant other than the person's home merchant. In calls for that merchant, the person has
-- the role of this row.
create table merchant_access (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  profile_id uuid not null references profile (id),
  role text not null check (
    role in ('merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor')
  ),
  name text, -- the name that this merchant gave a person whose home is elsewhere
  -- False if the person had not accepted any invitation when the merchant gave this access. An account that is already
  -- active gets access without an acceptance.
  is_accepted boolean not null default true,
  created_at timestamptz not null default now(),
  -- The time at which this merchant gave the person a team role. Null for other roles. It is 'infinity' for a former home
  -- merchant whose invitation the person did not accept.
  team_since timestamptz,
  disabled_at timestamptz,
  primary key (merchant_id, profile_id)
);
create index merchant_access__profile_id on merchant_access (profile_id);
alter table merchant_access enable row level security, force row level security;

-- How often this merchant has withdrawn the person. Invitation links contain this number.
create table team_withdrawal (
  merchant_id uuid not null references merchant (id),
  profile_id uuid not null references profile (id),
  withdrawals integer not null default 1 check (withdrawals > 0),
  primary key (merchant_id, profile_id)
);
alter table team_withdrawal enable row level security, force row level security;

create table session (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profile (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  -- A console session is found by the hash of its cookie, an API session by its signed token, and that of an agent by its
  -- OAuth token.
  kind text not null default 'api' check (kind in ('api', 'console', 'agent')),
  cookie_hash bytea unique,
  label text check (char_length(label) between 1 and 100),
  user_agent text check (char_length(user_agent) <= 200),
  opened_by uuid references profile (id),
  -- Set if another person opened the session, which then reaches only this merchant and its sub-merchants.
  bound_merchant_id uuid references merchant (id),
  -- The default merchant of the profile at the time when the session was opened. A session that is bound to a merchant
  -- has that merchant as its default.
  default_merchant_id uuid references merchant (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint session_cookie check ((kind = 'console') = (cookie_hash is not null))
);
create index session__profile_id on session (profile_id);
create index session__opened_by on session (opened_by) where bound_merchant_id is not null;
alter table session enable row level security, force row level security;

-- Used tokens are kept until they expire: a second use shows that the token was stolen, and ends the session.
create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session (id),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token__session_id on refresh_token (session_id);
alter table refresh_token enable row level security, force row level security;

-- Owners and admins create and revoke service keys. All columns except the hash can be read.
create table service_key (
  id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id) default app.merchant_id(),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')) default app.environment(),
  name text check (char_length(name) between 1 and 100),
  hash bytea not null unique,
  -- True if an owner allowed the agent with this key to decide about candidates without asking a person.
  unattended_decisions boolean not null default false,
  created_by uuid references profile (id) default app.profile_id(),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index service_key__merchant_id on service_key (merchant_id);
alter table service_key enable row level security, force row level security;

-- A sign-in link for the console. It can be used once within 15 minutes. `hash` is null until the worker writes the
-- mail.
create table sign_in_link (
  id uuid primary key default uuidv7(),
  profile_id uuid not null references profile (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  is_mailed boolean not null default false,
  hash bytea unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '15 minutes',
  used_at timestamptz
);
create index sign_in_link__profile_id_created_at on sign_in_link (profile_id, created_at);
create index sign_in_link__created_at on sign_in_link (created_at);
alter table sign_in_link enable row level security, force row level security;

-- Owners can restrict a hiring manager to some positions (docs/identity.md#positions-of-hiring-managers).
-- A person without rows sees every position of the merchant. A row in one environment restricts the person in all
-- environments.
create table position_member (
  merchant_id uuid not null references merchant (id),
  profile_id uuid not null references profile (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  -- The ids of positions, and of interviews whose candidates belong to no position.
  position_ids uuid[] not null check (cardinality(position_ids) <= 200),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, profile_id, environment)
);
alter table position_member enable row level security, force row level security;
