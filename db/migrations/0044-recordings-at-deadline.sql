-- A recording that began before the deadline may be completed and answered for 10 more minutes (docs/taking.md#ends), so
-- the attempt is not closed before.

create function app.is_over(r public.interview_result) returns boolean language sql stable
as $$
  select now() > r.deadline_at + interval '30 seconds' and (now() > r.deadline_at + interval '10 minutes' or not exists (
    select from public.recording c
    join public.result_question q on q.merchant_id = c.merchant_id and q.id = c.turn_id and q.answered_at is null
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.state <> 'discarded'
  ))
$$;
grant execute on function app.is_over(public.interview_result) to app_definer;

set local role app_definer;

create or replace function app.begin_attempt(p_consent_version text, p_language text, out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  rights text := app.link_rights(r);
  opening record;
begin
  if rights <> 'write' then
    outcome := case when rights = 'read' then 'submitted' else 'closed' end;
    attempt := case when rights = 'read' then app.show_attempt(r) end;
    return;
  end if;
  if r.interview_status = 'started' and app.is_over(r) then
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
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
  select coalesce(p.status, i.status) as status, i.max_duration, i.platform_language_code, e.time_factor,
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
  elsif r.interview_status is not null then
    perform app.archive_attempt(r);
  end if;
  update public.interview_result u set
    interview_status = 'started', started_at = now(), consent_version = p_consent_version,
    consent_language = coalesce(p_language, opening.platform_language_code), consented_at = now(),
    deadline_at = now() + make_interval(secs => coalesce(opening.max_duration, 3600) * opening.time_factor),
    last_active_at = now(), link_generation = app.link_generation()
    where u.id = r.id returning * into r;
  perform app.plan_attempt(r);
  perform app.go_on(r, null, 0);
  outcome := 'begun';
  attempt := app.show_result(r.id);
end
$$;

create or replace function app.answer_turn(
  p_turn_id uuid, p_kind text, p_text text, p_recording_id uuid, p_duration_ms integer,
  out outcome text, out needs_decision boolean, out attempt jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  t public.result_question;
  rights text := app.link_rights(r);
begin
  needs_decision := false;
  if r.id is null or rights = 'none' then
    outcome := 'not_running';
    return;
  end if;
  select * into t from public.result_question q
    where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id and q.attempt = r.attempt
      and q.kind is not null;
  if not found then
    outcome := 'unknown_turn';
    attempt := app.show_attempt(r);
    return;
  end if;
  if t.kind = 'thank_you' or t.answered_at is not null then
    outcome := case
      when t.kind = 'thank_you' and p_kind = 'seen' then 'same'
      when t.answer_kind = p_kind and (p_kind = 'recording' and t.recording_id = p_recording_id or p_kind = 'seen'
        or p_kind in ('text', 'choice') and coalesce(t.answer_original, t.answer) = p_text) then 'same'
      when r.interview_status = 'started' then 'conflict' else 'not_running' end;
    attempt := app.show_attempt(r);
    needs_decision := outcome = 'same' and attempt ->> 'state' = 'running' and attempt -> 'turn' = 'null';
    return;
  end if;
  if rights <> 'write' or r.interview_status <> 'started' then
    outcome := 'not_running';
    attempt := app.show_attempt(r);
    return;
  end if;
  if now() > r.deadline_at + interval '30 seconds' and (p_kind <> 'recording' or app.is_over(r)) then
    if app.is_over(r) then
      perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    end if;
    outcome := 'late';
    attempt := app.show_result(r.id);
    return;
  end if;
  if not (case p_kind
    when 'text' then t.mode in ('text', 'voice', 'video')
    when 'choice' then t.mode = 'choice' and p_text = any (t.choices)
    when 'recording' then t.mode in ('voice', 'video')
    else t.mode = 'none' or not t.is_required end) then
    outcome := 'invalid';
    attempt := app.show_attempt(r);
    return;
  end if;
  update public.result_question q set
    answer = p_text, answer_kind = p_kind, answered_at = now(), recording_id = p_recording_id,
    is_typed = p_kind = 'text' and t.mode in ('voice', 'video'),
    transcript_status = case when p_kind = 'recording' then 'pending' end,
    duration = least(p_duration_ms / 100, extract(epoch from greatest(now() - t.asked_at, interval '0')) * 10 + 300)::integer
    where q.id = t.id returning * into t;
  update public.interview_result u set last_active_at = now() where u.id = r.id returning * into r;
  -- After the deadline nothing more is asked.
  if now() > r.deadline_at + interval '30 seconds' then
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
  else
    needs_decision := app.needs_decision(r, t);
    if not needs_decision then
      perform app.go_on(r, t.id, t.place);
    end if;
  end if;
  outcome := 'stored';
  attempt := app.show_result(r.id);
end
$$;

create or replace function app.finish_attempt(out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  rights text := app.link_rights(r);
  last_turn uuid;
begin
  if r.id is null or rights = 'none' then
    outcome := 'not_running';
    return;
  end if;
  if rights = 'write' and r.status = 'draft' and r.interview_status = 'started' then
    if now() > r.deadline_at + interval '30 seconds' then
      -- A page whose time is over asks to end the attempt, also while the last recording is sent.
      if app.is_over(r) then
        perform app.close_attempt(r, 'The time was over.', r.deadline_at);
      end if;
    elsif app.has_answers(r) then
      select q.id into last_turn from public.result_question q
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
        order by q.step_order desc limit 1;
      perform app.ask_step(r, last_turn, s.place) from public.attempt_step s
        where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind = 'thank_you';
      perform app.close_attempt(r, 'The candidate ended the interview.', now());
    else
      outcome := 'no_answers';
      attempt := app.show_attempt(r);
      return;
    end if;
  end if;
  attempt := app.show_result(r.id);
  outcome := case when attempt ->> 'state' in ('collected', 'submitted') then 'collected' else 'not_running' end;
end
$$;

create or replace function app.close_due_attempts(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  closed integer := 0;
begin
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds' and app.is_over(u)
      order by u.deadline_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    closed := closed + 1;
  end loop;
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.last_active_at < now() - interval '60 minutes'
      order by u.last_active_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The candidate did nothing for an hour.', r.last_active_at);
    closed := closed + 1;
  end loop;
  return closed;
end
$$;

set local role app_owner;
