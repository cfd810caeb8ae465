-- Creates the deliveries of a changed result (docs/webhooks.md).

set local role app_definer;

-- Records the event, and inserts a delivery for each endpoint that subscribes to the event. `p_changed` has the changed fields in any order.
-- The function runs with the rights of its callers, which already run as app_definer: setting the role and the search
-- path again takes longer than the rest of the call.
create or replace function app.queue_deliveries(
  p_merchant_id uuid, p_environment text, p_event text, p_result_id uuid, p_changed text[]
) returns void
language plpgsql
as $$
declare
  -- The watched fields, in the order of the documentation. A new one is added here, in announce_result and in its
  -- trigger interview_result_announce_changed.
  watched constant text[] := array['status', 'processing_status', 'interview_status', 'score', 'ai_analysis_recruiter_score',
    'ai_analysis_recruiter', 'ai_analysis_recruiter_why_hire', 'ai_analysis_recruiter_why_not_hire',
    'recruiter_go_next_round', 'pdf_export_url'];
  reason constant text := array_to_string(
    array(select field from unnest(watched) as field where field = any (p_changed)), ', '
  );
begin
  insert into public.webhook_event (merchant_id, environment, event, result_id, reason)
    values (p_merchant_id, p_environment, p_event, p_result_id, reason);
  insert into public.webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason)
    select e.merchant_id, e.environment, e.id, p_event, p_result_id, reason
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

-- Queues the event of a result whose watched fields have changed (docs/webhooks.md#how-a-delivery-begins). The event
-- about new scores waits for the PDF. An event about a later change waits only if the first one is still waiting.
-- Otherwise no PDF is being made, for example because PDFs were turned on after the scoring, and the event is sent at
-- once.
create or replace function app.announce_result() returns trigger
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
  is_scored_now constant boolean := old.status is distinct from 'active'
    or old.processing_status is distinct from 'completed';
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
    if definition.has_pdf and new.pdf_export_url is null and (is_scored_now or exists (
      select from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id
    )) then
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

-- Queues the events of an interview that were waiting for a PDF, after automatic PDFs were switched off.
create or replace function app.release_held_results() returns trigger
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

-- Marks the automatic PDF of an attempt as failed and queues the event that waits for it, for the worker when this PDF
-- will not be made. Does nothing if the PDF exists, or if the result has another attempt by now. The update locks the
-- result, so it sees a PDF that is recorded at the same time.
create or replace function app.give_up_pdf(p_result_id uuid, p_attempt integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  given_up record;
  held text[];
begin
  update public.interview_result r set pdf_failed_at = coalesce(r.pdf_failed_at, now())
    where r.id = p_result_id and r.attempt = p_attempt and r.pdf_export_url is null
    returning r.merchant_id, r.environment, r.id into given_up;
  delete from public.webhook_hold h where h.merchant_id = given_up.merchant_id and h.result_id = given_up.id
    returning h.reasons into held;
  if held is not null then
    perform app.queue_deliveries(given_up.merchant_id, given_up.environment, 'interview_result', given_up.id, held);
  end if;
end
$$;
grant execute on function app.give_up_pdf(uuid, integer) to app_worker;

-- Queues the event sync.changed for endpoints whose account has a newer committed change than the one that was announced
-- to them, in their environment or in all (docs/webhooks.md#the-event-of-the-feed). Endpoints that still wait for the last one, or got
-- it less than a minute ago, are left out. An announced transaction that is not below the boundary is one of another
-- cluster, from before a restore. Returns how many were queued, at most `p_limit`.
create or replace function app.announce_changes(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  queued integer;
begin
  with boundary as materialized (
    select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()) as tx
  ), due as materialized (
    select e.id, e.merchant_id, e.environment, newest.tx
    from public.webhook_endpoint e cross join boundary b
    cross join lateral (
      select max(c.tx) as tx from (
        (select c.tx from public.change c
          where c.merchant_id = e.merchant_id and c.environment = e.environment and c.tx < b.tx order by c.tx desc limit 1)
        union all
        (select c.tx from public.change c
          where c.merchant_id = e.merchant_id and c.environment is null and c.tx < b.tx order by c.tx desc limit 1)
      ) c
    ) newest
    where e.enabled and e.deleted_at is null and 'sync.changed' = any (e.events)
      and (newest.tx > e.sync_announced_tx or (e.sync_announced_tx is null or e.sync_announced_tx >= b.tx) and newest.tx is not null)
      and coalesce((
        select d.state not in ('queued', 'retried') and d.created_at < pg_catalog.now() - interval '1 minute'
        from public.webhook_delivery d where d.id = e.sync_delivery_id
      ), true)
    limit p_limit for no key update of e skip locked
  ), queue as (
    insert into public.webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
      select merchant_id, environment, id, 'sync.changed', '' from due returning id, endpoint_id
  )
  update public.webhook_endpoint e set sync_announced_tx = due.tx, sync_delivery_id = queue.id
    from due join queue on queue.endpoint_id = due.id where e.merchant_id = due.merchant_id and e.id = due.id;
  get diagnostics queued = row_count;
  if queued > 0 and exists (select from public.webhook_sender s where s.is_idle) then
    perform pg_catalog.pg_notify('webhook_delivery', '');
  end if;
  return queued;
end
$$;
grant execute on function app.announce_changes(integer) to app_worker;

-- Of the given deliveries of the caller's merchant, returns those that a sender leases, each with the number of its
-- attempt. Callers cannot read the table itself.
create or replace function app.leased_deliveries(p_ids uuid[]) returns table (id uuid, stamp integer)
language sql stable security definer set search_path = '' rows 10
as $$
  select one.id, one.stamp from public.webhook_lease l cross join lateral unnest(l.delivery_ids, l.stamps) as one (id, stamp)
  where one.id = any (p_ids) and exists (
    select from public.webhook_delivery d where d.id = one.id and d.merchant_id = app.merchant_id()
  )
$$;
grant execute on function app.leased_deliveries(uuid[]) to app_user, app_service;

reset role;

-- Postgres compares the columns in a `when` without calling the function, so a change of other columns calls none.
-- Erasing a result queues no events.
create or replace trigger interview_result_announce_added after insert on interview_result
  for each row execute function app.announce_result();
create or replace trigger interview_result_announce_changed after update on interview_result
  for each row when (
    (old.erased_at is not null or new.erased_at is null)
    and (old.status, old.processing_status, old.interview_status, old.score, old.ai_analysis_recruiter_score,
      old.ai_analysis_recruiter, old.ai_analysis_recruiter_why_hire, old.ai_analysis_recruiter_why_not_hire,
      old.recruiter_go_next_round, old.pdf_export_url)
    is distinct from (new.status, new.processing_status, new.interview_status, new.score, new.ai_analysis_recruiter_score,
      new.ai_analysis_recruiter, new.ai_analysis_recruiter_why_hire, new.ai_analysis_recruiter_why_not_hire,
      new.recruiter_go_next_round, new.pdf_export_url)
  ) execute function app.announce_result();
create or replace trigger interview_release after update of pdf_export_auto_config on interview
  for each row when (old.pdf_export_auto_config is not null and new.pdf_export_auto_config is null)
  execute function app.release_held_results();
