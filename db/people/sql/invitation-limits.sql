-- Limits of invitations per day, and the recipients of invitations outside production.

-- Returns whether mails outside production may go to this address.
create or replace function app.is_test_recipient(p_list text[], p_email_key text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select p_email_key = any (p_list) or '*@' || pg_catalog.substring(p_email_key, '@([^@]*)$') = any (p_list)
$$;
grant execute on function app.is_test_recipient(text[], text) to app_user, app_service, app_worker, app_definer;

-- The number of invitations that an account can send in a period: 4 times its credits. Null means unlimited.
create or replace function app.invitations_limit(account public.credit_account) returns integer
language sql immutable parallel safe set search_path = ''
as $$
  select case when account.plan <> 'Special' then floor(4 * (account.monthly + account.single + account.extra))::integer end
$$;
grant execute on function app.invitations_limit(credit_account) to app_user, app_service, app_definer;

-- The daily limit of invitations of a merchant in each environment except production.
create or replace function app.test_invitations_limit() returns integer language sql immutable parallel safe as 'select 100';
grant execute on function app.test_invitations_limit() to app_user, app_service, app_definer;

set local role app_definer;

-- Reserves invitations outside production, as app.reserve_invitations does in production. The row of the budget stays
-- locked until the transaction ends.
create or replace function app.reserve_test_invitations(p_wanted integer, p_share numeric) returns integer
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
  granted := greatest(0, least(p_wanted, floor(p_share * app.test_invitations_limit())::integer - already));
  update public.test_invitation_budget b set sent = b.sent + granted
    where b.merchant_id = app.merchant_id() and b.environment = app.environment() and granted > 0;
  return granted;
end
$$;

-- Reserves up to p_wanted invitations of the caller's merchant and returns the number that the budget allows: the
-- budget of the account in production, otherwise that of the environment. `p_share` is the part of the budget that may be
-- used up by then; the rest is left to other calls. The account stays locked until the transaction ends, so simultaneous
-- calls cannot exceed the budget.
create or replace function app.reserve_invitations(p_wanted integer, p_share numeric default 1) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
  granted integer;
begin
  if app.caller_role() = 'merchant_selection' then
    return 0;
  end if;
  if app.environment() <> 'production' then
    return app.reserve_test_invitations(p_wanted, p_share);
  end if;
  account := app.lock_credit_account(app.merchant_id());
  granted := greatest(0, least(p_wanted,
    coalesce(floor(p_share * app.invitations_limit(account))::integer - account.invitations_sent, p_wanted)));
  update public.credit_account a set invitations_sent = a.invitations_sent + granted
    where a.merchant_id = account.merchant_id and granted > 0;
  return granted;
end
$$;
grant execute on function app.reserve_invitations(integer, numeric) to app_user, app_service;

-- Makes calls that mail invitations of this merchant and environment wait for each other until the transaction ends.
-- Returns how many such mails each person got in the last 24 hours, as a candidate, team member or learner. Reminders
-- do not count.
create or replace function app.lock_invitations(p_email_keys text[]) returns table (email_key text, mailed integer)
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
        and m.kind not in ('reminder', 'final_reminder', 'submit_reminder') and m.state <> 'withdrawn'
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
  where app.caller_role() is distinct from 'merchant_selection'
  group by wanted.key;
end
$$;
grant execute on function app.lock_invitations(text[]) to app_user, app_service;

-- Returns the number of team and coaching invitations that this merchant mailed in the last 24 hours in this
-- environment.
create or replace function app.count_account_invitations() returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.mail m
  where m.merchant_id = app.merchant_id() and m.environment = app.environment() and m.enrolment_id is null
    and m.state <> 'withdrawn' and m.created_at > pg_catalog.now() - interval '24 hours'
$$;
grant execute on function app.count_account_invitations() to app_user, app_service;

reset role;
