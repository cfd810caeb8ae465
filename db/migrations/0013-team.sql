-- Teams: what a person may do is decided per merchant, owners can remove people, and a session that one person opens
-- for another reaches only the opener's merchant.

-- An owner disables or withdraws a person at one merchant. For the home merchant this is stored in `profile`, for other
-- merchants in `merchant_access`. The platform sets `profile.disabled_at`, which ends the account everywhere.
alter table profile
  add column home_disabled_at timestamptz,
  add column home_withdrawn_at timestamptz; -- if set, the person no longer belongs to the home merchant
alter table merchant_access
  add column disabled_at timestamptz,
  add column name text; -- the name that this merchant gave a person whose home is elsewhere
grant select (home_disabled_at, home_withdrawn_at) on profile to app_user, app_service, app_auth, app_worker;
grant select (disabled_at) on merchant_access to app_auth, app_worker;
grant select (name) on merchant_access to app_worker;

-- A recruiter's home merchant can change until the first invitation is accepted, while the interviews keep their
-- merchant. Therefore the foreign keys leave out the merchant.
alter table position drop constraint position_merchant_id_recruiter_profile_id_fkey,
  add foreign key (recruiter_profile_id) references profile (id);
alter table interview drop constraint interview_merchant_id_recruiter_profile_id_fkey,
  add foreign key (recruiter_profile_id) references profile (id);

alter table session
  add column opened_by uuid references profile (id),
  -- Set if another person opened the session, which then reaches only this merchant and its sub-merchants.
  add column bound_merchant_id uuid references merchant (id);
create index session__opened_by on session (opened_by) where bound_merchant_id is not null;
-- Fills the columns for existing sessions, as far as the audit log shows who opened them.
alter table session no force row level security;
alter table audit_entry no force row level security;
alter table profile no force row level security;
update session s set opened_by = a.actor_id, bound_merchant_id = case when a.actor_id <> s.profile_id then a.merchant_id end
from audit_entry a where a.act = 'session-create' and a.subject_id = s.id::text
  and exists (select from profile p where p.id = a.actor_id);
alter table session force row level security;
alter table audit_entry force row level security;
alter table profile force row level security;

-- Returns the merchants that a person belongs to and the person's role at each, best role first. With `p_bound_to`,
-- returns only that merchant and its sub-merchants. Leaves out disabled and withdrawn memberships.
create function app.memberships_of(p_profile_id uuid, p_bound_to uuid)
returns table (merchant_id uuid, role text, is_home boolean)
language sql stable security definer set search_path = ''
as $$
  select x.merchant_id, x.role, x.is_home
  from (
    select p.merchant_id, p.role, true as is_home from public.profile p
    where p.id = p_profile_id and p.merchant_id is not null
      and p.home_disabled_at is null and p.home_withdrawn_at is null
    union all
    select a.merchant_id, a.role, false from public.merchant_access a
    where a.profile_id = p_profile_id and a.disabled_at is null
  ) x
  where p_bound_to is null or x.merchant_id = p_bound_to
    or exists (select from public.merchant m where m.id = x.merchant_id and m.parent_id = p_bound_to)
  order by pg_catalog.array_position(
    array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user', 'candidate'], x.role
  ), not x.is_home, x.merchant_id
$$;
grant execute on function app.memberships_of(uuid, uuid) to app_definer;
alter function app.memberships_of(uuid, uuid) owner to app_definer;

-- True if the session is bound to no merchant, or if the person who opened it is still an owner of that merchant or an
-- admin.
create function app.is_opener_in_charge(p_opened_by uuid, p_bound_to uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_bound_to is null or exists (
    select from public.profile p
    where p.id = p_opened_by and p.disabled_at is null and p.activated_at is not null
      and (p.role = 'admin' or exists (
        select from app.memberships_of(p.id, p_bound_to) m
        where m.merchant_id = p_bound_to and m.role = 'merchant_owner'
      ))
  )
$$;
grant execute on function app.is_opener_in_charge(uuid, uuid) to app_definer, app_auth;
alter function app.is_opener_in_charge(uuid, uuid) owner to app_definer;

-- Counts the live service keys of the caller's merchant that this person created, in all environments.
create function app.count_live_keys(p_profile_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.service_key k
  where k.created_by = p_profile_id and k.merchant_id = app.merchant_id() and k.revoked_at is null
$$;
grant execute on function app.count_live_keys(uuid) to app_definer;
alter function app.count_live_keys(uuid) owner to app_definer;

-- Redefines the function of 0002: the role is the person's role at the merchant of the request. A request without
-- merchant_id acts at the home merchant. If the person left the home merchant, or is disabled or a learner there, it
-- acts at the merchant with the best role.
set local role app_definer;
create or replace function app.check_credential(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean
) returns app.request_scope
language plpgsql stable security definer set search_path = ''
as $$
declare
  scope app.request_scope;
  key_id uuid;
  key_merchant_id uuid;
  asked uuid;
  granted_role text;
  is_operator boolean := false;
  bound_to uuid;
  opener uuid;
  is_home_open boolean;
begin
  if p_kind = 'user_session' then
    select s.bound_merchant_id, s.opened_by, p.home_disabled_at is null and p.home_withdrawn_at is null
      into bound_to, opener, is_home_open
      from public.session s join public.profile p on p.id = s.profile_id
      where s.id = p_credential::uuid and s.profile_id = p_profile_id and s.environment = p_environment
        and s.revoked_at is null and s.expires_at > now()
        and p.disabled_at is null and p.role = p_role and p.merchant_id is not distinct from p_home_merchant_id;
    if not found or not app.is_opener_in_charge(opener, bound_to) then
      raise exception 'the session has ended, sign in again' using errcode = 'PA401';
    end if;
    scope := row(p_home_merchant_id, p_profile_id, p_profile_id, p_role, p_environment, 'app_user');
    if p_role <> 'admin' and (
      bound_to is not null or not is_home_open or p_role not in ('merchant_owner', 'merchant', 'merchant_selection')
    ) then
      -- A session that is bound to a merchant uses the person's home merchant if the session reaches it. Other sessions
      -- use the merchant where the person has the best role.
      scope.merchant_id := null;
      select m.merchant_id, m.role into scope.merchant_id, scope.role
        from app.memberships_of(p_profile_id, bound_to) with ordinality m (merchant_id, role, is_home, place)
        order by bound_to is not null and not m.is_home, m.place limit 1;
      if scope.merchant_id is null then
        raise exception 'the session has ended, sign in again' using errcode = 'PA401';
      end if;
    end if;
    if p_merchant is not null and p_role <> 'admin' then
      is_operator := exists (select from app.memberships_of(p_profile_id, bound_to) m where not m.is_home);
    end if;
  elsif p_kind = 'service_key' then
    select k.id, k.merchant_id into key_id, key_merchant_id from public.service_key k
      where k.hash = decode(p_credential, 'hex') and k.environment = p_environment and k.revoked_at is null;
    if not found then
      raise exception 'the service key is unknown or revoked' using errcode = 'PA401';
    end if;
    scope := row(null, null, key_id, 'service', p_environment, 'app_service');
    if p_merchant is null then
      raise exception 'merchant_id is required with a service key' using errcode = 'PA422', column = 'merchant_id';
    end if;
  else
    raise exception 'unknown kind of credential' using errcode = 'PA401';
  end if;

  -- If the person has no access to another merchant, merchant_id is ignored and the call acts at the person's home
  -- merchant.
  if p_merchant is not null and (p_kind = 'service_key' or p_role = 'admin' or is_operator) then
    if p_merchant !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
      raise exception 'merchant_id must be a UUID' using errcode = 'PA422', column = 'merchant_id';
    end if;
    asked := p_merchant::uuid;
    if p_kind = 'service_key' then
      perform from public.merchant m where m.id = asked
        and (key_merchant_id is null or m.id = key_merchant_id or m.parent_id = key_merchant_id);
      if not found then
        raise exception 'merchant_id names no merchant this key reaches' using errcode = 'PA422', column = 'merchant_id';
      end if;
    elsif p_role = 'admin' then
      perform from public.merchant m where m.id = asked;
      if not found then
        raise exception 'merchant_id names no merchant' using errcode = 'PA422', column = 'merchant_id';
      end if;
    else
      select m.role into granted_role from app.memberships_of(p_profile_id, bound_to) m where m.merchant_id = asked limit 1;
      if not found then
        raise exception 'you have no access to this merchant' using errcode = 'PA403';
      end if;
      scope.role := granted_role;
    end if;
    scope.merchant_id := asked;
  end if;

  if p_kind = 'user_session' and not scope.role = any (p_roles) then
    raise exception 'your role % may not do this', scope.role using errcode = 'PA403';
  end if;
  if scope.merchant_id is null and p_needs_merchant then
    raise exception 'merchant_id is required: your account has no merchant of its own'
      using errcode = 'PA422', column = 'merchant_id';
  end if;
  return scope;
end
$$;
set local role app_owner;

-- True if the person can use the console: an accepted account with a suitable role at any merchant.
create function app.may_enter_console(p_profile_id uuid) returns boolean
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
grant execute on function app.may_enter_console(uuid) to app_definer, app_auth;
alter function app.may_enter_console(uuid) owner to app_definer;

set local role app_definer;
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

-- Returns the person of an unused link that has not expired, and the merchant where the person has the best role.
create or replace function app.read_sign_in_link(p_hash bytea)
returns table (name text, email text, role text, merchant_name text, environment text)
language sql stable security definer set search_path = ''
as $$
  select p.name, p.email, coalesce(best.role, p.role), m.name, l.environment
  from public.sign_in_link l join public.profile p on p.id = l.profile_id
  left join lateral (select b.merchant_id, b.role from app.memberships_of(p.id, null) b limit 1) best on p.role <> 'admin'
  left join public.merchant m on m.id = coalesce(best.merchant_id, p.merchant_id)
  where l.hash = p_hash and l.used_at is null and l.expires_at > pg_catalog.now() and app.may_enter_console(p.id)
$$;

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

-- Lists the merchants that the caller can choose in the console, with the caller's role at each.
create or replace function app.list_reachable_merchants(p_filter text, p_limit_rows integer)
returns table (id uuid, name text, role text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.name, case when p.role = 'admin' then 'admin' else x.role end
  from public.profile p
  cross join public.merchant m
  left join app.memberships_of(app.profile_id(), null) x on x.merchant_id = m.id
  where p.id = app.profile_id()
    and (p.role = 'admin' or x.role in ('merchant_owner', 'merchant', 'merchant_selection'))
    and pg_catalog.strpos(pg_catalog.lower(m.name), pg_catalog.lower(p_filter)) > 0
  order by m.name, m.id limit p_limit_rows
$$;
set local role app_owner;

-- Returns whether the caller can see and end the sessions of a person. Every caller can do so for the caller's own
-- sessions, and owners and admins for the sessions of active people whose home merchant is the caller's. Only admins
-- can do so for the sessions of admins.
create function app.manages_sessions_of(p_person public.profile) returns boolean
language sql stable
as $$
  select p_person.id = app.profile_id()
    or p_person.merchant_id = app.merchant_id()
      and p_person.activated_at is not null and p_person.home_withdrawn_at is null and p_person.home_disabled_at is null
      and (app.caller_role() = 'admin' or app.caller_role() = 'merchant_owner' and p_person.role <> 'admin')
$$;
revoke execute on function app.manages_sessions_of(public.profile) from public;
grant execute on function app.manages_sessions_of(public.profile) to app_definer;

set local role app_definer;
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
    and app.manages_sessions_of(p)
  order by coalesce(s.last_used_at, s.created_at) desc, s.id limit p_limit_rows
$$;

create or replace function app.revoke_session(p_session_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with revoked as (
    update public.session s set revoked_at = pg_catalog.now()
    from public.profile p
    where s.id = p_session_id and s.environment = app.environment() and s.revoked_at is null
      and p.id = s.profile_id and app.manages_sessions_of(p)
    returning s.id
  )
  select exists (select from revoked)
$$;

-- Opens an API session for a person and stores its first refresh token. Returns no row if the caller may not open it. A
-- session for another person is bound to the caller's merchant. The function waits for simultaneous changes of either
-- person, so that it never uses a right that was just lost.
create or replace function app.open_session(p_profile_id uuid, p_label text, p_refresh_hash bytea)
returns table (session_id uuid, profile_id uuid, role text, merchant_id uuid, environment text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile p where p.id in (p_profile_id, app.profile_id()) order by p.id for share;
  return query
  with person as (
    select p.id, p.role, p.merchant_id from public.profile p
    where p.id = p_profile_id and app.may_enter_console(p.id) and app.manages_sessions_of(p)
      and (
        p.id = app.profile_id()
        or p.role in ('merchant_owner', 'merchant', 'merchant_selection')
          and app.is_opener_in_charge(app.profile_id(), app.merchant_id())
      )
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

-- Redefines the function of 0011: a person who is disabled at this merchant is not recognized as a learner.
create or replace function app.find_portal_scope(p_domain text, p_merchant_id uuid, p_profile_id uuid)
returns table (merchant_id uuid, profile_id uuid)
language sql stable security definer set search_path = ''
as $$
  select m.id, (
    select p.id from public.profile p
    where p.id = p_profile_id and m.id = p_merchant_id and p.disabled_at is null and p.activated_at is not null
      and exists (select from app.memberships_of(p.id, null) x where x.merchant_id = m.id)
  )
  from public.merchant m
  where case when p_domain is null then m.id = p_merchant_id else m.portal_domain = p_domain end
$$;
drop function app.find_accounts(text[]);
set local role app_owner;
drop function app.may_enter_console(text, timestamptz, timestamptz), app.manages_sessions_of(uuid, uuid, text);

-- Redefines the function of 0005: it also returns whether the person is disabled at the caller's merchant, and how many
-- account invitations this merchant mailed to the person in the last 24 hours.
create function app.find_accounts(p_email_keys text[])
returns table (
  email_key text, profile_id uuid, is_admin boolean, is_home boolean, role text, is_active boolean, is_disabled boolean,
  is_disabled_here boolean, mails_today integer
)
language sql stable security definer set search_path = ''
as $$
  select p.email_key, p.id, p.role = 'admin', home.is_home,
    case when home.is_member then p.role else a.role end,
    p.activated_at is not null, p.disabled_at is not null,
    case when home.is_member then p.home_disabled_at is not null else coalesce(a.disabled_at is not null, false) end,
    (
      select count(*)::integer from public.mail m
      where m.merchant_id = app.merchant_id() and m.profile_id = p.id and m.enrolment_id is null
        and m.created_at > pg_catalog.now() - interval '24 hours' and m.state <> 'withdrawn'
    )
  from public.profile p
  cross join lateral (
    select p.merchant_id is not distinct from app.merchant_id() as is_home,
      p.merchant_id is not distinct from app.merchant_id() and p.home_withdrawn_at is null as is_member
  ) home
  left join public.merchant_access a on a.profile_id = p.id and a.merchant_id = app.merchant_id()
  where p.role <> 'candidate' and p.email_key = any (p_email_keys)
$$;
grant execute on function app.find_accounts(text[]) to app_user, app_service;
alter function app.find_accounts(text[]) owner to app_definer;
create index mail__merchant_id_profile_id_created_at on mail (merchant_id, profile_id, created_at)
  where enrolment_id is null;

-- Rights of the definer functions below.
create policy profile_definer_update on profile for update to app_definer using (true);
create policy merchant_access_definer_insert on merchant_access for insert to app_definer with check (true);
create policy merchant_access_definer_update on merchant_access for update to app_definer using (true);
create policy merchant_access_definer_delete on merchant_access for delete to app_definer using (true);
create policy mail_definer_select on mail for select to app_definer using (true);
create policy mail_definer_update on mail for update to app_definer using (true);
-- No other grant allows changing the merchant of a row. A person's home merchant can change until an invitation is
-- accepted.
grant update (merchant_id, role, name, activated_at, home_disabled_at, home_withdrawn_at) on profile to app_definer;
grant insert, update (role, disabled_at), delete on merchant_access to app_definer;
grant select, update (state) on mail to app_definer;
drop policy profile_auth_update on profile;
revoke update (activated_at) on profile from app_auth;

-- Accepts the invitation of a merchant and makes it the person's home merchant. The former home merchant gets a row in
-- `merchant_access`. Returns false if an invitation was accepted before, or if the merchant does not admit the person.
create function app.accept_invitation(p_profile_id uuid, p_merchant_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person public.profile;
  offered public.merchant_access;
begin
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') and p.activated_at is null and p.disabled_at is null
    for update;
  if not found then
    return false;
  end if;
  if person.merchant_id = p_merchant_id and person.home_withdrawn_at is null then
    update public.profile p set activated_at = pg_catalog.now() where p.id = person.id and p.home_disabled_at is null;
    return found;
  end if;
  delete from public.merchant_access a
    where a.profile_id = person.id and a.merchant_id = p_merchant_id and a.disabled_at is null
    returning a.* into offered;
  if not found then
    return false;
  end if;
  if person.home_withdrawn_at is null then
    insert into public.merchant_access (merchant_id, profile_id, role, name, created_at, disabled_at)
      values (person.merchant_id, person.id, person.role, person.name, person.created_at, person.home_disabled_at);
  end if;
  update public.profile p set merchant_id = p_merchant_id, role = offered.role, name = offered.name, activated_at = pg_catalog.now(),
    home_disabled_at = null, home_withdrawn_at = null
    where p.id = person.id;
  return true;
end
$$;
grant execute on function app.accept_invitation(uuid, uuid) to app_auth;
alter function app.accept_invitation(uuid, uuid) owner to app_definer;

-- Lists the people of the caller's merchant by role and name, for owners and admins only. For people with another home
-- merchant, it returns the name and dates of their access to the caller's merchant, and no last sign-in.
create function app.list_team_members(
  p_roles text[], p_state text, p_filter text, p_limit_rows integer, p_offset integer
)
returns table (
  profile_id uuid, name text, email text, role text, state text, is_home boolean, invited_at timestamptz,
  accepted_at timestamptz, disabled_at timestamptz, last_sign_in_at timestamptz,
  live_service_keys integer, total integer
)
language sql stable security definer set search_path = ''
as $$
  with member as (
    select p.id, p.name, p.email, p.role, true as is_home, p.created_at, p.activated_at,
      coalesce(p.home_disabled_at, p.disabled_at) as disabled_at
    from public.profile p
    where p.merchant_id = app.merchant_id() and p.home_withdrawn_at is null and p.role not in ('candidate', 'admin')
      and app.caller_role() in ('merchant_owner', 'admin')
    union all
    select p.id, a.name, p.email, a.role, false, a.created_at, case when p.activated_at is not null then a.created_at end,
      a.disabled_at
    from public.merchant_access a join public.profile p on p.id = a.profile_id
    where a.merchant_id = app.merchant_id() and p.role <> 'admin'
      and app.caller_role() in ('merchant_owner', 'admin')
  ), shown as (
    select m.*, case when m.disabled_at is not null then 'disabled' when m.activated_at is null then 'invited' else 'active' end
      as state
    from member m
    where (p_roles is null or m.role = any (p_roles))
      and pg_catalog.strpos(
        pg_catalog.lower(pg_catalog.concat_ws(' ', m.name, m.email)), pg_catalog.lower(p_filter)
      ) > 0
  ), page as (
    select s.*, (count(*) over ())::integer as total from shown s
    where p_state is null or s.state = p_state
    order by pg_catalog.array_position(array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user'], s.role),
      coalesce(s.name, s.email), s.id
    limit p_limit_rows offset p_offset
  )
  select p.id, p.name, p.email, p.role, p.state, p.is_home, p.created_at, p.activated_at, p.disabled_at,
    case when p.is_home then (
      select max(s.created_at) from public.session s
      where s.profile_id = p.id and s.environment = app.environment() and s.kind = 'console'
    ) end,
    app.count_live_keys(p.id),
    p.total
  from page p
  order by pg_catalog.array_position(array['merchant_owner', 'merchant', 'merchant_selection', 'mentor', 'user'], p.role),
    coalesce(p.name, p.email), p.id
$$;
grant execute on function app.list_team_members(text[], text, text, integer, integer) to app_user;
alter function app.list_team_members(text[], text, text, integer, integer) owner to app_definer;

-- Changes a person's role at the caller's merchant, or disables, enables or withdraws the person there. A null argument
-- leaves its value unchanged. `outcome` is `changed`, `unchanged`, `unknown`, or `last_owner` if no other owner could
-- sign in. Only owners and admins can change people.
create function app.update_team_member(
  p_profile_id uuid, p_role text, p_disabled boolean, p_withdraw boolean,
  out outcome text, out old_role text, out was_disabled boolean, out was_invited boolean, out live_service_keys integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  here constant uuid := app.merchant_id();
  person public.profile;
  is_home boolean;
  next_home public.merchant_access;
begin
  outcome := 'unknown';
  if app.caller_role() not in ('merchant_owner', 'admin') then
    return;
  end if;
  -- Two owners who demote each other at the same time must not both succeed.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('team/' || here::text, 0));
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') for update;
  if not found then
    return;
  end if;
  is_home := person.merchant_id = here and person.home_withdrawn_at is null;
  if is_home then
    old_role := person.role;
    was_disabled := person.home_disabled_at is not null;
  else
    select a.role, a.disabled_at is not null into old_role, was_disabled from public.merchant_access a
      where a.profile_id = person.id and a.merchant_id = here for update;
    if not found then
      return;
    end if;
  end if;
  was_invited := person.activated_at is null;
  live_service_keys := app.count_live_keys(person.id);
  if not p_withdraw and coalesce(p_role, old_role) = old_role and coalesce(p_disabled, was_disabled) = was_disabled then
    outcome := 'unchanged';
    return;
  end if;
  if old_role = 'merchant_owner' and not was_disabled and not was_invited and person.disabled_at is null
    and (p_withdraw or coalesce(p_role, old_role) <> 'merchant_owner' or coalesce(p_disabled, false))
    and not exists (
      select from public.profile o
      where o.merchant_id = here and o.role = 'merchant_owner' and o.id <> person.id and o.activated_at is not null
        and o.disabled_at is null and o.home_disabled_at is null and o.home_withdrawn_at is null
    )
    and not exists (
      select from public.merchant_access a join public.profile o on o.id = a.profile_id
      where a.merchant_id = here and a.role = 'merchant_owner' and a.disabled_at is null and o.id <> person.id
        and o.activated_at is not null and o.disabled_at is null
    )
  then
    outcome := 'last_owner';
    return;
  end if;

  if not p_withdraw then
    if is_home then
      update public.profile p set role = coalesce(p_role, p.role),
        home_disabled_at = case
          when p_disabled is null then p.home_disabled_at
          when p_disabled then coalesce(p.home_disabled_at, pg_catalog.now())
        end
        where p.id = person.id;
    else
      update public.merchant_access a set role = coalesce(p_role, a.role),
        disabled_at = case
          when p_disabled is null then a.disabled_at
          when p_disabled then coalesce(a.disabled_at, pg_catalog.now())
        end
        where a.profile_id = person.id and a.merchant_id = here;
    end if;
  elsif not is_home then
    delete from public.merchant_access a where a.profile_id = person.id and a.merchant_id = here;
  else
    select * into next_home from public.merchant_access a where a.profile_id = person.id order by a.created_at, a.merchant_id limit 1;
    if was_invited and found then
      -- No invitation was accepted yet, so the account moves to the next merchant that invited the person.
      delete from public.merchant_access a where a.profile_id = person.id and a.merchant_id = next_home.merchant_id;
      update public.profile p set merchant_id = next_home.merchant_id, role = next_home.role, name = next_home.name,
        home_disabled_at = next_home.disabled_at
        where p.id = person.id;
    else
      update public.profile p set home_withdrawn_at = pg_catalog.now(), home_disabled_at = null where p.id = person.id;
    end if;
  end if;
  if p_withdraw or coalesce(p_disabled, false) then
    update public.mail m set state = 'withdrawn'
      where m.merchant_id = here and m.profile_id = person.id and m.enrolment_id is null and m.state = 'queued';
  end if;
  -- Ends the person's sessions at this merchant and those that the person opened for others here. Service keys stay
  -- valid.
  update public.session s set revoked_at = pg_catalog.now()
    where s.revoked_at is null and (
      s.profile_id = person.id and s.bound_merchant_id = here
      or s.opened_by = person.id and s.bound_merchant_id = here
      -- Sessions that are bound to no merchant end only if this is the home merchant. If the person was already
      -- disabled here, these sessions reach only other merchants, so they stay.
      or s.profile_id = person.id and s.bound_merchant_id is null and is_home and not was_disabled
    );
  outcome := 'changed';
end
$$;
grant execute on function app.update_team_member(uuid, text, boolean, boolean) to app_user;
alter function app.update_team_member(uuid, text, boolean, boolean) owner to app_definer;
