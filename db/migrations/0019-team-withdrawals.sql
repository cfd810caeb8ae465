-- Withdrawing a person from a team invalidates earlier links for good, and only owners can undo it. Invitation mails
-- are limited per person, candidates included.

-- How often this merchant has withdrawn the person. Invitation links contain this number.
create table team_withdrawal (
  merchant_id uuid not null references merchant (id),
  profile_id uuid not null references profile (id),
  withdrawals integer not null default 1 check (withdrawals > 0),
  primary key (merchant_id, profile_id)
);
alter table team_withdrawal enable row level security, force row level security;
create policy team_withdrawal_definer_select on team_withdrawal for select to app_definer using (true);
create policy team_withdrawal_definer_insert on team_withdrawal for insert to app_definer with check (true);
create policy team_withdrawal_definer_update on team_withdrawal for update to app_definer using (true);
grant select, insert, update (withdrawals) on team_withdrawal to app_definer;

alter table profile no force row level security;
alter table merchant_access no force row level security;
alter table audit_entry no force row level security;
alter table team_withdrawal no force row level security;
-- People who were withdrawn from their home merchant and invited there again got a row in `merchant_access`. This
-- statement makes them full members of their home merchant.
with again as (
  delete from merchant_access a using profile p
  where p.id = a.profile_id and p.merchant_id = a.merchant_id and p.home_withdrawn_at is not null
  returning a.*
)
update profile p set role = a.role, name = coalesce(a.name, p.name), home_disabled_at = a.disabled_at, home_withdrawn_at = null
from again a where p.id = a.profile_id;
-- Records the people who are withdrawn now, as far as their rows or the audit log show it.
insert into team_withdrawal (merchant_id, profile_id)
select p.merchant_id, p.id from profile p where p.home_withdrawn_at is not null
union
select e.merchant_id, p.id from audit_entry e join profile p on p.id::text = e.subject_id
where e.act = 'team-member-withdraw' and e.merchant_id is not null
  and (p.merchant_id is distinct from e.merchant_id or p.home_withdrawn_at is not null)
  and not exists (select from merchant_access a where a.merchant_id = e.merchant_id and a.profile_id = p.id);
alter table profile force row level security;
alter table merchant_access force row level security;
alter table audit_entry force row level security;
alter table team_withdrawal force row level security;

-- Returns the number that links of this merchant's invitations must contain: 0 until the person is withdrawn for the
-- first time.
create function app.invitation_generation(p_profile_id uuid, p_merchant_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select w.withdrawals from public.team_withdrawal w
    where w.merchant_id = p_merchant_id and w.profile_id = p_profile_id
  ), 0)
$$;
grant execute on function app.invitation_generation(uuid, uuid) to app_definer, app_auth, app_worker;
alter function app.invitation_generation(uuid, uuid) owner to app_definer;

-- Redefines the function of 0013: it also returns whether this merchant has withdrawn the person. It no longer counts
-- mails, because app.lock_invitations does.
set local role app_definer;
drop function app.find_accounts(text[]);
set local role app_owner;
create function app.find_accounts(p_email_keys text[])
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
$$;
grant execute on function app.find_accounts(text[]) to app_user, app_service;
alter function app.find_accounts(text[]) owner to app_definer;

-- Readmits withdrawn people whose home merchant is the caller's merchant, and returns their ids. Only for owners and
-- admins.
create function app.readmit_people(p_profile_ids uuid[], p_roles text[], p_names text[]) returns setof uuid
language sql volatile security definer set search_path = ''
as $$
  update public.profile p set role = again.role, name = coalesce(again.name, p.name), home_withdrawn_at = null
  from unnest(p_profile_ids, p_roles, p_names) as again (id, role, name)
  where p.id = again.id and p.merchant_id = app.merchant_id() and p.home_withdrawn_at is not null
    and p.role not in ('candidate', 'admin') and again.role not in ('candidate', 'admin')
    and app.caller_role() in ('merchant_owner', 'admin')
  returning p.id
$$;
grant execute on function app.readmit_people(uuid[], text[], text[]) to app_user;
alter function app.readmit_people(uuid[], text[], text[]) owner to app_definer;

-- True if the person can be responsible for interviews of the caller's merchant.
create function app.is_recruiter(p_profile_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profile p
    where p.id = p_profile_id and p.disabled_at is null
      and (p.role = 'admin' and p.merchant_id = app.merchant_id() or exists (
        select from app.memberships_of(p.id, null) m
        where m.merchant_id = app.merchant_id() and m.role in ('merchant_owner', 'merchant')
      ))
  )
$$;
grant execute on function app.is_recruiter(uuid) to app_user, app_service;
alter function app.is_recruiter(uuid) owner to app_definer;

-- Redefines the function of 0013: an invitation can be accepted only with a link that has the current number
-- (app.invitation_generation).
set local role app_definer;
drop function app.accept_invitation(uuid, uuid);
set local role app_owner;
create function app.accept_invitation(p_profile_id uuid, p_merchant_id uuid, p_generation integer) returns boolean
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
grant execute on function app.accept_invitation(uuid, uuid, integer) to app_auth;
alter function app.accept_invitation(uuid, uuid, integer) owner to app_definer;

-- Redefines the function of 0013: it rejects a caller who lost the owner role while the call waited, and it records
-- withdrawals, which invalidates earlier links.
set local role app_definer;
create or replace function app.update_team_member(
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
  -- The previous holder of the lock may have changed the caller's role.
  if not app.is_opener_in_charge(app.profile_id(), here) then
    raise exception 'your role has changed: you are no longer an owner of this merchant' using errcode = 'PA403';
  end if;
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
  if p_withdraw then
    insert into public.team_withdrawal as w (merchant_id, profile_id) values (here, person.id)
      on conflict (merchant_id, profile_id) do update set withdrawals = w.withdrawals + 1;
  end if;
  if p_withdraw or coalesce(p_disabled, false) then
    update public.mail m set state = 'withdrawn'
      where m.merchant_id = here and m.profile_id = person.id and m.enrolment_id is null and m.state = 'queued';
  end if;
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
set local role app_owner;

-- Makes calls that mail invitations of this merchant and environment wait for each other until the transaction ends.
-- Returns how many such mails each person got in the last 24 hours, as a candidate, team member or learner.
create function app.lock_invitations(p_email_keys text[]) returns table (email_key text, mailed integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('invitations/' || app.merchant_id()::text || '/' || app.environment(), 0)
  );
  -- Each `limit` makes the planner look the person up by index, even in a table that has just grown.
  return query
  select wanted.key, pg_catalog.sum((
      select count(*) from public.mail m
      where m.merchant_id = app.merchant_id() and m.environment = app.environment() and m.profile_id = person.id
        and m.kind not in ('reminder', 'final_reminder') and m.state <> 'withdrawn'
        and m.created_at > pg_catalog.now() - interval '24 hours'
    ))::integer
  from unnest(p_email_keys) as wanted (key)
  cross join lateral (
    (select p.id from public.profile p where p.role <> 'candidate' and p.email_key = wanted.key limit 1)
    union all
    (
      select p.id from public.profile p
      where p.role = 'candidate' and p.merchant_id = app.merchant_id() and p.email_key = wanted.key limit 1
    )
  ) person
  group by wanted.key;
end
$$;
grant execute on function app.lock_invitations(text[]) to app_user, app_service;
alter function app.lock_invitations(text[]) owner to app_definer;
-- The index does not begin with merchant_id, because the planner would then use it to read all mails of a merchant.
create index mail__profile_id_created_at on mail (profile_id, created_at) where kind not in ('reminder', 'final_reminder');
drop index mail__merchant_id_profile_id_created_at;

-- Returns the number of team and coaching invitations that this merchant mailed in the last 24 hours in this
-- environment.
create function app.count_account_invitations() returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.mail m
  where m.merchant_id = app.merchant_id() and m.environment = app.environment() and m.enrolment_id is null
    and m.state <> 'withdrawn' and m.created_at > pg_catalog.now() - interval '24 hours'
$$;
grant execute on function app.count_account_invitations() to app_user, app_service;
alter function app.count_account_invitations() owner to app_definer;
set local role app_definer;
drop function app.lock_account_invitations();
set local role app_owner;
