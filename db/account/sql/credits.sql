-- Credits (docs/account.md#credits). Only these functions change balances, and they record each change in the ledger.

-- Returns the period that contains `p_at`. A period starts on the anchor's day of the month, or on the last day of a
-- month that does not have this day.
create or replace function app.credit_period(
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
grant execute on function app.credit_period(timestamp with time zone, timestamp with time zone) to app_definer;

set local role app_definer;

-- Adds an amount, which can be negative, to a bucket of credits and returns the entry that records it. The time of the
-- entry is taken while the account is locked, so the balances of a bucket follow each other in the order of time.
create or replace function app.post_entry(entry public.credit_entry) returns public.credit_entry
language plpgsql security definer set search_path = ''
as $$
begin
  update public.credit_account a set
    monthly = a.monthly + case entry.bucket when 'monthly' then entry.amount else 0 end,
    single = a.single + case entry.bucket when 'single' then entry.amount else 0 end,
    extra = a.extra + case entry.bucket when 'extra' then entry.amount else 0 end,
    coaching = a.coaching + case entry.bucket when 'coaching' then entry.amount else 0 end
    where a.merchant_id = entry.merchant_id
    returning a.period_started_at, case entry.bucket
        when 'monthly' then a.monthly when 'single' then a.single when 'extra' then a.extra else a.coaching
      end
      into strict entry.period_started_at, entry.balance_after;
  entry.id := uuidv7();
  entry.created_at := clock_timestamp();
  insert into public.credit_entry values (entry.*);
  return entry;
end
$$;

-- Makes an entry of a kind that the product makes by itself. An amount of 0 changes nothing.
create or replace function app.post_credits(
  p_merchant_id uuid, p_bucket text, p_kind text, p_amount numeric, p_result_id uuid, p_attempt integer
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  entry public.credit_entry;
begin
  if p_amount = 0 then
    return;
  end if;
  entry.merchant_id := p_merchant_id;
  entry.bucket := p_bucket;
  entry.kind := p_kind;
  entry.amount := p_amount;
  entry.result_id := p_result_id;
  entry.attempt := p_attempt;
  perform app.post_entry(entry);
end
$$;

-- Creates the credit account of a new merchant.
create or replace function app.open_credit_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.credit_account (merchant_id) values (new.id);
  return null;
end
$$;

-- Begins a period of the account, which the caller has locked: expires the rest of the monthly and coaching credits,
-- grants those of the plan unless the subscription is unpaid, and resets the count of invitations.
create or replace function app.begin_credit_period(account public.credit_account) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.post_credits(account.merchant_id, 'monthly', 'expiry', -account.monthly, null, null);
  perform app.post_credits(account.merchant_id, 'coaching', 'expiry', -account.coaching, null, null);
  update public.credit_account a set
    invitations_sent = 0, period_started_at = period.started_at, period_ends_at = period.ends_at
    from app.credit_period(account.period_anchor, now()) period
    where a.merchant_id = account.merchant_id;
  if account.subscription_status is null or account.subscription_status in ('trialing', 'active') then
    perform app.post_credits(account.merchant_id, 'monthly', 'renewal', account.monthly_limit, null, null);
    perform app.post_credits(account.merchant_id, 'coaching', 'renewal', account.coaching_limit, null, null);
  end if;
end
$$;

-- Locks and returns the account. Begins its next period if that is due.
create or replace function app.lock_credit_account(p_merchant_id uuid) returns public.credit_account
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
begin
  select * into strict account from public.credit_account a where a.merchant_id = p_merchant_id for update;
  if account.period_ends_at > now() then
    return account;
  end if;
  perform app.begin_credit_period(account);
  select * into account from public.credit_account a where a.merchant_id = p_merchant_id;
  return account;
end
$$;

-- Begins the next period of accounts that are due, one by one, and returns their number. Skips locked accounts.
create or replace function app.renew_credit_accounts(p_limit integer) returns integer
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

reset role;

-- The price of an attempt in credits: (template + recordings) × duration factor.
create or replace function app.interview_price(
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

set local role app_definer;

-- Charges the current attempt of a result once, with monthly, then single, then extra credits. If the account has too
-- few credits, takes none and sets `charge` to `unpaid`; a later call tries again. Returns the new `charge`, or null
-- while the attempt is running and for a draft of at most 30 s.
create or replace function app.charge_result(p_result_id uuid) returns text
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

-- Refunds an attempt once. Returns false if there is nothing to refund. Monthly credits of an earlier period are
-- refunded as extra credits.
create or replace function app.refund_result(p_result_id uuid, p_attempt integer) returns boolean
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

reset role;

create or replace trigger merchant_open_credit_account after insert on merchant
  for each row execute function app.open_credit_account();
