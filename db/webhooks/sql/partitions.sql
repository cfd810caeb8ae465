-- The monthly partitions of `webhook_delivery` and `webhook_attempt`: they are created three months ahead, and dropped
-- after the retention, unless one of their deliveries is still open. The functions belong to the owner of the tables,
-- because only the owner can create and drop partitions.

-- Returns the smallest id (UUID of version 7) of a month.
create or replace function app.month_floor(p_month timestamptz) returns uuid
language sql immutable parallel safe set search_path = ''
as $$
  select (lpad(to_hex((extract(epoch from p_month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
grant execute on function app.month_floor(timestamp with time zone) to app_worker, app_definer;

set local role app_definer;

-- Returns the month of the oldest delivery, even if the delivery is in the default partition. Returns null if there is
-- no delivery. It is a definer function because the owner of the tables cannot read their rows.
create or replace function app.oldest_delivery_month() returns timestamptz
language sql stable security definer set search_path = '' set timezone = 'UTC'
as $$
  select date_trunc('month', to_timestamp(('x' || left(replace(d.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))
  from public.webhook_delivery d order by d.id limit 1
$$;

-- Returns whether there is a delivery with an id from p_from up to p_before.
create or replace function app.has_deliveries(p_from uuid, p_before uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.webhook_delivery d where d.id >= p_from and d.id < p_before)
$$;

-- Returns whether a delivery with an id from p_from up to p_before is open. It reads only the two partial indexes of
-- open deliveries, because a month can have millions of finished ones.
create or replace function app.has_open_deliveries(p_from uuid, p_before uuid) returns boolean
language sql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
  select exists (
    select from (
      select d.id from public.webhook_delivery d
      where (d.state = 'queued' or d.state = 'retried' and d.is_released) and d.id >= p_from and d.id < p_before
      order by d.endpoint_id, d.next_attempt_at limit 1
    ) queued
  ) or exists (
    select from (
      select d.id from public.webhook_delivery d
      where d.state = 'retried' and d.id >= p_from and d.id < p_before
      order by d.endpoint_id, d.next_attempt_at, d.id limit 1
    ) retried
  )
$$;

reset role;

-- Creates a partition and moves the month's rows from the default partition into it. Attaching a finished table does
-- not block inserts into other months, whereas `create table … partition of` does.
create or replace function app.make_webhook_partition(p_parent text, p_part text, p_from uuid, p_before uuid) returns void
language plpgsql set search_path = ''
as $$
declare
  other constant text := p_parent || '_other';
  key constant text := case p_parent when 'webhook_attempt' then 'delivery_id' else 'id' end;
  has_just_ended boolean := false;
begin
  execute format('create table public.%I (like public.%I including all)', p_part, p_parent);
  -- Attempts of up to 8 KB are stored uncompressed: compressing one takes longer than all the rest of its insert.
  if p_parent = 'webhook_attempt' then
    execute format('alter table public.%I set (toast_tuple_target = 8160)', p_part);
  end if;
  -- `alter table` holds its lock until the transaction ends, so no other session reads the table while its policies are
  -- not forced.
  execute format('alter table public.%I no force row level security', other);
  execute format(
    'with moved as (delete from public.%I where %I >= $1 and %2$I < $2 returning *) insert into public.%3$I select * from moved',
    other, key, p_part
  ) using p_from, p_before;
  execute format('alter table public.%I force row level security', other);
  -- A delivery of a month past retention may have ended only recently. The time in the comment on the table delays the
  -- drop, so that such deliveries stay visible for seven days.
  if p_parent = 'webhook_delivery' then
    execute format('select exists (select from public.%I where finished_at > now() - interval ''7 days'')', p_part)
      into has_just_ended;
    if has_just_ended then
      execute format('comment on table public.%I is %L', p_part, now());
    end if;
  end if;
  execute format('alter table public.%I enable row level security, force row level security', p_part);
  execute format(
    'alter table public.%I attach partition public.%I for values from (%L) to (%L)', p_parent, p_part, p_from, p_before
  );
end
$$;

-- Creates or drops the partition of a month, or keeps it past retention because deliveries in it are open. Returns
-- `made`, `dropped`, `kept` or null. The comment on the table is the last time at which an open delivery was seen in
-- it; the table is kept for seven days after that time.
create or replace function app.keep_webhook_partition(p_parent text, p_month timestamptz, p_expired timestamptz) returns text
language plpgsql set search_path = ''
as $$
declare
  suffix constant text := to_char(p_month, '_YYYY_MM');
  part constant text := p_parent || suffix;
  first_id constant uuid := app.month_floor(p_month);
  end_id constant uuid := app.month_floor(p_month + interval '1 month');
  open_at timestamptz;
begin
  if to_regclass('public.' || part) is null then
    if p_month < date_trunc('month', now()) and not app.has_deliveries(first_id, end_id) then
      return null;
    end if;
    perform app.make_webhook_partition(p_parent, part, first_id, end_id);
    return 'made';
  end if;
  if p_month >= p_expired or (p_parent = 'webhook_attempt'
      and (to_regclass('public.webhook_delivery' || suffix) is not null or app.has_deliveries(first_id, end_id))) then
    return null;
  end if;
  open_at := obj_description(to_regclass('public.' || part))::timestamptz;
  if app.has_open_deliveries(first_id, end_id) then
    if open_at is null or open_at < now() - interval '1 day' then
      execute format('comment on table public.%I is %L', part, now());
    end if;
    return 'kept';
  elsif open_at > now() - interval '7 days' then
    return 'kept';
  end if;
  execute format('lock table only public.%I in access exclusive mode', p_parent);
  if app.has_open_deliveries(first_id, end_id) then
    raise exception 'A delivery of % was opened again at this moment.', part;
  end if;
  execute format('drop table public.%I', part);
  return 'dropped';
end
$$;

-- Creates or drops at most one partition per call, so that a transaction locks only one partition. The function waits
-- at most 1 s for a lock, because changes of results wait during that time. If a month fails, the function returns the
-- error and continues with the next month.
create or replace function app.keep_webhook_partitions(p_retention interval)
returns table (part text, month timestamptz, done text, error text)
language plpgsql security definer set search_path = '' set lock_timeout = '1s' set timezone = 'UTC'
as $$
declare
  expired constant timestamptz := date_trunc('month', now() - p_retention);
  -- Starts at the oldest partition or delivery, so that partitions that are years past their retention are dropped too.
  oldest constant timestamptz := least(expired, app.oldest_delivery_month(), (
    select min(to_timestamp(right(c.relname, 7), 'YYYY_MM')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.webhook_delivery'::regclass, 'public.webhook_attempt'::regclass)
      and c.relname ~ '_\d{4}_\d{2}$'
  ));
  parent text;
begin
  -- Only one worker at a time runs this, because two workers would try to create the same partition.
  if not pg_try_advisory_xact_lock(hashtextextended('webhook partitions', 0)) then
    return;
  end if;
  for month in
    select generate_series(oldest, date_trunc('month', now()) + interval '3 months', interval '1 month')
  loop
    -- The partition for a month's attempts is created before the one for its deliveries and dropped after it, so that
    -- the attempts of a delivery always have a partition.
    foreach parent in array array['webhook_attempt', 'webhook_delivery'] loop
      part := parent || to_char(month, '_YYYY_MM');
      error := null;
      begin
        done := app.keep_webhook_partition(parent, month, expired);
      exception when others then
        done := 'failed';
        error := sqlerrm;
      end;
      if done is not null then
        return next;
      end if;
      if done in ('made', 'dropped') then
        return;
      end if;
    end loop;
  end loop;
end
$$;
grant execute on function app.keep_webhook_partitions(interval) to app_worker;

set local role app_definer;

-- For a partition that is past retention and kept because of open deliveries: reads the next 5,000 deliveries after the
-- id p_after and deletes those that ended more than seven days ago. Returns the last id that it read, or null at the
-- end of the partition.
create or replace function app.expire_webhook_deliveries(p_month timestamptz, p_retention interval, p_after uuid) returns uuid
language sql volatile security definer set search_path = '' set timezone = 'UTC'
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  with looked as materialized (
    select d.id, d.finished_at from public.webhook_delivery d
    where p_month < date_trunc('month', now() - p_retention) and d.id > p_after
      and d.id >= app.month_floor(p_month) and d.id < app.month_floor(p_month + interval '1 month')
    order by d.id limit 5000
  ),
  gone as (
    delete from public.webhook_delivery d
    where d.id = any (array(select l.id from looked l where l.finished_at < now() - interval '7 days'))
      and d.id >= app.month_floor(p_month) and d.id < app.month_floor(p_month + interval '1 month')
      and d.finished_at < now() - interval '7 days'
    returning d.merchant_id, d.id
  ),
  with_it as (
    delete from public.webhook_attempt a using gone
    where a.merchant_id = gone.merchant_id and a.delivery_id = gone.id
      and a.delivery_id >= app.month_floor(p_month) and a.delivery_id < app.month_floor(p_month + interval '1 month')
  )
  select l.id from looked l order by l.id offset 4999
$$;
grant execute on function app.expire_webhook_deliveries(timestamp with time zone, interval, uuid) to app_worker;

reset role;
