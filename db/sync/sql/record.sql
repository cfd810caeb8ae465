-- Records changes of objects in `change` (docs/sync.md#what-is-recorded). The functions of this file run with the rights of
-- the trigger functions that call them, which run as app_definer.

set local role app_definer;

-- Records that the objects have changed or, with a reason, that they are gone. A row is written once per transaction. Rows
-- are locked in the order of their ids, so that two transactions cannot wait for each other within one call. More than 2,000
-- changes are left to app.record_waiting_changes.
create or replace function app.record_changes(
  p_object text, p_merchant_id uuid, p_environment text, p_ids text[], p_reason text default null
) returns void
language plpgsql
as $$
begin
  if cardinality(p_ids) > 2000 and p_reason is null then
    insert into public.waiting_change (merchant_id, environment, object, object_ids)
      select p_merchant_id, p_environment, p_object, p_ids[first:first + 1999]
      from generate_series(1, cardinality(p_ids), 2000) first;
    return;
  end if;
  insert into public.change as c (merchant_id, environment, object, id, deleted_at, reason)
    select p_merchant_id, p_environment, p_object, one.id,
      case when p_reason is not null then pg_catalog.now() end, p_reason
    from unnest(p_ids) as one (id) where one.id is not null group by one.id order by one.id collate "C"
    on conflict (merchant_id, object, id) do update set tx = excluded.tx, changed_at = excluded.changed_at,
      version = c.version + case when c.tx = excluded.tx then 0 else 1 end,
      deleted_at = excluded.deleted_at, reason = excluded.reason
    where c.tx <> excluded.tx or c.reason is distinct from excluded.reason;
end
$$;

-- For the worker: records the oldest changes that wait, at most 2,000, and returns false if none wait. An object that was
-- deleted in the meantime stays deleted.
create or replace function app.record_waiting_changes() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  waiting public.waiting_change;
begin
  delete from public.waiting_change w where (w.merchant_id, w.id) = (
    select o.merchant_id, o.id from public.waiting_change o order by o.id limit 1
  ) returning * into waiting;
  insert into public.change as c (merchant_id, environment, object, id)
    select waiting.merchant_id, waiting.environment, waiting.object, one.id
    from unnest(waiting.object_ids) as one (id) where one.id is not null group by one.id order by one.id collate "C"
    on conflict (merchant_id, object, id) do update
      set tx = excluded.tx, changed_at = excluded.changed_at, version = c.version + 1
    where c.deleted_at is null;
  return waiting.id is not null;
end
$$;
grant execute on function app.record_waiting_changes() to app_worker;

-- Records a change of a result. The transactions of an attempt write many rows of one result, so a local setting keeps the
-- last result that was recorded. Rolling back to a savepoint undoes both.
create or replace function app.record_result(p_merchant_id uuid, p_environment text, p_id uuid) returns void
language plpgsql
as $$
begin
  if pg_catalog.current_setting('app.recorded_result', true) is distinct from p_id::text then
    perform app.record_changes('result', p_merchant_id, p_environment, array[p_id::text]);
    perform pg_catalog.set_config('app.recorded_result', p_id::text, true);
  end if;
end
$$;

-- Records interviews, except those that are still being built or are deleted.
create or replace function app.record_interviews(p_merchant_id uuid, p_ids uuid[]) returns void
language plpgsql
as $$
begin
  perform app.record_changes('interview', i.merchant_id, i.environment, array_agg(i.id::text))
    from public.interview i
    where i.merchant_id = p_merchant_id and i.id = any (p_ids) and i.built_at is not null and i.status <> 'deleted'
    group by i.merchant_id, i.environment;
end
$$;

create or replace function app.record_positions(p_merchant_id uuid, p_ids uuid[]) returns void
language plpgsql
as $$
begin
  perform app.record_changes('position', p.merchant_id, p.environment, array_agg(p.id::text))
    from public.position p
    where p.merchant_id = p_merchant_id and p.id = any (p_ids) and p.status <> 'deleted'
    group by p.merchant_id, p.environment;
end
$$;

-- Records the invitations that show these candidates: their mails, and what was sent without a mail.
create or replace function app.record_invitations_of(p_merchant_id uuid, p_environment text, p_enrolment_ids uuid[]) returns void
language plpgsql
as $$
begin
  perform app.record_changes('invitation', p_merchant_id, p_environment, array(
    select m.id::text from public.mail m where m.merchant_id = p_merchant_id and m.enrolment_id = any (p_enrolment_ids)
    union all
    select v.id::text from public.enrolment e
    join public.invitation v on v.merchant_id = e.merchant_id and v.profile_id = e.profile_id and v.enrolment_id = e.id
    where e.merchant_id = p_merchant_id and e.id = any (p_enrolment_ids)
      and v.channel = 'email' and v.result in ('activated', 'skipped', 'error')
  ));
end
$$;

-- Records the results of a candidate and the decisions about them.
create or replace function app.record_results_of(p_merchant_id uuid, p_environment text, p_enrolment_id uuid) returns void
language plpgsql
as $$
begin
  perform app.record_changes(o.object, p_merchant_id, p_environment, o.ids) from (
    select array_agg(r.id::text) as results, array_agg(r.id::text) filter (
      where r.recruiter_go_next_round is not null or r.recruiter_shortlist or r.user_feedback_recruiter is not null
    ) as decisions
    from public.interview_result r where r.merchant_id = p_merchant_id and r.enrolment_id = p_enrolment_id
  ) r cross join lateral (values ('result', r.results), ('decision', r.decisions)) o (object, ids)
  where o.ids is not null;
end
$$;

-- Records what shows the name of a person of the team: audit entries, invitations and the versions of reports.
create or replace function app.record_names_of(p_merchant_id uuid, p_profile_id uuid) returns void
language plpgsql
as $$
begin
  perform app.record_changes('audit_entry', p_merchant_id, a.environment, a.ids) from (
    select case when not e.is_of_account then e.environment end as environment, array_agg(e.id::text) as ids
    from public.audit_entry e where e.merchant_id = p_merchant_id and e.actor_id = p_profile_id group by 1
  ) a;
  perform app.record_changes('invitation', p_merchant_id, v.environment, array_agg(v.id)) from (
    select m.environment, m.id::text from public.mail m where m.merchant_id = p_merchant_id and m.profile_id = p_profile_id
    union all
    select i.environment, i.id::text from public.invitation i
    where i.merchant_id = p_merchant_id and i.profile_id = p_profile_id
      and i.channel = 'email' and i.result in ('activated', 'skipped', 'error')
  ) v group by v.environment;
  perform app.record_changes('report', p_merchant_id, null, array(
    select v.report_id::text from public.report_version v
    where v.merchant_id = p_merchant_id and v.created_by = p_profile_id
  ));
end
$$;

-- Records the hiring managers who may see this position or interview.
create or replace function app.record_members_at(p_merchant_id uuid, p_id uuid) returns void
language plpgsql
as $$
begin
  perform app.record_changes('team_member', p_merchant_id, null, array(
    select m.profile_id::text from public.position_member m
    where m.merchant_id = p_merchant_id and p_id = any (m.position_ids)
  ));
end
$$;

-- Begins another generation, which ends all cursors, after a restore (docs/runbook.md). The transaction ids of another
-- cluster can be ahead of those of this one, so rows that would wait for them become changes of this transaction.
create or replace function app.renew_sync_generation() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.sync_generation set generation = pg_catalog.gen_random_uuid() where id;
  update public.change set tx = pg_catalog.pg_current_xact_id() where tx > pg_catalog.pg_current_xact_id();
  update public.webhook_event set tx = pg_catalog.pg_current_xact_id() where tx > pg_catalog.pg_current_xact_id();
end
$$;

reset role;
