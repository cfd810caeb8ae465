-- The console: sign-in links, its sessions, keys and settings of a merchant, and the audit log
-- (docs/identity.md#signing-in-to-the-console).

-- Redefines the function of 0002, so that it also stores the caller's role (`service` for a service key).
create or replace function app.begin_request(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean, p_statement_timeout text
) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
begin
  scope := app.check_credential(
    p_kind, p_credential, p_profile_id, p_role, p_home_merchant_id, p_environment, p_merchant, p_roles, p_needs_merchant
  );
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', coalesce(scope.profile_id::text, ''), true),
    pg_catalog.set_config('app.caller_id', scope.caller_id::text, true),
    pg_catalog.set_config('app.role', scope.role, true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', scope.db_role, true);
  return scope;
end
$$;

-- What people did at a merchant, and with which credential. Entries are never changed.
create table audit_entry (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  actor_id uuid not null default app.caller_id(), -- a profile, or a service key
  actor_role text not null default app.caller_role(),
  act text not null check (act <> ''),
  subject_id text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_entry__merchant_id_environment_id on audit_entry (merchant_id, environment, id);
alter table audit_entry enable row level security, force row level security;
create policy audit_entry_caller_select on audit_entry for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy audit_entry_caller_insert on audit_entry for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and actor_id = (select app.caller_id()) and actor_role = (select app.caller_role())
  );
grant select, insert on audit_entry to app_user, app_service;

-- Merchant settings that an owner can change.
alter table merchant
  add column portal_domain text unique check (
    char_length(portal_domain) <= 253
    and portal_domain ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9]){0,1}\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9]){0,1}$'
  ),
  add column start_directory text check (char_length(start_directory) between 1 and 200),
  add column reports_enabled boolean not null default true;
create policy merchant_user_update on merchant for update to app_user
  using (id = (select app.merchant_id()) and (select app.caller_role()) in ('merchant_owner', 'admin'));
grant select (reminder_after, final_reminder_after, portal_domain, start_directory, reports_enabled)
  on merchant to app_user, app_service;
grant update (time_zone, reminder_after, final_reminder_after, portal_domain, start_directory, reports_enabled)
  on merchant to app_user;

-- Owners and admins create and revoke service keys. All columns except the hash can be read.
alter table service_key
  add column name text check (char_length(name) between 1 and 100),
  add column created_by uuid references profile (id) default app.profile_id();
create policy service_key_user_select on service_key for select to app_user
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy service_key_user_insert on service_key for insert to app_user
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and created_by = (select app.profile_id()) and (select app.caller_role()) in ('merchant_owner', 'admin')
  );
create policy service_key_user_update on service_key for update to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) in ('merchant_owner', 'admin')
  );
grant select (id, merchant_id, environment, name, created_by, created_at, last_used_at, revoked_at),
  insert, update (revoked_at) on service_key to app_user;
alter table service_key alter column merchant_id set default app.merchant_id(),
  alter column environment set default app.environment();

-- The console lists people by name to open a session for one of them, and shows the names next to what they did.
grant select (name, email) on profile to app_user, app_auth;

-- A console session is found by the hash of its cookie, an API session by its signed token.
alter table session
  add column kind text not null default 'api' check (kind in ('api', 'console')),
  add column label text check (char_length(label) between 1 and 100),
  add column user_agent text check (char_length(user_agent) <= 200),
  add column cookie_hash bytea unique,
  add constraint session_cookie check ((kind = 'console') = (cookie_hash is not null));
create policy session_definer_insert on session for insert to app_definer with check (true);
create policy session_definer_update on session for update to app_definer using (true);
create policy refresh_token_definer_insert on refresh_token for insert to app_definer with check (true);
grant insert, update (revoked_at) on session to app_definer;
grant insert on refresh_token to app_definer;

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
create policy sign_in_link_definer_select on sign_in_link for select to app_definer using (true);
create policy sign_in_link_definer_insert on sign_in_link for insert to app_definer with check (true);
create policy sign_in_link_definer_update on sign_in_link for update to app_definer using (true);
grant select, insert, update (used_at) on sign_in_link to app_definer;
create policy sign_in_link_worker_select on sign_in_link for select to app_worker using (true);
create policy sign_in_link_worker_update on sign_in_link for update to app_worker using (true);
create policy sign_in_link_worker_delete on sign_in_link for delete to app_worker using (true);
grant select, update (hash, expires_at), delete on sign_in_link to app_worker;
grant select (merchant_id) on profile to app_worker;

-- A platform admin has no merchant, and neither has the outbox row of the admin's sign-in mail.
alter table workflow_start alter column merchant_id drop not null;
create policy workflow_start_definer_insert on workflow_start for insert to app_definer with check (true);
grant insert on workflow_start to app_definer;

-- True if a person with these values can use the console.
create function app.may_enter_console(p_role text, p_disabled_at timestamptz, p_activated_at timestamptz)
returns boolean language sql immutable parallel safe
as $$
  select p_role in ('merchant_owner', 'merchant', 'merchant_selection', 'admin')
    and p_disabled_at is null and p_activated_at is not null
$$;
revoke execute on function app.may_enter_console(text, timestamptz, timestamptz) from public;
grant execute on function app.may_enter_console(text, timestamptz, timestamptz) to app_definer, app_auth;

-- Queues a mail with a sign-in link if an account has this address and got fewer than five in the last hour. Returns
-- nothing, so that callers cannot find out whether the account exists.
create function app.request_sign_in(p_email_key text, p_environment text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person record;
  link_id uuid;
begin
  select p.id, p.merchant_id into person from public.profile p
    where p.role <> 'candidate' and p.email_key = p_email_key
      and app.may_enter_console(p.role, p.disabled_at, p.activated_at);
  if not found then
    return;
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('sign_in_link/' || person.id::text, 0));
  perform from public.sign_in_link l
    where l.profile_id = person.id and l.is_mailed and l.created_at > pg_catalog.now() - interval '1 hour'
    offset 4;
  if found then
    return;
  end if;
  insert into public.sign_in_link (profile_id, environment, is_mailed) values (person.id, p_environment, true)
    returning id into link_id;
  insert into public.workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
    values (
      person.merchant_id, p_environment, 'signInMail', 'sign-in-mail/' || link_id::text,
      pg_catalog.jsonb_build_object('sign_in_id', link_id)
    );
end
$$;

-- Returns the person to whom the link was mailed, if the link is unused and has not expired.
create function app.read_sign_in_link(p_hash bytea)
returns table (name text, email text, role text, merchant_name text, environment text)
language sql stable security definer set search_path = ''
as $$
  select p.name, p.email, p.role, m.name, l.environment
  from public.sign_in_link l join public.profile p on p.id = l.profile_id left join public.merchant m on m.id = p.merchant_id
  where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now()
    and app.may_enter_console(p.role, p.disabled_at, p.activated_at)
$$;

-- Uses up a sign-in link to open a console session of 12 hours. Returns the id of the session, or null if the link was
-- used, has expired or is unknown.
create function app.spend_sign_in_link(p_hash bytea, p_cookie_hash bytea, p_user_agent text) returns uuid
language sql volatile security definer set search_path = ''
as $$
  with spent as (
    update public.sign_in_link l set used_at = pg_catalog.now()
    from public.profile p
    where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now()
      and p.id = l.profile_id and app.may_enter_console(p.role, p.disabled_at, p.activated_at)
    returning l.profile_id, l.environment
  )
  insert into public.session (profile_id, environment, kind, user_agent, cookie_hash, expires_at)
  select profile_id, environment, 'console', pg_catalog.left(p_user_agent, 200), p_cookie_hash, pg_catalog.now() + interval '12 hours'
  from spent
  returning id
$$;

-- Lists the merchants that the caller can choose, with the caller's role at each.
create function app.list_reachable_merchants(p_filter text, p_limit_rows integer)
returns table (id uuid, name text, role text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.name, case when p.role = 'admin' then 'admin' when m.id = p.merchant_id then p.role else a.role end
  from public.profile p
  cross join public.merchant m
  left join public.merchant_access a on a.profile_id = p.id and a.merchant_id = m.id
  where p.id = app.profile_id()
    and (
      p.role = 'admin' or m.id = p.merchant_id
      or a.role in ('merchant_owner', 'merchant', 'merchant_selection')
    )
    and pg_catalog.strpos(pg_catalog.lower(m.name), pg_catalog.lower(p_filter)) > 0
  order by m.name, m.id limit p_limit_rows
$$;

-- Returns whether the caller can see and end the sessions of a person. Every caller can do so for the caller's own
-- sessions, and owners and admins for the sessions of the merchant's people. Only admins can do so for the sessions of
-- admins.
create function app.manages_sessions_of(p_profile_id uuid, p_merchant_id uuid, p_role text) returns boolean
language sql stable
as $$
  select p_profile_id = app.profile_id()
    or app.caller_role() = 'admin' and p_merchant_id = app.merchant_id()
    or app.caller_role() = 'merchant_owner' and p_merchant_id = app.merchant_id() and p_role <> 'admin'
$$;
revoke execute on function app.manages_sessions_of(uuid, uuid, text) from public;
grant execute on function app.manages_sessions_of(uuid, uuid, text) to app_definer;

create function app.list_sessions(p_limit_rows integer)
returns table (
  id uuid, kind text, label text, user_agent text, created_at timestamptz, expires_at timestamptz,
  last_used_at timestamptz, profile_id uuid, name text, email text, role text
)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.kind, s.label, s.user_agent, s.created_at, s.expires_at, s.last_used_at, p.id, p.name, p.email, p.role
  from public.session s join public.profile p on p.id = s.profile_id
  where s.environment = app.environment() and s.revoked_at is null and s.expires_at > pg_catalog.now()
    and (p.id = app.profile_id() or p.merchant_id = app.merchant_id())
    and app.manages_sessions_of(p.id, p.merchant_id, p.role)
  order by coalesce(s.last_used_at, s.created_at) desc, s.id limit p_limit_rows
$$;

create function app.revoke_session(p_session_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with revoked as (
    update public.session s set revoked_at = pg_catalog.now()
    from public.profile p
    where s.id = p_session_id and s.environment = app.environment() and s.revoked_at is null
      and p.id = s.profile_id and app.manages_sessions_of(p.id, p.merchant_id, p.role)
    returning s.id
  )
  select exists (select from revoked)
$$;

-- Opens an API session for a person and stores its first refresh token. Returns no row if the caller may not open it.
-- An owner cannot open a session for a person who also has access to other merchants than the owner's, because the
-- session would reach those merchants too.
create function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language sql volatile security definer set search_path = ''
as $$
  with person as (
    select p.id, p.role, p.merchant_id from public.profile p
    where p.id = p_profile_id and app.may_enter_console(p.role, p.disabled_at, p.activated_at)
      and app.manages_sessions_of(p.id, p.merchant_id, p.role)
      and (
        p.id = app.profile_id() or app.caller_role() = 'admin'
        or not exists (
          select from public.merchant_access a join public.merchant m on m.id = a.merchant_id
          where a.profile_id = p.id and m.parent_id is distinct from app.merchant_id()
        )
      )
  ), opened as (
    insert into public.session (profile_id, environment, label)
    select person.id, app.environment(), p_label from person returning id, profile_id, environment
  ), token as (
    insert into public.refresh_token (hash, session_id, expires_at)
    select p_refresh_hash, opened.id, pg_catalog.now() + interval '30 days' from opened
  )
  select opened.id, person.id, person.role, person.merchant_id, opened.environment from opened, person
$$;

grant execute on function app.request_sign_in(text, text), app.read_sign_in_link(bytea),
  app.spend_sign_in_link(bytea, bytea, text) to app_auth;
grant execute on function app.list_reachable_merchants(text, integer), app.list_sessions(integer),
  app.revoke_session(uuid), app.open_session(uuid, text, bytea) to app_user;
alter function app.request_sign_in(text, text) owner to app_definer;
alter function app.read_sign_in_link(bytea) owner to app_definer;
alter function app.spend_sign_in_link(bytea, bytea, text) owner to app_definer;
alter function app.list_reachable_merchants(text, integer) owner to app_definer;
alter function app.list_sessions(integer) owner to app_definer;
alter function app.revoke_session(uuid) owner to app_definer;
alter function app.open_session(uuid, text, bytea) owner to app_definer;
