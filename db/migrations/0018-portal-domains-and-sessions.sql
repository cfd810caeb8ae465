-- Lists all portal domains at once, so that requests for unknown host names cost no query. Limits sessions and service
-- keys.

set local role app_definer;
create function app.list_portal_domains() returns setof text
language sql stable security definer set search_path = ''
as $$
  select m.portal_domain from public.merchant m where m.portal_domain is not null
$$;
revoke execute on function app.list_portal_domains() from public;
grant execute on function app.list_portal_domains() to app_portal;

-- Redefines the function of 0013: a person has at most 20 live sessions that this function opened. Opening another
-- session ends the one that has not been used for the longest time.
create or replace function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id in (p_profile_id, app.profile_id()) order by p.id for share;
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
set local role app_owner;
