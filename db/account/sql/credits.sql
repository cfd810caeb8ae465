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
  if entry.bucket = 'single' then
    update public.single_credit s set balance = s.balance + entry.amount
      where s.merchant_id = entry.merchant_id and s.position_id = entry.position_id;
    if not found then
      insert into public.single_credit (merchant_id, position_id, balance)
        values (entry.merchant_id, entry.position_id, entry.amount);
    end if;
  end if;
  entry.id := uuidv7();
  entry.created_at := clock_timestamp();
  insert into public.credit_entry values (entry.*);
  return entry;
end
$$;

-- Makes an entry of a kind that the product makes by itself. An amount of 0 changes nothing. Single credits need the
-- interview or position that they are for.
create or replace function app.post_credits(
  p_merchant_id uuid, p_bucket text, p_kind text, p_amount numeric, p_result_id uuid, p_attempt integer,
  p_position_id uuid default null
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
  entry.position_id := p_position_id;
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
-- grants those of the plan unless the subscription is unpaid, pays attempts that wait, and resets the count of
-- invitations.
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
  perform app.pay_waiting(account.merchant_id);
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

create or replace trigger merchant_open_credit_account after insert on merchant
  for each row execute function app.open_credit_account();
