-- Signing in to the console (docs/identity.md#signing-in-to-the-console).

set local role app_definer;

-- True if the person can use the console: an accepted account with a suitable role at any merchant.
create or replace function app.may_enter_console(p_profile_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profile p
    where p.id = p_profile_id and p.disabled_at is null and p.activated_at is not null
      and (p.role = 'admin' or exists (
        select from app.memberships_of(p.id, null) m where m.role in ('merchant_owner', 'merchant', 'merchant_selection')
      ))
  )
$$;
grant execute on function app.may_enter_console(uuid) to app_auth;

-- Queues a mail with a sign-in link for an account. After five mails within an hour in an environment, an account gets
-- another mail only if every link of the last ten minutes was used, so that requests of strangers cannot lock the
-- person out. Returns nothing, to hide whether the account exists.
create or replace function app.request_sign_in(p_email_key text, p_environment text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person record;
  link_id uuid;
begin
  select p.id, p.merchant_id into person from public.profile p
    where p.role <> 'candidate' and p.email_key = p_email_key and app.may_enter_console(p.id);
  if not found then
    return;
  end if;
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('sign_in_link/' || person.id::text || '/' || p_environment, 0)
  );
  perform from public.sign_in_link l
    where l.profile_id = person.id and l.environment = p_environment and l.is_mailed
      and l.created_at > pg_catalog.now() - interval '1 hour'
    offset 4;
  if found then
    perform from public.sign_in_link l
      where l.profile_id = person.id and l.environment = p_environment and l.is_mailed and l.used_at is null
        and l.created_at > pg_catalog.now() - interval '10 minutes';
    if found then
      return;
    end if;
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
grant execute on function app.request_sign_in(text, text) to app_auth;

-- Returns the person of an unused link that has not expired, and the person's default merchant.
create or replace function app.read_sign_in_link(p_hash bytea)
returns table (name text, email text, role text, merchant_name text, environment text)
language sql stable security definer set search_path = ''
as $$
  select p.name, p.email, coalesce(own.role, p.role), m.name, l.environment
  from public.sign_in_link l join public.profile p on p.id = l.profile_id
  left join lateral app.memberships_of(p.id, null) own
    on p.role <> 'admin' and own.merchant_id = app.default_merchant_of(p.id)
  left join public.merchant m on m.id = coalesce(own.merchant_id, p.merchant_id)
  where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now() and app.may_enter_console(p.id)
$$;
grant execute on function app.read_sign_in_link(bytea) to app_auth;

-- Uses up a sign-in link to open a console session of 12 hours. Returns the id of the session, or null if the link was
-- used, has expired or is unknown.
create or replace function app.spend_sign_in_link(p_hash bytea, p_cookie_hash bytea, p_user_agent text) returns uuid
language sql volatile security definer set search_path = ''
as $$
  with spent as (
    update public.sign_in_link l set used_at = pg_catalog.now()
    where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now() and app.may_enter_console(l.profile_id)
    returning l.profile_id, l.environment
  )
  insert into public.session (profile_id, environment, kind, user_agent, cookie_hash, expires_at)
  select profile_id, environment, 'console', pg_catalog.left(p_user_agent, 200), p_cookie_hash, pg_catalog.now() + interval '12 hours'
  from spent
  returning id
$$;
grant execute on function app.spend_sign_in_link(bytea, bytea, text) to app_auth;

reset role;
