-- Accounts of people: finding, inviting and readmitting them.

set local role app_definer;

-- Finds the accounts with these addresses, including those of other merchants: a person who has an account gets access
-- instead of a second account. The result reveals no more than the response to an invitation does. It also says whether
-- the person is disabled at the caller's merchant, and whether this merchant has withdrawn the person.
create or replace function app.find_accounts(p_email_keys text[])
returns table (
  email_key text, profile_id uuid, is_admin boolean, is_home boolean, role text, is_active boolean, is_disabled boolean,
  is_disabled_here boolean, was_withdrawn boolean
)
language sql stable security definer set search_path = ''
as $$
  select p.email_key, p.id, p.role = 'admin', home.is_home,
    case when home.is_member then p.role else a.role end,
    p.activated_at is not null, p.disabled_at is not null,
    case when home.is_member then p.home_disabled_at is not null else coalesce(a.disabled_at is not null, false) end,
    home.is_home and not home.is_member or exists (
      select from public.team_withdrawal w where w.merchant_id = app.merchant_id() and w.profile_id = p.id
    )
  from public.profile p
  cross join lateral (
    select p.merchant_id is not distinct from app.merchant_id() as is_home,
      p.merchant_id is not distinct from app.merchant_id() and p.home_withdrawn_at is null as is_member
  ) home
  left join public.merchant_access a on a.profile_id = p.id and a.merchant_id = app.merchant_id()
  where p.role <> 'candidate' and p.email_key = any (p_email_keys)
    and app.caller_role() <> 'merchant_selection'
$$;
grant execute on function app.find_accounts(text[]) to app_user, app_service;

-- Returns the number that links of this merchant's invitations must contain: 0 until the person is withdrawn for the
-- first time.
create or replace function app.invitation_generation(p_profile_id uuid, p_merchant_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select w.withdrawals from public.team_withdrawal w
    where w.merchant_id = p_merchant_id and w.profile_id = p_profile_id
  ), 0)
$$;
grant execute on function app.invitation_generation(uuid, uuid) to app_auth, app_worker;

-- Accepts the invitation of a merchant and makes it the person's home merchant. The former home merchant gets a row in
-- `merchant_access`; if the person did not accept its invitation, it ranks last among team roles. Clears a default
-- merchant that was stored before the person accepted an invitation, so that the next session prefers the merchant
-- whose invitation was accepted. Returns false if an invitation was accepted before, or if the merchant does not admit
-- the person. The link must have the current number (app.invitation_generation).
create or replace function app.accept_invitation(p_profile_id uuid, p_merchant_id uuid, p_generation integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person public.profile;
  offered public.merchant_access;
begin
  select * into person from public.profile p
    where p.id = p_profile_id and p.role not in ('candidate', 'admin') and p.activated_at is null and p.disabled_at is null
    for update;
  if not found or app.invitation_generation(p_profile_id, p_merchant_id) <> p_generation then
    return false;
  end if;
  if person.merchant_id = p_merchant_id and person.home_withdrawn_at is null then
    update public.profile p set activated_at = pg_catalog.now(), default_merchant_id = null
      where p.id = person.id and p.home_disabled_at is null;
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
  update public.profile p set merchant_id = p_merchant_id, role = offered.role, name = offered.name,
    activated_at = pg_catalog.now(), home_disabled_at = null, home_withdrawn_at = null,
    default_merchant_id = null
    where p.id = person.id;
  return true;
end
$$;
grant execute on function app.accept_invitation(uuid, uuid, integer) to app_auth;

-- Readmits withdrawn people whose home merchant is the caller's merchant, and returns their ids. Only for owners and
-- admins. Locks the rows in the order of their ids, because calls from two environments that name the same people in
-- different orders would deadlock.
create or replace function app.readmit_people(p_profile_ids uuid[], p_roles text[], p_names text[]) returns setof uuid
language sql volatile security definer set search_path = ''
as $$
  select p.id from public.profile p
  where p.id = any (p_profile_ids) and p.merchant_id = app.merchant_id() and p.home_withdrawn_at is not null
  order by p.id for no key update;
  update public.profile p set role = again.role, name = coalesce(again.name, p.name), home_withdrawn_at = null
  from unnest(p_profile_ids, p_roles, p_names) as again (id, role, name)
  where p.id = again.id and p.merchant_id = app.merchant_id() and p.home_withdrawn_at is not null
    and p.role not in ('candidate', 'admin') and again.role not in ('candidate', 'admin')
    and app.caller_role() in ('merchant_owner', 'admin')
  returning p.id
$$;
grant execute on function app.readmit_people(uuid[], text[], text[]) to app_user;

reset role;
