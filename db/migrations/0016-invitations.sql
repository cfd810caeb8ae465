-- Limits account invitations, adds daily budgets and allowed recipients for invitations outside production, and allows
-- audit entries of platform-wide actions.

-- Recipients that may get invitation mails outside production: normalized addresses, or `*@domain`.
alter table merchant
  add column test_recipients text[] not null default '{}' check (cardinality(test_recipients) <= 100);
grant select (test_recipients) on merchant to app_user, app_service, app_worker;
grant update (test_recipients) on merchant to app_user;
grant select (email_key) on profile to app_worker;

create function app.is_test_recipient(p_list text[], p_email_key text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select p_email_key = any (p_list) or '*@' || pg_catalog.substring(p_email_key, '@([^@]*)$') = any (p_list)
$$;
revoke execute on function app.is_test_recipient(text[], text) from public;
grant execute on function app.is_test_recipient(text[], text) to app_definer, app_user, app_service, app_worker;

-- The number of invitations that a merchant has sent on `day` (UTC) in one environment. Production has no rows, because
-- the budget of the credit account applies there.
create table test_invitation_budget (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  day date not null default (now() at time zone 'UTC')::date,
  sent integer not null default 0 check (sent >= 0),
  primary key (merchant_id, environment)
);
alter table test_invitation_budget enable row level security, force row level security;
create policy test_invitation_budget_caller_select on test_invitation_budget for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy test_invitation_budget_definer_select on test_invitation_budget for select to app_definer using (true);
create policy test_invitation_budget_definer_insert on test_invitation_budget for insert to app_definer with check (true);
create policy test_invitation_budget_definer_update on test_invitation_budget for update to app_definer using (true);
grant select on test_invitation_budget to app_user, app_service;
grant select, insert, update (day, sent) on test_invitation_budget to app_definer;

-- The daily limit of invitations of a merchant in each environment except production.
create function app.test_invitations_limit() returns integer language sql immutable parallel safe as 'select 100';
revoke execute on function app.test_invitations_limit() from public;
grant execute on function app.test_invitations_limit() to app_definer, app_user, app_service;

-- Reserves invitations outside production, as app.reserve_invitations does in production. The row of the budget stays
-- locked until the transaction ends.
create function app.reserve_test_invitations(p_wanted integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today constant date := (pg_catalog.now() at time zone 'UTC')::date;
  already integer;
  granted integer;
begin
  insert into public.test_invitation_budget as b (day) values (today)
    on conflict (merchant_id, environment) do update
      set day = today, sent = case when b.day = today then b.sent else 0 end
    returning b.sent into already;
  granted := greatest(0, least(p_wanted, app.test_invitations_limit() - already));
  update public.test_invitation_budget b set sent = b.sent + granted
    where b.merchant_id = app.merchant_id() and b.environment = app.environment() and granted > 0;
  return granted;
end
$$;
grant execute on function app.reserve_test_invitations(integer) to app_definer;
alter function app.reserve_test_invitations(integer) owner to app_definer;

-- Redefines the function of 0006: outside production it uses the budget of the environment.
set local role app_definer;
create or replace function app.reserve_invitations(p_wanted integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
  granted integer;
begin
  if app.environment() <> 'production' then
    return app.reserve_test_invitations(p_wanted);
  end if;
  account := app.lock_credit_account(app.merchant_id());
  granted := greatest(0, least(p_wanted, coalesce(app.invitations_limit(account) - account.invitations_sent, p_wanted)));
  update public.credit_account a set invitations_sent = a.invitations_sent + granted
    where a.merchant_id = account.merchant_id and granted > 0;
  return granted;
end
$$;
set local role app_owner;

-- Makes calls that send account invitations of this merchant wait for each other until the transaction ends. Returns
-- how many account invitations were mailed in the last 24 hours in all environments.
create function app.lock_account_invitations() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('account invitations/' || app.merchant_id()::text, 0)
  );
  return (
    select count(*)::integer from public.mail m
    where m.merchant_id = app.merchant_id() and m.enrolment_id is null and m.state <> 'withdrawn'
      and m.created_at > pg_catalog.now() - interval '24 hours'
  );
end
$$;
grant execute on function app.lock_account_invitations() to app_user, app_service;
alter function app.lock_account_invitations() owner to app_definer;
create index mail__merchant_id_created_at on mail (merchant_id, created_at) where enrolment_id is null;

-- The worker stops the reminders of an attempt when its result is reopened, so it reads the times of reopening here.
create policy interview_result_attempt_worker_select on interview_result_attempt for select to app_worker using (true);
grant select (merchant_id, environment, result_id, attempt, reopened_at) on interview_result_attempt to app_worker;

-- Audit entries of platform-wide actions have no merchant. Only platform admins write and see them.
alter table audit_entry alter column merchant_id drop not null;
drop policy audit_entry_caller_select on audit_entry;
create policy audit_entry_caller_select on audit_entry for select to app_user, app_service
  using (
    environment = (select app.environment())
    and (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
  );
drop policy audit_entry_caller_insert on audit_entry;
create policy audit_entry_caller_insert on audit_entry for insert to app_user, app_service
  with check (
    environment = (select app.environment())
    and (merchant_id = (select app.merchant_id()) or merchant_id is null and (select app.caller_role()) = 'admin')
    and actor_id = (select app.caller_id()) and actor_role = (select app.caller_role())
  );

-- Returns the names of people of the caller's merchant, or the email address of a person without a name. For people
-- with another home merchant, the name is the one that the caller's merchant gave them.
create function app.names_of_team(p_profile_ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(case when p.merchant_id = app.merchant_id() then p.name else a.name end, p.email)
  from public.profile p
  left join public.merchant_access a on a.merchant_id = app.merchant_id() and a.profile_id = p.id
  where p.id = any (p_profile_ids) and p.role not in ('admin', 'candidate')
    and (p.merchant_id = app.merchant_id() or a.profile_id is not null)
$$;
grant execute on function app.names_of_team(uuid[]) to app_user, app_service;
alter function app.names_of_team(uuid[]) owner to app_definer;
