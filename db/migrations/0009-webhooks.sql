-- Webhooks (docs/webhooks.md).

create table webhook_endpoint (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  url text not null,
  description text,
  events text[] not null check (
    events <@ array['interview_result', 'interview_collected', 'interview_failed'] and cardinality(events) > 0
  ),
  custom_headers_sealed bytea, -- a JSON object, sealed for `webhook_endpoint/<id>`
  timeout_seconds integer not null default 60 check (timeout_seconds between 1 and 60),
  -- The waits before attempts 2 to 10, in milliseconds. Null means the default
  -- (docs/webhooks.md#attempts-and-schedule).
  retry_waits_ms integer[] check (cardinality(retry_waits_ms) = 9),
  in_flight_limit integer check (in_flight_limit between 1 and 50),
  enabled boolean not null default true, -- an owner can turn the endpoint off
  paused_reason text check (paused_reason in ('failing', 'gone', 'by_hand')),
  paused_at timestamptz,
  paused_mailed_at timestamptz,
  failing_since timestamptz, -- since then every attempt failed
  last_failed_at timestamptz, -- accurate to the hour, so that not every failure updates the row
  -- Until this time, a retry run (the activity `attemptDue`) works on the endpoint. Meanwhile the sender has at most
  -- one request to it in flight.
  retrying_until timestamptz,
  -- Every change that senders must see raises the version, because they cache an endpoint until its version changes.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (merchant_id, id),
  check ((paused_reason is null) = (paused_at is null))
);
create index webhook_endpoint__merchant_id_environment_id on webhook_endpoint (merchant_id, environment, id)
  where deleted_at is null;
-- Lets the worker's scan for due deliveries skip endpoints that are disabled, paused or deleted.
create index webhook_endpoint__id on webhook_endpoint (id)
  where enabled and paused_reason is null and deleted_at is null;
-- Finds the pauses that the worker has to mail to the owners.
create index webhook_endpoint__paused_at on webhook_endpoint (paused_at)
  where paused_reason in ('failing', 'gone') and paused_mailed_at is null and deleted_at is null;
create trigger webhook_endpoint_touch before update on webhook_endpoint
  for each row when (
    (old.url, old.description, old.events, old.custom_headers_sealed, old.timeout_seconds, old.in_flight_limit, old.enabled,
      old.paused_reason, old.deleted_at)
    is distinct from (new.url, new.description, new.events, new.custom_headers_sealed, new.timeout_seconds,
      new.in_flight_limit, new.enabled, new.paused_reason, new.deleted_at)
  ) execute function app.touch_updated_at();

-- Requests are signed with every secret that has not expired. After a rotation, an endpoint has more than one.
create table webhook_secret (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  endpoint_id uuid not null,
  secret_sealed bytea not null, -- sealed for `webhook_secret/<id>`
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (merchant_id, endpoint_id) references webhook_endpoint (merchant_id, id)
);
create index webhook_secret__merchant_id_endpoint_id on webhook_secret (merchant_id, endpoint_id);

-- One event for one endpoint. The table has no foreign keys, because a thousand simultaneous inserts, each in the
-- transaction of a result, would share locks on one endpoint's row. Endpoints are only marked as deleted, so the id
-- stays valid.
create table webhook_delivery (
  id uuid not null default uuidv7(),
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment(),
  endpoint_id uuid not null,
  event text not null check (event in ('interview_result', 'interview_collected', 'interview_failed', 'test')),
  result_id uuid,
  reason text not null,
  state text not null default 'queued' check (state in ('queued', 'retried', 'acknowledged', 'gave_up', 'cancelled')),
  series integer not null default 1 check (series >= 1),
  attempts integer not null default 0 check (attempts between 0 and 10), -- made in this series
  next_attempt_at timestamptz default now(),
  -- The retry run that is sending the delivery, or null. Deliveries that a sender is sending are listed in
  -- `webhook_hand`.
  owner uuid,
  -- The caller who requested the next attempt. Null if the retry schedule determined it.
  triggered_by uuid,
  last_outcome text,
  last_status integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (id),
  check ((event = 'test') = (result_id is null)),
  check ((next_attempt_at is not null) = (state in ('queued', 'retried'))),
  check ((finished_at is null) = (state in ('queued', 'retried')))
) partition by range (id);
-- The sender finds due deliveries with the first index, and retry runs find deliveries that wait for a retry with the
-- second one. The third index has the deliveries that a retry run is sending.
create index webhook_delivery__endpoint_id_next_attempt_at on webhook_delivery (endpoint_id, next_attempt_at)
  where state = 'queued' and owner is null;
create index webhook_delivery__endpoint_id_next_attempt_at_id on webhook_delivery (endpoint_id, next_attempt_at, id)
  where state = 'retried' and owner is null;
create index webhook_delivery__endpoint_id on webhook_delivery (endpoint_id) where owner is not null;
create index webhook_delivery__merchant_id_environment_id on webhook_delivery (merchant_id, environment, id);
create index webhook_delivery__merchant_id_result_id on webhook_delivery (merchant_id, result_id);
-- Searches by endpoint or state use this index instead of reading many rows to find a few. It has no `queued`
-- deliveries, so that inserts do not update it.
create index webhook_delivery__merchant_id_endpoint_id_state_id on webhook_delivery (merchant_id, endpoint_id, state, id)
  where state <> 'queued';

create table webhook_attempt (
  merchant_id uuid not null,
  environment text not null,
  delivery_id uuid not null,
  series integer not null,
  attempt integer not null check (attempt between 1 and 10),
  started_at timestamptz not null,
  outcome text not null check (
    outcome in ('acknowledged', 'refused', 'timeout', 'network', 'blocked_address', 'worker_lost')
  ),
  status integer,
  error text,
  -- These headers are only shown, never compared. The type json keeps their order.
  request_headers json,
  request_body text,
  response_headers json,
  response_body text,
  is_truncated boolean not null default false,
  peer_address text,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real,
  triggered_by uuid,
  primary key (merchant_id, delivery_id, series, attempt)
) partition by range (delivery_id);

-- An event that waits for the PDF of its result, and the fields that have changed meanwhile.
create table webhook_hold (
  merchant_id uuid not null,
  environment text not null,
  result_id uuid not null,
  reasons text[] not null,
  held_at timestamptz not null default now(),
  primary key (merchant_id, result_id)
);

create table webhook_replay (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  filter jsonb not null,
  per_second integer not null check (per_second between 1 and 1000),
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  matched integer not null,
  replayed integer not null default 0,
  last_delivery_id uuid, -- the last delivery that was replayed
  requested_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index webhook_replay__merchant_id_environment_id on webhook_replay (merchant_id, environment, id);

-- One row per shard. Transactions that insert deliveries notify a sender only while it is idle.
create table webhook_sender (
  shard integer primary key,
  owner uuid not null,
  is_idle boolean not null default false
);

-- The deliveries that each sender is sending (renamed to `webhook_lease` in 0021). Marking every delivery in its own
-- row instead would write the row and all its index entries twice. A sender that is alive holds the advisory lock of
-- its owner id.
create table webhook_hand (
  owner uuid primary key,
  delivery_ids uuid[] not null default '{}',
  stamps integer[] not null default '{}' -- series * 100 + attempts of each delivery
) with (toast_tuple_target = 8160);
alter table webhook_hand alter column delivery_ids set storage external;
-- Of the given deliveries, returns those that a sender is sending, each with the number of its attempt. Callers cannot
-- read the table itself.
create function app.deliveries_in_hand(p_ids uuid[]) returns table (id uuid, stamp integer)
language sql stable security definer set search_path = '' rows 10
as $$
  select held.id, held.stamp from public.webhook_hand h cross join lateral unnest(h.delivery_ids, h.stamps) as held (id, stamp)
  where held.id = any (p_ids)
$$;
create policy webhook_hand_definer_select on webhook_hand for select to app_definer using (true);
grant select (delivery_ids, stamps) on webhook_hand to app_definer;
grant execute on function app.deliveries_in_hand(uuid[]) to app_user, app_service;
alter function app.deliveries_in_hand(uuid[]) owner to app_definer;

alter table webhook_endpoint enable row level security, force row level security;
alter table webhook_hand enable row level security, force row level security;
alter table webhook_secret enable row level security, force row level security;
alter table webhook_delivery enable row level security, force row level security;
alter table webhook_attempt enable row level security, force row level security;
alter table webhook_hold enable row level security, force row level security;
alter table webhook_replay enable row level security, force row level security;
alter table webhook_sender enable row level security, force row level security;

-- The functions below create the monthly partitions of `webhook_delivery` and `webhook_attempt` three months ahead.
-- They drop a partition after the retention, unless one of its deliveries is still open. They belong to the owner of
-- the tables, because only the owner can create and drop partitions.
create function app.month_floor(p_month timestamptz) returns uuid
language sql immutable parallel safe set search_path = ''
as $$
  select (lpad(to_hex((extract(epoch from p_month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
-- Returns the month of the oldest delivery, even if the delivery is in the default partition. Returns null if there is
-- no delivery. It is a definer function because the owner of the tables cannot read their rows.
create function app.oldest_delivery_month() returns timestamptz
language sql stable security definer set search_path = '' set timezone = 'UTC'
as $$
  select date_trunc('month', to_timestamp(('x' || left(replace(d.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))
  from public.webhook_delivery d order by d.id limit 1
$$;
create function app.has_deliveries(p_from uuid, p_before uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.webhook_delivery d where d.id >= p_from and d.id < p_before)
$$;
-- Returns whether a delivery with an id from p_from up to p_before is open. It reads only the two partial indexes of
-- open deliveries, because a month can have millions of finished ones.
create function app.has_open_deliveries(p_from uuid, p_before uuid) returns boolean
language sql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
  select exists (
    select from public.webhook_delivery d where d.owner is not null and d.id >= p_from and d.id < p_before
  ) or exists (
    select from (
      select d.id from public.webhook_delivery d
      where d.state = 'queued' and d.owner is null and d.id >= p_from and d.id < p_before
      order by d.endpoint_id, d.next_attempt_at limit 1
    ) queued
  ) or exists (
    select from (
      select d.id from public.webhook_delivery d
      where d.state = 'retried' and d.owner is null and d.id >= p_from and d.id < p_before
      order by d.endpoint_id, d.next_attempt_at, d.id limit 1
    ) retried
  )
$$;

-- Creates a partition and moves the month's rows from the default partition into it. Attaching a finished table does
-- not block inserts into other months, whereas `create table … partition of` does.
create function app.make_webhook_partition(p_parent text, p_part text, p_from uuid, p_before uuid) returns void
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
create function app.keep_webhook_partition(p_parent text, p_month timestamptz, p_expired timestamptz) returns text
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
    raise exception 'a delivery of % was opened again at this moment', part;
  end if;
  execute format('drop table public.%I', part);
  return 'dropped';
end
$$;

-- Creates or drops at most one partition per call, so that a transaction locks only one partition. The function waits
-- at most 1 s for a lock, because changes of results wait during that time. If a month fails, the function returns the
-- error and continues with the next month.
create function app.keep_webhook_partitions(p_retention interval)
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

-- For a partition that is past retention and kept because of open deliveries: reads the next 5,000 deliveries after the
-- id p_after and deletes those that ended more than seven days ago. Returns the last id that it read, or null at the
-- end of the partition.
create function app.expire_webhook_deliveries(p_month timestamptz, p_retention interval, p_after uuid) returns uuid
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
-- The default partitions take rows of months without a partition. Rejecting such a row would roll back the change of
-- its result too.
create table webhook_delivery_other partition of webhook_delivery default;
create table webhook_attempt_other partition of webhook_attempt default;
alter table webhook_delivery_other enable row level security, force row level security;
alter table webhook_attempt_other enable row level security, force row level security;
create policy webhook_delivery_definer_select on webhook_delivery for select to app_definer using (true);
create policy webhook_delivery_definer_delete on webhook_delivery for delete to app_definer using (true);
create policy webhook_attempt_definer_select on webhook_attempt for select to app_definer using (true);
create policy webhook_attempt_definer_delete on webhook_attempt for delete to app_definer using (true);
grant select (id, merchant_id, endpoint_id, state, owner, next_attempt_at, finished_at), delete on webhook_delivery to app_definer;
grant select (merchant_id, delivery_id), delete on webhook_attempt to app_definer;
grant execute on function app.month_floor(timestamptz) to app_definer, app_worker;
grant execute on function app.keep_webhook_partitions(interval), app.expire_webhook_deliveries(timestamptz, interval, uuid)
  to app_worker;
alter function app.oldest_delivery_month() owner to app_definer;
alter function app.has_deliveries(uuid, uuid) owner to app_definer;
alter function app.has_open_deliveries(uuid, uuid) owner to app_definer;
alter function app.expire_webhook_deliveries(timestamptz, interval, uuid) owner to app_definer;
set local role app_definer;
grant execute on function app.oldest_delivery_month(), app.has_deliveries(uuid, uuid), app.has_open_deliveries(uuid, uuid) to app_owner;
set local role app_owner;
do $$
begin
  while exists (select from app.keep_webhook_partitions('90 days') where done = 'made') loop
  end loop;
end
$$;

-- The triggers below insert deliveries when a result changes (docs/webhooks.md#how-a-delivery-begins). They run as
-- app_definer with these rights, because the roles that change results may not insert deliveries or holds.
create policy webhook_endpoint_definer_select on webhook_endpoint for select to app_definer using (true);
create policy webhook_delivery_definer_insert on webhook_delivery for insert to app_definer with check (true);
create policy webhook_hold_definer_select on webhook_hold for select to app_definer using (true);
create policy webhook_hold_definer_insert on webhook_hold for insert to app_definer with check (true);
create policy webhook_hold_definer_update on webhook_hold for update to app_definer using (true);
create policy webhook_hold_definer_delete on webhook_hold for delete to app_definer using (true);
create policy webhook_sender_definer_select on webhook_sender for select to app_definer using (true);
grant select (id, merchant_id, environment, events, enabled, deleted_at) on webhook_endpoint to app_definer;
grant insert on webhook_delivery to app_definer;
grant select, insert, update (reasons), delete on webhook_hold to app_definer;
grant select on webhook_sender to app_definer;
grant select (type, pdf_export_auto_config) on interview to app_definer;

-- Inserts a delivery for each endpoint that subscribes to the event. `p_changed` has the changed fields in any order.
create function app.queue_deliveries(
  p_merchant_id uuid, p_environment text, p_event text, p_result_id uuid, p_changed text[]
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  -- The watched fields, in the order of the documentation.
  watched constant text[] := array['status', 'processing_status', 'interview_status', 'score', 'ai_analysis_recruiter_score',
    'ai_analysis_recruiter', 'ai_analysis_recruiter_why_hire', 'ai_analysis_recruiter_why_not_hire',
    'recruiter_go_next_round', 'pdf_export_url'];
begin
  insert into public.webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason)
    select e.merchant_id, e.environment, e.id, p_event, p_result_id, array_to_string(
      array(select field from unnest(watched) as field where field = any (p_changed)), ', '
    )
    from public.webhook_endpoint e
    where e.merchant_id = p_merchant_id and e.environment = p_environment and e.enabled and e.deleted_at is null
      and p_event = any (e.events);
  -- A transaction that sends a notification takes a lock on the whole database when it commits, so it sends one only if
  -- a sender is idle.
  if found and exists (select from public.webhook_sender s where s.is_idle) then
    perform pg_catalog.pg_notify('webhook_delivery', '');
  end if;
end
$$;
alter function app.queue_deliveries(uuid, text, text, uuid, text[]) owner to app_definer;

create function app.announce_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed text[] := array_remove(array[
    case when old.status is distinct from new.status then 'status' end,
    case when old.processing_status is distinct from new.processing_status then 'processing_status' end,
    case when old.interview_status is distinct from new.interview_status then 'interview_status' end,
    case when old.score is distinct from new.score then 'score' end,
    case when old.ai_analysis_recruiter_score is distinct from new.ai_analysis_recruiter_score
      then 'ai_analysis_recruiter_score' end,
    case when old.ai_analysis_recruiter is distinct from new.ai_analysis_recruiter then 'ai_analysis_recruiter' end,
    case when old.ai_analysis_recruiter_why_hire is distinct from new.ai_analysis_recruiter_why_hire
      then 'ai_analysis_recruiter_why_hire' end,
    case when old.ai_analysis_recruiter_why_not_hire is distinct from new.ai_analysis_recruiter_why_not_hire
      then 'ai_analysis_recruiter_why_not_hire' end,
    case when old.recruiter_go_next_round is distinct from new.recruiter_go_next_round
      then 'recruiter_go_next_round' end,
    case when old.pdf_export_url is distinct from new.pdf_export_url then 'pdf_export_url' end
  ], null);
  announced text;
  held text[];
  definition record;
begin
  if cardinality(changed) = 0 then
    return null;
  end if;
  if new.status = 'draft' then
    if old.status = 'active' then
      delete from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id;
    end if;
    if 'interview_status' = any (changed) then
      announced := case
        when new.interview_status in ('completed', 'completed, stopped early') then 'interview_collected'
        when new.interview_status in ('failed', 'abandoned', 'terminated, no speech detected') then 'interview_failed'
      end;
    end if;
  elsif new.processing_status = 'completed' and new.interview_status in ('completed', 'completed, stopped early') then
    announced := 'interview_result';
  end if;
  if announced is null then
    return null;
  end if;

  select i.type, i.pdf_export_auto_config is not null as has_pdf into definition
    from public.interview i where i.merchant_id = new.merchant_id and i.id = new.interview_id;
  if definition.type not in ('interview', 'assessment') then
    return null;
  end if;
  if announced = 'interview_result' then
    if definition.has_pdf and new.pdf_export_url is null then
      -- A simultaneous transaction that switches automatic PDFs off would not see this hold (app.release_held_results).
      -- The transaction with the hold therefore waits until the other one has ended.
      perform pg_advisory_xact_lock_shared(hashtextextended('automatic PDF ' || new.interview_id, 0));
      select i.pdf_export_auto_config is not null into definition.has_pdf
        from public.interview i where i.merchant_id = new.merchant_id and i.id = new.interview_id;
    end if;
    if definition.has_pdf and new.pdf_export_url is null then
      insert into public.webhook_hold as h (merchant_id, environment, result_id, reasons)
        values (new.merchant_id, new.environment, new.id, changed)
        on conflict (merchant_id, result_id) do update set reasons = h.reasons || excluded.reasons;
      return null;
    end if;
    delete from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id
      returning h.reasons into held;
  end if;
  perform app.queue_deliveries(new.merchant_id, new.environment, announced, new.id, changed || held);
  return null;
end
$$;
create trigger interview_result_announce after insert or update on interview_result
  for each row execute function app.announce_result();
alter function app.announce_result() owner to app_definer;

-- Queues the events of an interview that were waiting for a PDF, after automatic PDFs were switched off.
create function app.release_held_results() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  released record;
begin
  perform pg_advisory_xact_lock(hashtextextended('automatic PDF ' || new.id, 0));
  for released in
    delete from public.webhook_hold h using public.interview_result r
      where r.merchant_id = new.merchant_id and r.interview_id = new.id and h.merchant_id = r.merchant_id and h.result_id = r.id
      returning h.merchant_id, h.environment, h.result_id, h.reasons
  loop
    perform app.queue_deliveries(
      released.merchant_id, released.environment, 'interview_result', released.result_id, released.reasons
    );
  end loop;
  return null;
end
$$;
create trigger interview_release after update of pdf_export_auto_config on interview
  for each row when (old.pdf_export_auto_config is not null and new.pdf_export_auto_config is null)
  execute function app.release_held_results();
alter function app.release_held_results() owner to app_definer;

-- Callers manage endpoints, except hiring managers, who only read. Callers can also change the next attempt of a
-- delivery and cancel a replay. The worker records all outcomes.
create policy webhook_endpoint_caller_select on webhook_endpoint for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_endpoint_caller_insert on webhook_endpoint for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
-- A deleted endpoint cannot be changed.
create policy webhook_endpoint_caller_update on webhook_endpoint for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and deleted_at is null
  )
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_secret_caller_select on webhook_secret for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_secret_caller_insert on webhook_secret for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy webhook_secret_caller_update on webhook_secret for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy webhook_delivery_caller_select on webhook_delivery for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_delivery_caller_insert on webhook_delivery for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and event = 'test' and state = 'queued' and series = 1 and attempts = 0 and owner is null and last_outcome is null
    and endpoint_id in (select e.id from webhook_endpoint e)
  );
create policy webhook_delivery_caller_update on webhook_delivery for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and state in ('queued', 'retried', 'cancelled')
  );
create policy webhook_attempt_caller_select on webhook_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_hold_caller_select on webhook_hold for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_replay_caller_select on webhook_replay for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy webhook_replay_caller_insert on webhook_replay for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and requested_by = (select app.caller_id()) and state = 'running' and replayed = 0 and finished_at is null
  );
create policy webhook_replay_caller_update on webhook_replay for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
    and state = 'running'
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and state = 'cancelled'
  );
grant select on webhook_endpoint, webhook_delivery, webhook_attempt, webhook_hold, webhook_replay to app_user, app_service;
grant select (merchant_id, environment, id, endpoint_id, expires_at, created_at) on webhook_secret to app_user, app_service;
grant insert on webhook_endpoint, webhook_secret, webhook_delivery, webhook_replay to app_user, app_service;
grant update (url, description, events, custom_headers_sealed, timeout_seconds, in_flight_limit, enabled, paused_reason,
  paused_at, paused_mailed_at, failing_since, version, deleted_at) on webhook_endpoint to app_user, app_service;
grant update (expires_at) on webhook_secret to app_user, app_service;
grant update (state, series, attempts, next_attempt_at, triggered_by, finished_at) on webhook_delivery to app_user, app_service;
grant update (state, finished_at) on webhook_replay to app_user, app_service;

-- Rights of the worker, which sends the deliveries.
create policy webhook_endpoint_worker_select on webhook_endpoint for select to app_worker using (true);
create policy webhook_endpoint_worker_update on webhook_endpoint for update to app_worker using (true);
create policy webhook_secret_worker_select on webhook_secret for select to app_worker using (true);
create policy webhook_delivery_worker_select on webhook_delivery for select to app_worker using (true);
create policy webhook_delivery_worker_update on webhook_delivery for update to app_worker using (true);
create policy webhook_attempt_worker_select on webhook_attempt for select to app_worker using (true);
create policy webhook_attempt_worker_insert on webhook_attempt for insert to app_worker with check (true);
create policy webhook_hold_worker_select on webhook_hold for select to app_worker using (true);
create policy webhook_replay_worker_select on webhook_replay for select to app_worker using (true);
create policy webhook_replay_worker_update on webhook_replay for update to app_worker using (true);
create policy webhook_sender_worker_select on webhook_sender for select to app_worker using (true);
create policy webhook_hand_worker_select on webhook_hand for select to app_worker using (true);
create policy webhook_hand_worker_insert on webhook_hand for insert to app_worker with check (true);
create policy webhook_hand_worker_update on webhook_hand for update to app_worker using (true);
create policy webhook_hand_worker_delete on webhook_hand for delete to app_worker using (true);
create policy webhook_sender_worker_insert on webhook_sender for insert to app_worker with check (true);
create policy webhook_sender_worker_update on webhook_sender for update to app_worker using (true);
grant select on webhook_endpoint, webhook_secret, webhook_delivery, webhook_attempt, webhook_hold, webhook_replay,
  webhook_sender to app_worker;
grant insert on webhook_attempt, webhook_sender to app_worker;
grant select, insert, delete, update (delivery_ids, stamps) on webhook_hand to app_worker;
grant update (paused_reason, paused_at, paused_mailed_at, failing_since, last_failed_at, retrying_until, version)
  on webhook_endpoint to app_worker;
grant update (state, series, attempts, next_attempt_at, owner, triggered_by, last_outcome, last_status, finished_at)
  on webhook_delivery to app_worker;
grant update (state, replayed, last_delivery_id, finished_at) on webhook_replay to app_worker;
grant update (owner, is_idle) on webhook_sender to app_worker;
-- The worker reads these columns to mail the owners of a merchant about a pause.
create policy merchant_access_worker_select on merchant_access for select to app_worker using (true);
grant select (merchant_id, profile_id, role) on merchant_access to app_worker;
grant select (merchant_id, role, activated_at) on profile to app_worker;
