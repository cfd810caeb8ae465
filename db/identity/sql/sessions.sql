-- Sessions that owners and admins open, list and end.

-- Returns whether the caller can see and end the sessions of a person. Every caller can do so for the caller's own
-- sessions, and owners and admins for the sessions of active people whose home merchant is the caller's. Only admins
-- can do so for the sessions of admins.
create or replace function app.manages_sessions_of(p_person public.profile) returns boolean
language sql stable
as $$
  select p_person.id = app.profile_id()
    or p_person.merchant_id = app.merchant_id()
      and p_person.activated_at is not null and p_person.home_withdrawn_at is null and p_person.home_disabled_at is null
      and (app.caller_role() = 'admin' or app.caller_role() = 'merchant_owner' and p_person.role <> 'admin')
$$;
grant execute on function app.manages_sessions_of(profile) to app_definer;

set local role app_definer;

-- Lists the sessions of a person that the caller may see. An owner sees and ends only the sessions whose default
-- merchant is the owner's.
create or replace function app.list_sessions(p_limit_rows integer)
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
    and app.manages_sessions_of(p) and app.concerns_merchant(s, p)
  order by coalesce(s.last_used_at, s.created_at) desc, s.id limit p_limit_rows
$$;
grant execute on function app.list_sessions(integer) to app_user;

create or replace function app.revoke_session(p_session_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with revoked as (
    update public.session s set revoked_at = pg_catalog.now()
    from public.profile p
    where s.id = p_session_id and s.environment = app.environment() and s.revoked_at is null
      and p.id = s.profile_id and app.manages_sessions_of(p) and app.concerns_merchant(s, p)
    returning s.id
  )
  select exists (select from revoked)
$$;
grant execute on function app.revoke_session(uuid) to app_user;

-- Opens an API session for a person and stores its first refresh token. Returns no row if the caller may not open it. A
-- session for another person is bound to the caller's merchant. A person has at most 20 live sessions of this kind with
-- the same default merchant; opening another one ends the one that has not been used for the longest time. The function
-- waits for simultaneous changes of either person, so that it never uses a right that was just lost. To avoid
-- deadlocks, it takes the same lock on the profile as the trigger of `session`.
create or replace function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id in (p_profile_id, app.profile_id()) order by p.id for no key update;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('sessions of ' || p_profile_id, 0));
  return query
  with person as (
    select p.id, p.role, p.merchant_id from public.profile p
    where p.id = p_profile_id and app.may_enter_console(p.id) and app.manages_sessions_of(p)
      and (
        p.id = app.profile_id()
        or p.role in ('merchant_owner', 'merchant', 'merchant_selection')
          and app.is_opener_in_charge(app.profile_id(), app.merchant_id())
      )
  ), excess as (
    select s.id from public.session s join person on person.id = s.profile_id
    where s.environment = app.environment() and s.opened_by is not null and s.revoked_at is null
      and s.expires_at > pg_catalog.now()
      and s.default_merchant_id is not distinct from
        case when person.id <> app.profile_id() then app.merchant_id() else app.default_merchant_of(person.id) end
    order by coalesce(s.last_used_at, s.created_at) desc, s.id desc offset 19
  ), ended as (
    update public.session s set revoked_at = pg_catalog.now() from excess where s.id = excess.id
  ), opened as (
    insert into public.session as s (profile_id, environment, label, opened_by, bound_merchant_id)
    select person.id, app.environment(), p_label, app.profile_id(),
      case when person.id <> app.profile_id() then app.merchant_id() end
    from person returning s.id, s.environment
  ), token as (
    insert into public.refresh_token (hash, session_id, expires_at)
    select p_refresh_hash, opened.id, pg_catalog.now() + interval '30 days' from opened
  )
  select opened.id, person.id, person.role, person.merchant_id, opened.environment from opened, person;
end
$$;
grant execute on function app.open_session(uuid, text, bytea) to app_user;

reset role;
