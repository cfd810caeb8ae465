-- The steps of a position: how long candidates stay at each (docs/reports.md#datasets), and moving to the next one
-- (docs/results.md#decisions).

-- Writes the steps of one candidate, in the order in which the candidate entered them, which is that of the position
-- unless its steps changed meanwhile. The first step begins at the time of the enrolment.
-- A later step begins at the decision about the previous step or at its own first result, whichever comes first. If
-- neither has happened, it begins now. Decisions without a `decided_at` get the time of the result's last change. Only
-- functions of app_definer may call this function.
create or replace function app.record_steps(p_merchant_id uuid, p_enrolment_id uuid) returns void
language plpgsql
as $$
begin
  insert into public.enrolment_step as k (
    merchant_id, environment, enrolment_id, interview_id, position_id, entered_at, left_at, outcome
  )
  with reached as (
    select e.merchant_id, e.environment, e.id as enrolment_id, e.position_id, x.interview_id, e.created_at as enrolled_at,
      x.interview_id = e.interview_id as is_current, r.created_at as began_at,
      case when r.recruiter_go_next_round is not null then coalesce(r.decided_at, r.updated_at) end as decided_at,
      r.recruiter_go_next_round as decision, o.left_at as known_left_at,
      -- A stored time that equals the time of the enrolment is ignored. It belongs to the first step, even if the
      -- candidate was enrolled at a later step.
      nullif(o.entered_at, e.created_at) as known_at,
      row_number() over (
        order by coalesce(o.entered_at, r.created_at) nulls last, s.step_order nulls last, x.interview_id
      ) as place
    from public.enrolment e
    cross join lateral (
      select e.interview_id
      union
      select t.interview_id from public.interview_result t
      where t.merchant_id = e.merchant_id and t.enrolment_id = e.id and not t.is_test
      union
      select h.interview_id from public.enrolment_step h where h.merchant_id = e.merchant_id and h.enrolment_id = e.id
    ) x
    left join public.interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
      and r.interview_id = x.interview_id and not r.is_test
    left join public.position_step s on s.merchant_id = e.merchant_id and s.position_id = e.position_id
      and s.interview_id = x.interview_id
    left join public.enrolment_step o on o.merchant_id = e.merchant_id and o.enrolment_id = e.id
      and o.interview_id = x.interview_id
    where e.merchant_id = p_merchant_id and e.id = p_enrolment_id and e.position_id is not null
  ), entered as (
    select *, case when place = 1 then enrolled_at
      else coalesce(least(lag(decided_at) over (order by place), began_at, known_at), now()) end as entered_at
    from reached
  )
  select n.merchant_id, n.environment, n.enrolment_id, n.interview_id, n.position_id, n.entered_at,
    case when n.decision is not null then n.decided_at
      when not n.is_current then coalesce(lead(n.entered_at) over (order by n.place), n.known_left_at, now()) end,
    case when n.decision then 'advanced' when not n.decision then 'rejected' when not n.is_current then 'moved' end
  from entered n
  on conflict (merchant_id, enrolment_id, interview_id) do update set
    position_id = excluded.position_id, entered_at = excluded.entered_at, left_at = excluded.left_at, outcome = excluded.outcome;
end
$$;
grant execute on function app.record_steps(uuid, uuid) to app_definer;

set local role app_definer;

-- Records the steps of an enrolment whose interview or position changes.
create or replace function app.follow_enrolment_steps() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (old.interview_id, old.position_id) is distinct from (new.interview_id, new.position_id) then
    perform app.record_steps(new.merchant_id, new.id);
  end if;
  return null;
end
$$;

-- Records the steps of a candidate when the first result of a step is added or a recruiter decides.
create or replace function app.follow_result_steps() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.enrolment_id is null or new.is_test then
    return null;
  end if;
  -- Most new results are for the enrolment's current interview. Its step already has a row, so there is nothing to
  -- record.
  if tg_op = 'INSERT' and new.recruiter_go_next_round is null and exists (
    select from public.enrolment e
    where e.merchant_id = new.merchant_id and e.id = new.enrolment_id
      and (e.position_id is null or e.interview_id = new.interview_id)
  ) then
    return null;
  end if;
  if tg_op = 'INSERT' or old.recruiter_go_next_round is distinct from new.recruiter_go_next_round then
    perform app.record_steps(new.merchant_id, new.enrolment_id);
  end if;
  return null;
end
$$;

-- Adds the first step without `record_steps`, because a call can enrol thousands of candidates and none has a result
-- yet.
create or replace function app.enter_first_step() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.enrolment_step (merchant_id, environment, enrolment_id, interview_id, position_id, entered_at)
    select a.merchant_id, a.environment, a.id, a.interview_id, a.position_id, a.created_at
    from added a where a.position_id is not null
    on conflict (merchant_id, enrolment_id, interview_id) do nothing;
  return null;
end
$$;

-- Moves the candidate of an advanced result to the next step of the position: the first one in its order for which the
-- candidate has no result, so that candidates who have not finished also get steps that were added or moved. Returns the
-- candidate and the new step. Returns no row if the result is a test, if it is not for the candidate's current step, if the
-- candidate has had every step, or if the position no longer accepts candidates.
create or replace function app.enter_next_step(p_result_id uuid)
returns table (
  enrolment_id uuid, profile_id uuid, email_key text, interview_id uuid, platform_language_code text, is_mailed boolean
)
language plpgsql security definer set search_path = ''
as $$
begin
  -- Makes a change of the position's steps wait until the candidate has entered one, and waits for one that has begun.
  perform pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended('enrolment ' || e.position_id, 0))
    from public.interview_result r join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where r.id = p_result_id and r.merchant_id = app.merchant_id() and e.position_id is not null;
  return query
  update public.enrolment e set interview_id = n.id, invited_at = case when m.mail_next_step then now() end
  from public.interview_result r
  join public.enrolment c on c.merchant_id = r.merchant_id and c.id = r.enrolment_id and c.interview_id = r.interview_id
  join public.merchant m on m.id = r.merchant_id
  join public.position p on p.merchant_id = c.merchant_id and p.id = c.position_id and p.status = 'active'
    and coalesce(app.available_until(p.interview_available_till) > now(), true)
  cross join lateral (
    select i.id, i.platform_language_code from public.position_step s
    join public.interview i on i.merchant_id = s.merchant_id and i.id = s.interview_id and i.status <> 'deleted'
    where s.merchant_id = p.merchant_id and s.position_id = p.id and s.interview_id <> r.interview_id and not exists (
      select from public.interview_result o where o.merchant_id = c.merchant_id and o.enrolment_id = c.id
        and o.interview_id = s.interview_id and not o.is_test
    )
    order by s.step_order limit 1
  ) n
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
    and app.caller_role() <> 'merchant_selection' and not r.is_test and r.recruiter_go_next_round
    and e.merchant_id = c.merchant_id and e.id = c.id and e.interview_id = r.interview_id
  returning e.id, e.profile_id, e.email_key, e.interview_id, n.platform_language_code, m.mail_next_step;
end
$$;
grant execute on function app.enter_next_step(uuid) to app_user, app_service;

-- Moves the candidates of a position who are at removed steps: to the first of the position's present steps that they
-- have not taken, or back to the last one if they have taken all. Those with a decision about the removed step stay.
-- If candidates are taking a removed step, moves nobody and returns how many there are at each step: they have begun it
-- and nobody has decided about them. Tests and attempts that ended without a result do not count. The caller holds the
-- lock of app.enter_next_step.
create or replace function app.leave_removed_steps(p_position_id uuid, p_removed uuid[])
returns table (interview_id uuid, people integer)
language plpgsql security definer set search_path = ''
as $$
begin
  -- Candidates who begin at the same time wait for this change, and then cannot begin the removed step.
  perform from public.enrolment e
    where e.merchant_id = app.merchant_id() and e.environment = app.environment() and e.scope_id = p_position_id
      and e.interview_id = any (p_removed) and app.caller_role() <> 'merchant_selection'
    order by e.id for update;
  return query
  select e.interview_id, count(*)::integer from public.enrolment e
  join public.interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
    and r.interview_id = e.interview_id and not r.is_test and r.recruiter_go_next_round is null
    and (r.status = 'active' or r.interview_status in ('started', 'completed', 'completed, stopped early'))
  where e.merchant_id = app.merchant_id() and e.environment = app.environment() and e.scope_id = p_position_id
    and e.interview_id = any (p_removed)
  group by e.interview_id;
  if found then
    return;
  end if;
  update public.enrolment e set interview_id = n.interview_id
  from public.enrolment c
  cross join lateral (
    select s.interview_id from public.position_step s
    left join public.interview_result o on o.merchant_id = c.merchant_id and o.enrolment_id = c.id
      and o.interview_id = s.interview_id and not o.is_test
    where s.merchant_id = c.merchant_id and s.position_id = c.position_id
    order by o.id is not null, case when o.id is null then s.step_order else -s.step_order end limit 1
  ) n
  where c.merchant_id = app.merchant_id() and c.environment = app.environment() and c.scope_id = p_position_id
    and c.interview_id = any (p_removed) and app.caller_role() <> 'merchant_selection'
    and not exists (
      select from public.interview_result r where r.merchant_id = c.merchant_id and r.enrolment_id = c.id
        and r.interview_id = c.interview_id and not r.is_test and r.recruiter_go_next_round is not null
    )
    and e.merchant_id = c.merchant_id and e.id = c.id;
end
$$;
grant execute on function app.leave_removed_steps(uuid, uuid[]) to app_user, app_service;

reset role;

create or replace trigger enrolment_steps_changed after update of interview_id, position_id on enrolment
  for each row execute function app.follow_enrolment_steps();
create or replace trigger interview_result_steps_added after insert on interview_result
  for each row execute function app.follow_result_steps();
create or replace trigger interview_result_steps_changed after update of recruiter_go_next_round on interview_result
  for each row execute function app.follow_result_steps();
create or replace trigger enrolment_steps_added after insert on enrolment referencing new table as added
  for each statement execute function app.enter_first_step();
