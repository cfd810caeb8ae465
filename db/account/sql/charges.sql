-- What attempts cost, and which credits pay for them (docs/account.md#credits).

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
grant execute on function app.interview_price(text, boolean, text, text, integer) to app_user, app_service, app_definer;

-- The price of an attempt at this interview. A visit of a public avatar is typed and short, so it costs the template's
-- price alone.
create or replace function app.attempt_price(p_merchant_id uuid, p_interview_id uuid, p_stopped_early boolean) returns numeric
language sql stable
as $$
  select app.interview_price(t.type, p_stopped_early, case when has_extras then i.recording end,
    case when has_extras then i.recording_full_session end, case when has_extras then i.max_duration end)
  from public.interview i join public.interview_template t on t.id = i.interview_template_id
  cross join lateral (select i.type <> 'public_avatar') x (has_extras)
  where i.merchant_id = p_merchant_id and i.id = p_interview_id
$$;
grant execute on function app.attempt_price(uuid, uuid, boolean) to app_user, app_service, app_definer;

-- The price of the current attempt of a result: the one that was stored when it began. A visit and an attempt without a
-- stored price have the price of the interview as it is now.
create or replace function app.price_of(r public.interview_result) returns numeric
language sql stable
as $$
  select coalesce(
    (
      select case when is_early then p.price_if_early else p.price end from public.attempt_plan p
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    ),
    app.attempt_price(r.merchant_id, r.interview_id, is_early)
  )
  from (select r.interview_status = 'completed, stopped early') x (is_early)
$$;
grant execute on function app.price_of(interview_result) to app_definer;

set local role app_definer;

-- Returns the balances that can pay for an attempt, in the order in which they are used: single credits of the
-- interview and of its position, which pay for nothing else, then monthly and extra credits. Practice is paid with
-- coaching credits. A balance that an older attempt waits for is left to that one.
create or replace function app.usable_credits(due public.unpaid_attempt)
returns table (place integer, bucket text, position_id uuid, balance numeric)
language sql stable security definer set search_path = ''
as $$
  with older as (
    select u.interview_id, u.position_id from public.unpaid_attempt u
    where u.merchant_id = due.merchant_id and u.is_practice = due.is_practice and u.due_at < due.due_at
  )
  select case when s.position_id = due.interview_id then 1 else 2 end, 'single', s.position_id, s.balance
  from public.single_credit s
  where not due.is_practice and s.merchant_id = due.merchant_id and s.position_id in (due.interview_id, due.position_id)
    and s.balance > 0 and not exists (select from older o where s.position_id in (o.interview_id, o.position_id))
  union all
  select b.place, b.bucket, null, b.balance
  from public.credit_account a
  cross join lateral (
    values (3, 'monthly', a.monthly, false), (4, 'extra', a.extra, false), (5, 'coaching', a.coaching, true)
  ) b (place, bucket, balance, is_practice)
  where a.merchant_id = due.merchant_id and b.is_practice = due.is_practice and not exists (select from older)
$$;

-- Pays an attempt completely, or takes nothing and returns false. The caller has locked the account.
create or replace function app.pay_attempt(due public.unpaid_attempt) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  source record;
  rest numeric := due.price;
begin
  if due.price > (select coalesce(sum(c.balance), 0) from app.usable_credits(due) c) then
    return false;
  end if;
  for source in select * from app.usable_credits(due) c order by c.place loop
    perform app.post_credits(due.merchant_id, source.bucket, 'charge', -least(rest, source.balance), due.result_id,
      due.attempt, source.position_id);
    rest := rest - least(rest, source.balance);
  end loop;
  delete from public.unpaid_attempt u
    where u.merchant_id = due.merchant_id and u.result_id = due.result_id and u.attempt = due.attempt;
  return true;
end
$$;

-- Pays the attempts that wait for credits, as far as the credits suffice: the oldest first, also among those that the
-- same single credits can pay for. The caller has locked the account.
create or replace function app.pay_waiting(p_merchant_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  line record;
  due public.unpaid_attempt;
  has_paid boolean := true;
begin
  while has_paid loop
    has_paid := false;
    for line in
      select null::uuid as position_id, kind.is_practice from (values (false), (true)) kind (is_practice)
      union all
      select s.position_id, false from public.single_credit s where s.merchant_id = p_merchant_id and s.balance > 0
    loop
      for due in
        select * from public.unpaid_attempt u
        where u.merchant_id = p_merchant_id and u.is_practice = line.is_practice
          and (line.position_id is null or line.position_id in (u.interview_id, u.position_id))
        order by u.due_at
      loop
        exit when not app.pay_attempt(due);
        has_paid := true;
      end loop;
    end loop;
  end loop;
end
$$;

-- Charges the current attempt of a result once. If too few credits are left, takes none, and the attempt waits in
-- `unpaid_attempt`. Returns `charged` or `free`, or null while the attempt is running and for a draft of at most 30 s. A visit is charged when it
-- begins.
create or replace function app.charge_result(p_result_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  account public.credit_account;
  due public.unpaid_attempt;
  outcome text;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  if not found then
    return null;
  end if;
  r := app.current_attempt(r);
  if r.charge is not null then
    return r.charge;
  end if;
  if r.is_test or r.environment <> 'production'
    or r.interview_status in ('failed', 'abandoned', 'terminated, no speech detected') then
    outcome := 'free';
  elsif not r.is_visit and (r.interview_status is null or r.interview_status = 'started'
    or (r.status = 'draft' and coalesce(r.duration, 0) <= 300)) then
    return null;
  else
    account := app.lock_credit_account(r.merchant_id);
    if account.plan = 'Special' then
      outcome := 'free';
    else
      select r.merchant_id, r.id, r.attempt, i.id, (
          select e.position_id from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id
        ), app.is_practice(i.type), app.price_of(r), clock_timestamp() into due
        from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id;
      if not app.pay_attempt(due) then
        insert into public.unpaid_attempt values (due.*);
      end if;
      outcome := 'charged';
    end if;
  end if;
  r.charge := outcome;
  perform app.save_attempt(r);
  return outcome;
end
$$;
grant execute on function app.charge_result(uuid) to app_worker;

-- Refunds an attempt once, or forgets that it waits for credits. Returns false if there is nothing to refund. Monthly
-- credits of an earlier period are refunded as extra credits.
create or replace function app.refund_result(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
  entry record;
  refunded boolean;
begin
  account := (select app.lock_credit_account(r.merchant_id) from public.interview_result r where r.id = p_result_id);
  delete from public.unpaid_attempt u
    where u.merchant_id = account.merchant_id and u.result_id = p_result_id and u.attempt = p_attempt;
  refunded := found;
  for entry in
    select case when e.bucket = 'monthly' and e.period_started_at < account.period_started_at then 'extra' else e.bucket end as bucket,
      e.position_id, -sum(e.amount) as amount
    from public.credit_entry e
    where e.merchant_id = account.merchant_id and e.result_id = p_result_id and e.attempt = p_attempt and e.kind = 'charge'
      and not exists (
        select from public.credit_entry f where f.merchant_id = e.merchant_id and f.result_id = e.result_id
          and f.attempt = e.attempt and f.kind = 'refund'
      )
    group by 1, 2
  loop
    perform app.post_credits(account.merchant_id, entry.bucket, 'refund', entry.amount, p_result_id, p_attempt, entry.position_id);
    refunded := true;
  end loop;
  if refunded then
    perform app.pay_waiting(account.merchant_id);
  end if;
  return refunded;
end
$$;
grant execute on function app.refund_result(uuid, integer) to app_worker;

-- Returns whether the credits that are left can pay for an attempt at this interview that begins now. Practice leaves what
-- the practice of others will cost that is under way. True for interviews that begin without credits: those for candidates,
-- and all outside production. A period that is due may begin with new credits, so the caller begins it first
-- (app.lock_credit_account).
create or replace function app.has_credits_left(p_merchant_id uuid, p_interview_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  due public.unpaid_attempt;
  reserved numeric := 0;
begin
  select i.merchant_id, null, null, i.id, null, i.type <> 'public_avatar', app.attempt_price(i.merchant_id, i.id, false),
    clock_timestamp() into due
    from public.interview i join public.credit_account a on a.merchant_id = i.merchant_id
    where i.merchant_id = p_merchant_id and i.id = p_interview_id and i.type in ('coaching', 'persona', 'public_avatar')
      and i.environment = 'production' and a.plan <> 'Special' and a.period_ends_at > now();
  if not found then
    return true;
  end if;
  if due.is_practice then
    select coalesce(sum(app.price_of(r)), 0) into reserved
      from app.started_attempts(due.merchant_id) r
      join public.interview o on o.merchant_id = r.merchant_id and o.id = r.interview_id
      where r.environment = 'production' and not r.is_test and app.is_practice(o.type);
  end if;
  return due.price + reserved <= (select coalesce(sum(c.balance), 0) from app.usable_credits(due) c);
end
$$;

-- Returns the same for the interview of the link.
create or replace function app.link_has_practice_left() returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.link_is_test() or app.has_credits_left(app.merchant_id(), app.link_interview_id())
$$;
grant execute on function app.link_has_practice_left() to app_link;

reset role;
