-- Credits and the invitation budget (docs/account.md#credits). Only the functions below change balances, and they
-- record each change in the ledger.

create table credit_account (
  merchant_id uuid primary key references merchant (id),
  plan text not null default 'Free', -- 'Special' is unlimited
  subscription_status text check (subscription_status in ('trialing', 'active', 'past_due', 'canceled')),
  monthly_limit numeric(12, 2) not null default 0 check (monthly_limit >= 0),
  monthly numeric(12, 2) not null default 0 check (monthly >= 0),
  single numeric(12, 2) not null default 0 check (single >= 0),
  extra numeric(12, 2) not null default 0 check (extra >= 0),
  -- Periods are months from the anchor: the start of the subscription or, without one, the first of a month in UTC.
  period_anchor timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_started_at timestamptz not null default (date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
  period_ends_at timestamptz not null
    default ((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'),
  invitations_sent integer not null default 0 check (invitations_sent >= 0),
  check (
    subscription_status is not null
    or period_anchor at time zone 'UTC' = date_trunc('month', period_anchor at time zone 'UTC')
  )
);
create index credit_account__period_ends_at on credit_account (period_ends_at);

create table credit_entry (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references credit_account (merchant_id),
  bucket text not null check (bucket in ('monthly', 'single', 'extra')),
  kind text not null check (kind in ('grant', 'renewal', 'expiry', 'charge', 'refund')),
  amount numeric(12, 2) not null check (amount <> 0),
  result_id uuid,
  attempt integer,
  period_started_at timestamptz not null, -- the start of the account's period when the entry was made
  created_at timestamptz not null default now(),
  check ((kind in ('charge', 'refund')) = (result_id is not null and attempt is not null)),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create index credit_entry__merchant_id_created_at on credit_entry (merchant_id, created_at);
-- An attempt has at most one charge and one refund in each bucket of credits.
create unique index credit_entry__merchant_id_result_id_attempt_kind_bucket
  on credit_entry (merchant_id, result_id, attempt, kind, bucket) where result_id is not null;

alter table credit_account enable row level security, force row level security;
alter table credit_entry enable row level security, force row level security;

create policy credit_account_caller_select on credit_account for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
grant select on credit_account to app_user, app_service;

create policy credit_account_definer_select on credit_account for select to app_definer using (true);
create policy credit_account_definer_insert on credit_account for insert to app_definer with check (true);
create policy credit_account_definer_update on credit_account for update to app_definer using (true);
create policy credit_entry_definer_select on credit_entry for select to app_definer using (true);
create policy credit_entry_definer_insert on credit_entry for insert to app_definer with check (true);
create policy interview_result_definer_select on interview_result for select to app_definer using (true);
create policy interview_result_definer_update on interview_result for update to app_definer using (true);
create policy interview_template_definer_select on interview_template for select to app_definer using (true);
grant select, insert, update (monthly, single, extra, period_started_at, period_ends_at, invitations_sent)
  on credit_account to app_definer;
grant select, insert on credit_entry to app_definer;
grant select, update (charge) on interview_result to app_definer;
grant select (interview_template_id, recording, recording_full_session, max_duration) on interview to app_definer;
grant select (id, type) on interview_template to app_definer;

-- Creates the credit account of a new merchant.
create function app.open_credit_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.credit_account (merchant_id) values (new.id);
  return null;
end
$$;
create trigger merchant_open_credit_account after insert on merchant
  for each row execute function app.open_credit_account();
alter function app.open_credit_account() owner to app_definer;
set local role app_definer;
insert into public.credit_account (merchant_id) select id from public.merchant;
set local role app_owner;

-- Adds an amount, which can be negative, to a bucket of credits and records the entry.
create function app.post_credits(
  p_merchant_id uuid, p_bucket text, p_kind text, p_amount numeric, p_result_id uuid, p_attempt integer
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  started_at timestamptz;
begin
  if p_amount = 0 then
    return;
  end if;
  update public.credit_account a set
    monthly = a.monthly + case p_bucket when 'monthly' then p_amount else 0 end,
    single = a.single + case p_bucket when 'single' then p_amount else 0 end,
    extra = a.extra + case p_bucket when 'extra' then p_amount else 0 end
    where a.merchant_id = p_merchant_id
    returning a.period_started_at into strict started_at;
  insert into public.credit_entry (merchant_id, bucket, kind, amount, result_id, attempt, period_started_at)
    values (p_merchant_id, p_bucket, p_kind, p_amount, p_result_id, p_attempt, started_at);
end
$$;
alter function app.post_credits(uuid, text, text, numeric, uuid, integer) owner to app_definer;

-- Returns the period that contains `p_at`. A period starts on the anchor's day of the month, or on the last day of a
-- month that does not have this day.
create function app.credit_period(
  p_anchor timestamptz, p_at timestamptz, out started_at timestamptz, out ends_at timestamptz
)
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  anchor timestamp := p_anchor at time zone 'UTC';
  at timestamp := p_at at time zone 'UTC';
  months integer := 12 * (extract(year from at) - extract(year from anchor))
    + extract(month from at) - extract(month from anchor);
begin
  if anchor + make_interval(months => months) > at then
    months := months - 1;
  end if;
  started_at := (anchor + make_interval(months => months)) at time zone 'UTC';
  ends_at := (anchor + make_interval(months => months + 1)) at time zone 'UTC';
end
$$;
grant execute on function app.credit_period(timestamptz, timestamptz) to app_definer;

-- Locks and returns the account. If its next period is due, begins it: expires the rest of the monthly credits, grants
-- the plan's monthly credits unless the subscription is unpaid, and resets the count of invitations.
create function app.lock_credit_account(p_merchant_id uuid) returns public.credit_account
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
begin
  select * into strict account from public.credit_account a where a.merchant_id = p_merchant_id for update;
  if account.period_ends_at > now() then
    return account;
  end if;
  perform app.post_credits(p_merchant_id, 'monthly', 'expiry', -account.monthly, null, null);
  update public.credit_account a set
    invitations_sent = 0, period_started_at = period.started_at, period_ends_at = period.ends_at
    from app.credit_period(account.period_anchor, now()) period
    where a.merchant_id = p_merchant_id;
  if account.subscription_status is null or account.subscription_status in ('trialing', 'active') then
    perform app.post_credits(p_merchant_id, 'monthly', 'renewal', account.monthly_limit, null, null);
  end if;
  select * into account from public.credit_account a where a.merchant_id = p_merchant_id;
  return account;
end
$$;
alter function app.lock_credit_account(uuid) owner to app_definer;

-- Begins the next period of accounts that are due, one by one, and returns their number. Skips locked accounts.
create function app.renew_credit_accounts(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  due uuid;
  renewed integer := 0;
begin
  for due in
    select a.merchant_id from public.credit_account a where a.period_ends_at <= now()
    order by a.period_ends_at limit p_limit for update skip locked
  loop
    perform app.lock_credit_account(due);
    renewed := renewed + 1;
  end loop;
  return renewed;
end
$$;
grant execute on function app.renew_credit_accounts(integer) to app_worker;
alter function app.renew_credit_accounts(integer) owner to app_definer;

-- The number of invitations that an account can send in a period: 4 times its credits. Null means unlimited.
create function app.invitations_limit(account public.credit_account) returns integer
language sql immutable parallel safe set search_path = ''
as $$
  select case when account.plan <> 'Special' then floor(4 * (account.monthly + account.single + account.extra))::integer end
$$;
grant execute on function app.invitations_limit(public.credit_account) to app_definer, app_user, app_service;

-- Reserves up to p_wanted invitations of the caller's merchant and returns the number that the budget allows. The
-- account stays locked until the transaction ends, so simultaneous calls cannot exceed the budget.
create function app.reserve_invitations(p_wanted integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account := app.lock_credit_account(app.merchant_id());
  granted integer;
begin
  granted := greatest(0, least(p_wanted, coalesce(app.invitations_limit(account) - account.invitations_sent, p_wanted)));
  update public.credit_account a set invitations_sent = a.invitations_sent + granted
    where a.merchant_id = account.merchant_id and granted > 0;
  return granted;
end
$$;
grant execute on function app.reserve_invitations(integer) to app_user, app_service;
alter function app.reserve_invitations(integer) owner to app_definer;

-- The price of an attempt in credits: (template + recordings) × duration factor.
create function app.interview_price(
  p_template_type text, p_stopped_early boolean, p_recording text, p_recording_full_session text, p_max_duration integer
) returns numeric
language sql immutable parallel safe set search_path = ''
as $$
  select (
    case
      when p_template_type = 'interactive_voice' then 1
      when p_template_type = 'interactive_avatar_1' then case when p_stopped_early then 1.5 else 2.5 end
      when p_template_type = 'interactive_avatar_2' then 1.25
      else 0.35
    end
    + case when p_recording like 'audio%' then 0.1 when p_recording like 'video%' then 0.25 else 0 end
    + case when p_recording_full_session like 'audio%' then 0.2 when p_recording_full_session like 'video%' then 0.4 else 0 end
  ) * case
    when coalesce(p_max_duration, 0) <= 1200 then 1
    when p_max_duration <= 1800 then 2
    when p_max_duration <= 2700 then 3
    when p_max_duration <= 3600 then 4
    else 5
  end
$$;
grant execute on function app.interview_price(text, boolean, text, text, integer) to app_definer;

-- Charges the current attempt of a result once, with monthly, then single, then extra credits. If the account has too
-- few credits, takes none and sets `charge` to `unpaid`; a later call tries again. Returns the new `charge`, or null
-- while the attempt is running and for a draft of at most 30 s.
create function app.charge_result(p_result_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  result record;
  account public.credit_account;
  price numeric;
  from_monthly numeric;
  from_single numeric;
  outcome text;
begin
  select r.merchant_id, r.attempt, r.is_test, r.status, r.interview_status, r.duration, r.charge,
    t.type as template_type, i.recording, i.recording_full_session, i.max_duration
    into result
    from public.interview_result r
    join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join public.interview_template t on t.id = i.interview_template_id
    where r.id = p_result_id for update of r;
  if not found then
    return null;
  end if;
  if result.charge is not null and result.charge <> 'unpaid' then
    return result.charge;
  end if;
  if result.is_test or result.interview_status in ('failed', 'abandoned', 'terminated, no speech detected') then
    outcome := 'free';
  elsif result.interview_status is null or result.interview_status = 'started'
    or (result.status = 'draft' and coalesce(result.duration, 0) <= 300) then
    return null;
  else
    account := app.lock_credit_account(result.merchant_id);
    price := app.interview_price(
      result.template_type, result.interview_status = 'completed, stopped early', result.recording,
      result.recording_full_session, result.max_duration
    );
    if account.plan = 'Special' then
      outcome := 'free';
    elsif account.monthly + account.single + account.extra < price then
      outcome := 'unpaid';
    else
      from_monthly := least(account.monthly, price);
      from_single := least(account.single, price - from_monthly);
      perform app.post_credits(result.merchant_id, 'monthly', 'charge', -from_monthly, p_result_id, result.attempt);
      perform app.post_credits(result.merchant_id, 'single', 'charge', -from_single, p_result_id, result.attempt);
      perform app.post_credits(
        result.merchant_id, 'extra', 'charge', -(price - from_monthly - from_single), p_result_id, result.attempt
      );
      outcome := 'charged';
    end if;
  end if;
  update public.interview_result r set charge = outcome
    where r.id = p_result_id and r.charge is distinct from outcome;
  return outcome;
end
$$;
grant execute on function app.charge_result(uuid) to app_worker;
alter function app.charge_result(uuid) owner to app_definer;

-- Refunds an attempt once. Returns false if there is nothing to refund. Monthly credits of an earlier period are
-- refunded as extra credits.
create function app.refund_result(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  result record;
  account public.credit_account;
  entry record;
  refunded boolean := false;
begin
  select r.merchant_id, r.attempt into result from public.interview_result r where r.id = p_result_id for update;
  if not found then
    return false;
  end if;
  account := app.lock_credit_account(result.merchant_id);
  for entry in
    select case when e.bucket = 'monthly' and e.period_started_at < account.period_started_at then 'extra' else e.bucket end as bucket,
      -sum(e.amount) as amount
    from public.credit_entry e
    where e.merchant_id = result.merchant_id and e.result_id = p_result_id and e.attempt = p_attempt and e.kind = 'charge'
      and not exists (
        select from public.credit_entry f where f.merchant_id = e.merchant_id and f.result_id = e.result_id
          and f.attempt = e.attempt and f.kind = 'refund'
      )
    group by 1
  loop
    perform app.post_credits(result.merchant_id, entry.bucket, 'refund', entry.amount, p_result_id, p_attempt);
    refunded := true;
  end loop;
  if refunded then
    update public.interview_result r set charge = 'refunded' where r.id = p_result_id and r.attempt = p_attempt;
  end if;
  return refunded;
end
$$;
grant execute on function app.refund_result(uuid, integer) to app_worker;
alter function app.refund_result(uuid, integer) owner to app_definer;
