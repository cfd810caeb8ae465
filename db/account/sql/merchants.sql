-- What platform admins and service keys of the platform do with the accounts of merchants
-- (docs/account.md#accounts). Each function checks the caller itself.

set local role app_definer;

create or replace function app.is_platform() returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.caller_role() = 'admin' or app.caller_role() = 'service' and exists (
    select from public.service_key k where k.id = app.caller_id() and k.merchant_id is null
  )
$$;

-- Creates a merchant and returns its id. The rest of the transaction belongs to the new merchant. Returns null if the
-- parent is unknown or is a sub-merchant itself, because access to a merchant reaches one level of sub-merchants.
create or replace function app.create_merchant(p_name text, p_parent_id uuid, p_plan text, p_time_zone text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  new_id uuid;
begin
  if not app.is_platform() then
    return null;
  end if;
  -- Fails with 22023 for a time zone that Postgres does not know.
  perform pg_catalog.now() at time zone p_time_zone;
  if p_parent_id is not null then
    perform from public.merchant m where m.id = p_parent_id and m.parent_id is null;
    if not found then
      return null;
    end if;
  end if;
  insert into public.merchant (name, parent_id, time_zone) values (p_name, p_parent_id, p_time_zone) returning id into new_id;
  update public.credit_account a set plan = p_plan where a.merchant_id = new_id;
  perform pg_catalog.set_config('app.merchant_id', new_id::text, true);
  return new_id;
end
$$;
grant execute on function app.create_merchant(text, uuid, text, text) to app_user, app_service;

-- Lists merchants by name, with their accounts. `p_place` is the place of a cursor; `total` is the number of all matches
-- after it.
create or replace function app.list_merchants(
  p_filter text, p_plan text, p_limit_rows integer, p_offset integer, p_place jsonb default null
)
returns table (
  id uuid, name text, parent_merchant_id uuid, subscription_type text, subscription_status text,
  credits_interview_monthly_limit numeric, credits_coaching_monthly_limit numeric, credits_interview_monthly numeric,
  credits_interview_extra numeric, credits_interview_single numeric, credits_coaching_monthly numeric,
  created_at timestamptz, total bigint, place jsonb
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.name, m.parent_id, a.plan, a.subscription_status, a.monthly_limit, a.coaching_limit, a.monthly, a.extra,
    a.single, a.coaching, m.created_at, count(*) over (),
    pg_catalog.jsonb_build_array(pg_catalog.lower(m.name), m.id)
  from public.merchant m join public.credit_account a on a.merchant_id = m.id
  where app.is_platform() and (p_plan is null or a.plan = p_plan)
    and (pg_catalog.strpos(pg_catalog.lower(m.name), pg_catalog.lower(p_filter)) > 0 or m.id::text = pg_catalog.lower(p_filter))
    and (p_place is null or (pg_catalog.lower(m.name), m.id) > (p_place ->> 0, (p_place ->> 1)::uuid))
  order by pg_catalog.lower(m.name), m.id limit p_limit_rows offset p_offset
$$;
grant execute on function app.list_merchants(text, text, integer, integer, jsonb) to app_user, app_service;

-- Changes the account of the caller's merchant. Null leaves a value as it is; `p_status` counts if `p_sets_status` is
-- true. Returns the names of the columns that have changed. A subscription that begins also begins a period with the
-- credits of the plan. Without a subscription, the periods are calendar months again when the current one has ended.
create or replace function app.change_account(
  p_name text, p_plan text, p_sets_status boolean, p_status text, p_monthly_limit numeric, p_coaching_limit numeric
) returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  account public.credit_account;
  old_name text;
  begins boolean;
  ends boolean;
begin
  if not app.is_platform() then
    return null;
  end if;
  select m.name into strict old_name from public.merchant m where m.id = app.merchant_id() for no key update;
  account := app.lock_credit_account(app.merchant_id());
  begins := p_sets_status and account.subscription_status is null and p_status is not null;
  ends := p_sets_status and account.subscription_status is not null and p_status is null;
  update public.merchant m set name = p_name where m.id = app.merchant_id() and m.name <> p_name;
  update public.credit_account a set
    plan = coalesce(p_plan, a.plan),
    subscription_status = case when p_sets_status then p_status else a.subscription_status end,
    monthly_limit = coalesce(p_monthly_limit, a.monthly_limit),
    coaching_limit = coalesce(p_coaching_limit, a.coaching_limit),
    period_anchor = case
      when begins then pg_catalog.now()
      when ends then pg_catalog.date_trunc('month', pg_catalog.now() at time zone 'UTC') at time zone 'UTC'
      else a.period_anchor
    end
    where a.merchant_id = app.merchant_id();
  if p_plan = 'Special' then
    -- The plan charges nothing, so what waits for credits becomes free.
    delete from public.unpaid_attempt u where u.merchant_id = app.merchant_id();
  end if;
  if begins then
    perform app.begin_credit_period(a) from public.credit_account a where a.merchant_id = app.merchant_id();
  end if;
  return array_remove(array[
    case when p_name <> old_name then 'name' end,
    case when p_plan <> account.plan then 'plan' end,
    case when p_sets_status and p_status is distinct from account.subscription_status then 'subscription_status' end,
    case when p_monthly_limit <> account.monthly_limit then 'monthly_limit' end,
    case when p_coaching_limit <> account.coaching_limit then 'coaching_limit' end
  ], null);
end
$$;
grant execute on function app.change_account(text, text, boolean, text, numeric, numeric) to app_user, app_service;

-- Adds credits to the account of the caller's merchant, or takes some away, and pays attempts that wait for credits.
-- Returns the entry's id and the balance that the bucket then has, or no row if a balance would fall below 0.
create or replace function app.add_credits(p_bucket text, p_amount numeric, p_reason text, p_position_id uuid)
returns table (id uuid, balance numeric)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  account public.credit_account;
  entry public.credit_entry;
  available numeric;
begin
  if not app.is_platform() then
    return;
  end if;
  account := app.lock_credit_account(app.merchant_id());
  available := case p_bucket
    when 'monthly' then account.monthly when 'extra' then account.extra when 'coaching' then account.coaching
    else coalesce((
      select s.balance from public.single_credit s where s.merchant_id = account.merchant_id and s.position_id = p_position_id
    ), 0)
  end;
  if available + p_amount < 0 then
    return;
  end if;
  entry.merchant_id := account.merchant_id;
  entry.bucket := p_bucket;
  entry.kind := 'grant';
  entry.amount := p_amount;
  entry.reason := p_reason;
  entry.actor := case app.caller_role() when 'admin' then 'platform_admin' else 'platform_key' end;
  entry.position_id := p_position_id;
  entry := app.post_entry(entry);
  if p_amount > 0 then
    perform app.pay_waiting(account.merchant_id);
  end if;
  return query
    select entry.id, case p_bucket
        when 'monthly' then a.monthly when 'single' then a.single when 'extra' then a.extra else a.coaching
      end
    from public.credit_account a where a.merchant_id = account.merchant_id;
end
$$;
grant execute on function app.add_credits(text, numeric, text, uuid) to app_user, app_service;

reset role;
