-- Agents call the API at /mcp with the rights of a person or a service key, and people connect them by OAuth at /oauth
-- (docs/agents.md).

-- The agent of a session. The session ends the connection.
create table agent_connection (
  session_id uuid primary key references session (id),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  profile_id uuid not null references profile (id) default app.profile_id(),
  client_id text not null check (char_length(client_id) <= 2000),
  client_name text not null check (char_length(client_name) between 1 and 100),
  scopes text[] not null check (scopes <@ '{read,decide,manage,webhooks}'),
  -- True if an owner allowed this agent to decide about candidates without asking a person.
  unattended_decisions boolean not null default false,
  created_at timestamptz not null default now()
);
create index agent_connection__merchant_id_environment on agent_connection (merchant_id, environment);
alter table agent_connection enable row level security, force row level security;

-- A call of an agent that a person has to confirm first. It works once, for ten minutes, and only for the same arguments.
create table agent_confirmation (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  caller_id uuid not null default app.caller_id(),
  hash bytea not null,
  arguments_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, hash)
);
alter table agent_confirmation enable row level security, force row level security;

-- What the authorization server remembers: clients, codes, grants and tokens. Ids are hashed because some are secrets, and
-- payloads are sealed.
create table oauth_record (
  model text not null,
  hash bytea not null,
  payload_sealed bytea,
  grant_id uuid,
  uid_hash bytea,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, hash)
);
create index oauth_record__grant_id on oauth_record (grant_id) where grant_id is not null;
create index oauth_record__uid_hash on oauth_record (uid_hash) where uid_hash is not null;
create index oauth_record__expires_at on oauth_record (expires_at);
alter table oauth_record enable row level security, force row level security;
