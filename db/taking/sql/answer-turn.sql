-- The answers of an attempt (docs/taking.md#an-attempt).

set local role app_definer;

-- Stores the answer of a turn once. Asks the next planned turn in the same transaction, unless a model decides what to
-- ask. If the recording does not belong to the turn, returns an outcome instead of raising an exception, because
-- Postgres would log that as an error.
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
      perform app.close_attempt(r, 'time_over', r.deadline_at);
    end if;
    outcome := 'late';
    attempt := app.show_result(r.id);
    return;
  end if;
  if not (case p_kind
    when 'text' then t.mode in ('text', 'voice', 'video') and app.may_type(r, t.mode, t.is_required)
    when 'choice' then t.mode = 'choice' and p_text = any (t.choices)
    when 'recording' then t.mode in ('voice', 'video')
    else t.mode = 'none' or not t.is_required end) then
    outcome := 'invalid';
    attempt := app.show_attempt(r);
    return;
  end if;
  if p_kind = 'recording' and not exists (
    select from public.recording c where c.merchant_id = t.merchant_id and c.id = p_recording_id and c.turn_id = t.id
      and (c.state in ('completed', 'stored') or c.state = 'open' and c.draft is not null)
  ) then
    outcome := 'unknown_recording';
    attempt := app.show_attempt(r);
    return;
  end if;
  update public.result_question q set
    answer = p_text, answer_kind = p_kind, answered_at = now(), recording_id = p_recording_id,
    is_typed = p_kind = 'text' and t.mode in ('voice', 'video'),
    recorded = case when q.recorded is not null then coalesce((
      select case when c.media_type like 'audio/%' then 'audio' end from public.recording c
      where c.merchant_id = t.merchant_id and c.id = p_recording_id
    ), q.recorded) end,
    transcript_status = case when p_kind = 'recording' then 'pending' end,
    duration = least(p_duration_ms / 100, extract(epoch from greatest(now() - t.asked_at, interval '0')) * 10 + 300)::integer
    where q.id = t.id returning * into t;
  perform app.discard_takes(t);
  r.last_active_at := now();
  update public.interview_result u set last_active_at = r.last_active_at where u.id = r.id and u.attempt = r.attempt;
  if not found then
    perform app.save_attempt(r);
  end if;
  -- No further turn is asked after the deadline.
  if now() > r.deadline_at + interval '30 seconds' then
    perform app.close_attempt(r, 'time_over', r.deadline_at);
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
grant execute on function app.answer_turn(uuid, text, text, uuid, integer) to app_link;

-- Replaces the text of an answer (`app.is_editable`) during the attempt and its review, until the submit. The original text is kept.
create or replace function app.edit_answer(p_turn_id uuid, p_text text, out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  rights text := app.link_rights(r);
begin
  if r.id is null or rights = 'none' then
    outcome := 'not_editable';
    return;
  end if;
  if not exists (
    select from public.result_question q where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id
      and q.attempt = r.attempt and q.kind is not null
  ) then
    outcome := 'unknown_turn';
  elsif rights <> 'write' or r.status <> 'draft'
    or not r.interview_status = any (array['started', 'completed', 'completed, stopped early'])
    or now() > app.review_ends_at(r) or not exists (
      select from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
        and i.result_enable_edit_transcript and i.result_view <> 'none'
    ) then
    outcome := 'not_editable';
  else
    update public.result_question q set
      answer_original = case when q.answer = p_text then q.answer_original else coalesce(q.answer_original, q.answer) end,
      answer = p_text
      where q.id = p_turn_id and app.is_editable(r, q);
    outcome := case when found then 'stored' else 'not_editable' end;
  end if;
  attempt := app.show_result(r.id);
end
$$;
grant execute on function app.edit_answer(uuid, text) to app_link;

-- Ends an attempt early for its candidate, if it has an answer. Also ends an attempt whose time is over.
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
      -- When the time is over, the page asks to end the attempt even while the last recording is being uploaded. The
      -- attempt then stays open for the upload.
      if app.is_over(r) then
        perform app.close_attempt(r, 'time_over', r.deadline_at);
      end if;
    elsif app.has_answers(r) then
      select q.id into last_turn from public.result_question q
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
        order by q.step_order desc limit 1;
      perform app.ask_step(r, last_turn, s.place) from public.attempt_step s
        where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind = 'thank_you';
      perform app.close_attempt(r, 'stopped_early', now());
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
grant execute on function app.finish_attempt() to app_link;

-- Submits a collected attempt. Repeating the call with a link of the same attempt changes nothing.
create or replace function app.submit_attempt(out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  rights text := app.link_rights(r);
begin
  if r.id is null or rights = 'none' then
    outcome := 'not_collected';
    return;
  end if;
  if r.status = 'active' then
    outcome := 'same';
  elsif rights = 'write' and r.interview_status in ('completed', 'completed, stopped early') then
    perform app.submit_collected(r);
    outcome := 'submitted';
  else
    outcome := 'not_collected';
  end if;
  attempt := app.show_result(r.id);
end
$$;
grant execute on function app.submit_attempt() to app_link;

reset role;
