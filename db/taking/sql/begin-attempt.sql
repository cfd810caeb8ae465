-- How an attempt begins (docs/taking.md#an-attempt).

set local role app_definer;

-- Begins the candidate's next attempt, or returns the one that is running. `attempt` is null if there is none.
create or replace function app.begin_attempt(p_consent_version text, p_language text, out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  rights text;
  opening record;
begin
  -- A recruiter may be withdrawing the candidate, and a change of the position's steps moves candidates who have not begun.
  -- This lock waits for both, so the rights are read after it.
  perform from public.enrolment e where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id() for key share;
  rights := app.link_rights(r);
  if rights <> 'write' then
    outcome := case when rights = 'read' then 'submitted' else 'closed' end;
    attempt := case when rights = 'read' then app.show_attempt(r) end;
    return;
  end if;
  if r.interview_status = 'started' and app.is_over(r) then
    perform app.close_attempt(r, 'time_over', r.deadline_at);
    r := app.lock_link_result();
    if r.status = 'active' then
      outcome := 'submitted';
      attempt := app.show_attempt(r);
      return;
    end if;
  end if;
  if r.status = 'draft' and r.interview_status in ('started', 'completed', 'completed, stopped early') then
    outcome := 'running';
    attempt := app.show_attempt(r);
    return;
  end if;
  select app.link_status() as status, i.max_duration, i.platform_language_code, e.time_factor,
    app.is_practice(i.type) and i.environment = 'production' and not app.link_is_test() as uses_coaching,
    app.available_until(case when p.id is null then i.interview_available_till else p.interview_available_till end) as till
    into opening
    from public.enrolment e
    join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
    left join public.position p on p.merchant_id = e.merchant_id and p.id = e.position_id
    where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id();
  if r.interview_status is not null then
    outcome := app.next_attempt(r);
    if outcome <> 'begun' then
      attempt := app.show_attempt(r);
      return;
    end if;
  end if;
  if coalesce(opening.till <= now(), false)
    or not (opening.status = 'active' or app.link_is_test() and opening.status in ('draft', 'preparing')) then
    outcome := 'closed';
    attempt := app.show_attempt(r);
    return;
  end if;
  if opening.uses_coaching then
    -- Learners who begin at once wait for each other here, so that each counts the attempts that have begun.
    perform app.lock_credit_account(app.merchant_id());
    if not app.has_credits_left(app.merchant_id(), app.link_interview_id()) then
      outcome := 'no_practice_left';
      attempt := app.show_attempt(r);
      return;
    end if;
  end if;
  if r.id is null then
    insert into public.interview_result as u (merchant_id, environment, interview_id, enrolment_id, is_test, interview_status, started_at)
      values (app.merchant_id(), app.environment(), app.link_interview_id(), app.enrolment_id(), app.link_is_test(), 'started', now())
      on conflict (merchant_id, enrolment_id, interview_id, is_test) where enrolment_id is not null do nothing
      returning u.* into r;
    -- Another call has begun the attempt meanwhile.
    if r.id is null then
      r := app.lock_link_result();
      outcome := 'running';
      attempt := app.show_attempt(r);
      return;
    end if;
  elsif r.status = 'active' then
    -- The submitted attempt stays the result until this one is submitted.
    r := app.blank_attempt(r);
    insert into public.interview_result_attempt (merchant_id, environment, result_id, attempt, fields, is_open)
      values (r.merchant_id, r.environment, r.id, r.attempt, to_jsonb(r), true);
  elsif r.interview_status is not null then
    perform app.archive_attempt(r, app.blank_attempt(r));
    r := app.lock_link_result();
  end if;
  r.interview_status := 'started';
  r.started_at := now();
  r.consent_version := p_consent_version;
  r.consent_language := coalesce(p_language, opening.platform_language_code);
  r.consented_at := now();
  r.deadline_at := now() + make_interval(secs => coalesce(opening.max_duration, 3600) * opening.time_factor);
  r.last_active_at := now();
  r.link_generation := app.link_generation();
  perform app.save_attempt(r);
  perform app.plan_attempt(r);
  perform app.go_on(r, null, 0);
  outcome := 'begun';
  attempt := app.show_result(r.id);
end
$$;
grant execute on function app.begin_attempt(text, text) to app_link;

reset role;
