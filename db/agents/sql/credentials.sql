-- Which agent a credential belongs to.

set local role app_definer;

-- Returns what an agent with this credential may do, or no row if the credential is not valid. `p_credential` is the id of a
-- session, or the hexadecimal hash of a service key. `merchant_id` is the merchant for which the agent acts unless a
-- call names another; null for keys of the platform.
create or replace function app.find_agent(p_kind text, p_credential text, p_environment text)
returns table (agent text, scopes text[], unattended_decisions boolean, merchant_id uuid)
language sql stable security definer set search_path = ''
as $$
  select 'MCP', '{read,decide,manage,webhooks}'::text[], k.unattended_decisions, k.merchant_id
  from public.service_key k
  where p_kind = 'service_key' and k.hash = decode(p_credential, 'hex') and k.environment = p_environment
    and k.revoked_at is null
  union all
  select c.client_name, c.scopes, c.unattended_decisions, c.merchant_id
  from public.session s join public.agent_connection c on c.session_id = s.id
  where p_kind = 'user_session' and s.id = p_credential::uuid and s.environment = p_environment
    and s.revoked_at is null and s.expires_at > pg_catalog.now()
$$;
grant execute on function app.find_agent(text, text, text) to app_auth;

-- Opens a session for an agent that the caller connects, at the caller's merchant. Returns null if the caller may not enter
-- the console.
create or replace function app.open_agent_session(p_client_id text, p_client_name text, p_scopes text[]) returns uuid
language sql volatile security definer set search_path = ''
as $$
  with opened as (
    insert into public.session (profile_id, environment, kind, label)
    select app.profile_id(), app.environment(), 'agent', p_client_name where app.may_enter_console(app.profile_id())
    returning id
  )
  insert into public.agent_connection (session_id, merchant_id, environment, profile_id, client_id, client_name, scopes)
  select id, app.merchant_id(), app.environment(), app.profile_id(), p_client_id, p_client_name, p_scopes from opened
  returning session_id
$$;
grant execute on function app.open_agent_session(text, text, text[]) to app_user;

reset role;
