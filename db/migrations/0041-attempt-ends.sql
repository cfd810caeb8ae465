-- How an attempt goes on after a decision, and how it ends (docs/taking.md#an-attempt).

-- Whether the candidate has said, typed or chosen anything. A recording counts until its transcript is empty.
create function app.has_answers(r public.interview_result) returns boolean language sql stable
as $$
  select exists (
    select from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      and (q.answer_kind in ('text', 'choice') or q.answer_kind = 'recording'
        and not (q.transcript_status = 'done' and coalesce(q.answer, '') = ''))
  )
$$;
grant execute on function app.has_answers(public.interview_result) to app_definer;

-- An attempt in which the candidate only recorded silence is not completed.
create or replace function app.go_on(r public.interview_result, p_after uuid, p_place integer) returns void language plpgsql
as $$
declare
  following public.attempt_step := app.next_step(r, p_place);
begin
  if following.place is not null then
    perform app.ask_step(r, p_after, following.place);
  end if;
  if following.place is not null and following.kind <> 'thank_you' then
    return;
  end if;
  if app.has_answers(r) or not exists (
    select from public.result_question q where q.merchant_id = r.merchant_id and q.result_id = r.id
      and q.attempt = r.attempt and q.answer_kind = 'recording'
  ) then
    perform app.end_attempt(r, 'completed', 'All questions were answered.', now());
  else
    perform app.end_attempt(r, 'terminated, no speech detected', 'No answer had any words.', now());
  end if;
end
$$;

create or replace function app.close_attempt(r public.interview_result, p_reason text, p_ended_at timestamptz) returns void
language plpgsql
as $$
declare
  facts record;
begin
  select bool_and(s.kind <> 'question' or q.answered_at is not null) as all_answered,
    bool_or(s.kind in ('question', 'conditional') and s.mode not in ('voice', 'video')) as any_typed
    into facts from public.attempt_step s
    left join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
      and q.attempt = s.attempt and q.place = s.place and q.is_answer
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt;
  perform app.end_attempt(r, case
    when not app.has_answers(r) then case when facts.any_typed then 'abandoned' else 'terminated, no speech detected' end
    when facts.all_answered then 'completed'
    else 'completed, stopped early' end, p_reason, p_ended_at);
end
$$;

-- Asks what follows an answered turn. `follow_up` and `candidate_asks` ask `p_text`; `conditional` asks the next step of
-- the plan, and `next_planned` the one after it if it is conditional. Does nothing if something was asked already.
create function app.ask_after(r public.interview_result, t public.result_question, p_kind text, p_text text) returns void
language plpgsql
as $$
declare
  asked record;
  following public.attempt_step := app.next_step(r, t.place);
begin
  select count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as followups,
    count(*) filter (where q.kind = 'candidate_asks' and q.place = t.place) as replies, count(*) as turns
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  if p_kind = 'follow_up' and asked.followups < 3 and asked.turns < 60 then
    perform app.ask_step(r, t.id, t.place, 'follow_up', p_text);
  elsif p_kind = 'candidate_asks' and t.kind = 'candidate_asks' and asked.replies <= 3 and asked.turns < 60 then
    -- The candidate may ask three questions. The reply to the third one takes no answer.
    perform app.ask_step(
      r, t.id, t.place, 'candidate_asks', p_text, case when asked.replies = 3 then 'none' end
    );
  elsif p_kind = 'next_planned' and following.kind = 'conditional' then
    perform app.go_on(r, t.id, following.place);
  else
    perform app.go_on(r, t.id, t.place);
  end if;
end
$$;
grant execute on function app.ask_after(public.interview_result, public.result_question, text, text) to app_definer;

-- For the worker: asks the turn after `p_after` and returns it, or the one that was asked before.
create function app.ask_next_turn(
  p_result_id uuid, p_attempt integer, p_after uuid, p_kind text, p_text text, out outcome text, out turn_id uuid
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  t public.result_question;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  select q.id into turn_id from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = p_result_id and q.attempt = p_attempt and q.after_turn = p_after;
  if turn_id is not null then
    outcome := 'exists';
    return;
  end if;
  select * into t from public.result_question q
    where q.merchant_id = r.merchant_id and q.id = p_after and q.result_id = p_result_id and q.attempt = p_attempt
      and q.kind is not null and q.answered_at is not null;
  if t.id is null or r.attempt <> p_attempt or r.status <> 'draft' or r.interview_status is distinct from 'started' then
    outcome := 'not_running';
    return;
  end if;
  perform app.ask_after(r, t, p_kind, p_text);
  select q.id into turn_id from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = p_result_id and q.attempt = p_attempt and q.after_turn = p_after;
  outcome := case when turn_id is null then 'ended' else 'asked' end;
end
$$;

-- For the link, when no decision came: asks the next step of the plan, conditional questions included.
create function app.fall_back(p_turn_id uuid, out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  t public.result_question;
  rights text := app.link_rights(r);
begin
  if r.id is null or rights = 'none' then
    outcome := 'not_running';
    return;
  end if;
  select * into t from public.result_question q
    where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id and q.attempt = r.attempt
      and q.kind is not null;
  if not found then
    outcome := 'unknown_turn';
  elsif rights <> 'write' or r.status <> 'draft' or r.interview_status is distinct from 'started' then
    outcome := 'not_running';
  elsif t.answered_at is null or exists (
    select from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.after_turn = t.id
  ) then
    outcome := 'same';
  else
    perform app.ask_after(r, t, 'conditional', null);
    outcome := 'stored';
  end if;
  attempt := app.show_result(r.id);
end
$$;

-- For the worker: fills in what a recording says, once. An empty text means that nothing was said; null with `failed`
-- means that nothing could be transcribed.
create function app.set_transcript(p_turn_id uuid, p_text text, p_status text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.result_question q set answer = p_text, transcript_status = p_status
    where q.id = p_turn_id and q.transcript_status in ('pending', 'failed') and q.answer is null;
  return found;
end
$$;

-- For the worker: ends an attempt in progress without a result. Returns false if it is not in progress.
create function app.fail_attempt(p_result_id uuid, p_attempt integer, p_status text, p_reason text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.attempt = p_attempt and u.status = 'draft' and u.interview_status = 'started' for update;
  if not found then
    return false;
  end if;
  perform app.end_attempt(r, p_status, p_reason, now());
  return true;
end
$$;

-- Replaces the text of an answer until the submit, during the attempt and its review. The first text is kept.
create function app.edit_answer(p_turn_id uuid, p_text text, out outcome text, out attempt jsonb)
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
      where q.id = p_turn_id and q.answer_kind in ('text', 'recording') and q.answer is not null;
    outcome := case when found then 'stored' else 'not_editable' end;
  end if;
  attempt := app.show_result(r.id);
end
$$;

-- The candidate ends the attempt before its last question, with at least one answer. Also ends one whose time is over.
create function app.finish_attempt(out outcome text, out attempt jsonb)
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
      perform app.close_attempt(r, 'The time was over.', r.deadline_at);
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

-- Submits a collected attempt. A link of the attempt may repeat the call.
create function app.submit_attempt(out outcome text, out attempt jsonb)
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

-- For the worker: closes attempts whose time is over or whose candidate has done nothing for an hour, and returns their
-- number. Skips attempts that someone is changing. The order makes two workers lock credit accounts in the same order.
create function app.close_due_attempts(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  closed integer := 0;
begin
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds'
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

grant execute on function app.fall_back(uuid), app.edit_answer(uuid, text), app.finish_attempt(), app.submit_attempt()
  to app_link;
grant execute on function app.ask_next_turn(uuid, integer, uuid, text, text), app.set_transcript(uuid, text, text),
  app.fail_attempt(uuid, integer, text, text), app.close_due_attempts(integer) to app_worker;
alter function app.ask_next_turn(uuid, integer, uuid, text, text) owner to app_definer;
alter function app.fall_back(uuid) owner to app_definer;
alter function app.set_transcript(uuid, text, text) owner to app_definer;
alter function app.fail_attempt(uuid, integer, text, text) owner to app_definer;
alter function app.edit_answer(uuid, text) owner to app_definer;
alter function app.finish_attempt() owner to app_definer;
alter function app.submit_attempt() owner to app_definer;
alter function app.close_due_attempts(integer) owner to app_definer;
