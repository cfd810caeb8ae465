-- Stages of candidates (docs/people.md#stages).

-- Returns the stage of the interview at this place. The third one stands for all further ones.
create or replace function app.interview_stage(p_place integer, p_state text) returns text
language sql immutable parallel safe
as $$ select 'Interview ' || (array['1st', '2nd', '3rd'])[least(3, p_place)] || ' ' || p_state $$;
grant execute on function app.interview_stage(integer, text) to app_definer;

-- Puts a candidate into a stage, or into none, and returns whether the stage has changed. A stage that the same transaction
-- has set is replaced, so that a decision that comes with a stage leaves one entry.
create or replace function app.enter_stage(p_merchant_id uuid, p_enrolment_id uuid, p_stage text) returns boolean
language plpgsql
as $$
declare
  present public.enrolment_stage;
  entry_time timestamptz := now();
begin
  -- Of two simultaneous changes, the second one waits for the first one.
  perform from public.enrolment e where e.merchant_id = p_merchant_id and e.id = p_enrolment_id for no key update;
  select * into present from public.enrolment_stage s
    where s.merchant_id = p_merchant_id and s.enrolment_id = p_enrolment_id and s.left_at is null;
  if present.stage is not distinct from p_stage then
    return false;
  end if;
  if present.entered_at = entry_time then
    delete from public.enrolment_stage s
      where s.merchant_id = p_merchant_id and s.enrolment_id = p_enrolment_id and s.left_at is null;
  else
    -- The transaction that set the present stage can have begun after this one.
    entry_time := greatest(entry_time, present.entered_at + interval '1 microsecond');
    update public.enrolment_stage s set left_at = entry_time
      where s.merchant_id = p_merchant_id and s.enrolment_id = p_enrolment_id and s.left_at is null;
  end if;
  if p_stage is not null then
    insert into public.enrolment_stage (merchant_id, environment, enrolment_id, stage, entered_at, set_by)
      select e.merchant_id, e.environment, e.id, p_stage, entry_time, app.profile_id() from public.enrolment e
      where e.merchant_id = p_merchant_id and e.id = p_enrolment_id;
  end if;
  return true;
end
$$;
grant execute on function app.enter_stage(uuid, uuid, text) to app_definer;

set local role app_definer;

-- Sets the stage of the candidate of a result. Returns whether it has changed, or null if the result has no stage: tests,
-- results without a candidate, and those of learners.
create or replace function app.set_stage(p_result_id uuid, p_stage text) returns boolean
language sql volatile security definer set search_path = ''
as $$
  select app.enter_stage(r.merchant_id, r.enrolment_id, p_stage)
  from public.interview_result r
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
    and app.caller_role() <> 'merchant_selection'
    and r.enrolment_id is not null and not r.is_test and not app.is_practice(i.type)
$$;
grant execute on function app.set_stage(uuid, text) to app_user, app_service;

-- Follows a submit, a decision or a reopening with the stage of the candidate. It is that of the step where the candidate
-- is now, except that a rejection at any step rejects the candidate.
create or replace function app.follow_result_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  present record;
begin
  select e.interview_id, n.place, r.status, r.recruiter_go_next_round as decision into present
    from public.enrolment e
    join public.interview i on i.merchant_id = new.merchant_id and i.id = new.interview_id
      and not app.is_practice(i.type)
    left join public.interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
      and r.interview_id = e.interview_id and not r.is_test
    cross join lateral (
      -- The place of the step among those of the position. An interview alone has the place 1.
      select greatest(1, count(*))::integer as place from public.position_step s
      join public.position_step o on o.merchant_id = s.merchant_id and o.position_id = s.position_id
        and o.step_order <= s.step_order
      where s.merchant_id = e.merchant_id and s.position_id = e.position_id and s.interview_id = e.interview_id
    ) n
    where e.merchant_id = new.merchant_id and e.id = new.enrolment_id;
  if not found then
    return null;
  end if;
  perform app.enter_stage(new.merchant_id, new.enrolment_id, case
    when not new.recruiter_go_next_round or not present.decision then 'Rejected'
    when present.decision then app.interview_stage(present.place + 1, 'planned')
    when present.status = 'active' then app.interview_stage(present.place, 'completed')
    else app.interview_stage(present.place, 'planned')
  end);
  return null;
end
$$;

reset role;

create or replace trigger interview_result_stage_added after insert on interview_result
  for each row when (new.status = 'active' and not new.is_test and new.enrolment_id is not null)
  execute function app.follow_result_stage();
create or replace trigger interview_result_stage_changed after update of status, recruiter_go_next_round on interview_result
  for each row when (
    (old.status, old.recruiter_go_next_round) is distinct from (new.status, new.recruiter_go_next_round)
    and not new.is_test and new.enrolment_id is not null
  ) execute function app.follow_result_stage();
