-- Agents call the API at /mcp with the rights of a person or a service key (docs/agents.md).

-- The environments in which agents may work for the merchant.
alter table merchant add column agent_environments text[] not null default '{uat,development,demo}'
  check (agent_environments <@ '{production,uat,development,demo}');
-- True if an owner allowed the agent with this key to decide about candidates without asking a person.
alter table service_key add column unattended_decisions boolean not null default false;
-- The name of the agent through which the actor acted. Null if the actor used no agent.
alter table audit_entry add column agent text default app.agent();

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
