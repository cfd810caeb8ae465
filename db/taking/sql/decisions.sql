-- What a model decides during an attempt (docs/taking.md#decisions): follow-ups, conditional questions and replies, after
-- recorded answers are transcribed.

-- Returns whether an attempt may have a turn that is not planned, after this place of the plan. With the steps that are
-- left it has at most 250 turns, so that each answer can be one of its 300 recordings. Planned steps, of which there are at
-- most 104, are always asked.
create or replace function app.has_room(r public.interview_result, p_place integer) returns boolean language sql stable
as $$
  select 250 > (
    select count(*) from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
  ) + (
    select count(*) from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place > p_place
  )
$$;
grant execute on function app.has_room(interview_result, integer) to app_definer, app_worker;

-- Returns how many questions a candidate may ask at a step, or a visitor in a visit.
create or replace function app.most_questions(p_is_visit boolean) returns integer language sql immutable
as $$ select case when p_is_visit then 20 else 3 end $$;
grant execute on function app.most_questions(boolean) to app_definer;

-- Returns why no more scored questions are asked in an attempt, or null.
create or replace function app.stopped_because(r public.interview_result) returns text language sql stable
as $$
  select p.stopped_because from public.attempt_plan p
  where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
$$;
grant execute on function app.stopped_because(interview_result) to app_definer;

-- Returns whether an attempt may be stopped early after this place: its interview allows it, the place is one of a scored
-- question, at least three scored questions and half of them were answered, and others are left.
create or replace function app.may_stop(r public.interview_result, p_place integer) returns boolean language sql stable
as $$
  select coalesce((p.scoring ->> 'early_stop')::boolean and p.stopped_after is null and (
      select bool_or(s.place = p_place) and bool_or(s.place > p_place) and count(*) filter (where answered.yes) >= 3
        and 2 * count(*) filter (where answered.yes) >= count(*)
      from public.attempt_step s
      cross join lateral (
        select exists (
          select from public.result_question q
          where q.merchant_id = s.merchant_id and q.result_id = s.result_id and q.attempt = s.attempt and q.place = s.place
            and q.answered_at is not null
        ) as yes
      ) answered
      where s.merchant_id = p.merchant_id and s.result_id = p.result_id and s.attempt = p.attempt and s.kind = 'question'
        and s.is_scored
    ), false)
  from public.attempt_plan p
  where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
$$;
grant execute on function app.may_stop(interview_result, integer) to app_definer, app_worker;

-- Returns whether a model decides what follows an answered turn: whether the attempt is stopped early, a follow-up, a conditional question or a reply. A recorded
-- answer is transcribed first, unless the words of a live conversation are known.
create or replace function app.needs_decision(r public.interview_result, t public.result_question) returns boolean
language plpgsql stable
as $$
declare
  step public.attempt_step;
  asked record;
  following public.attempt_step := app.next_step(r, t.place);
begin
  select s.* into step from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = t.place;
  select count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as followups,
    count(*) filter (where q.place = t.place) as at_step
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  return coalesce(following.kind = 'conditional', false) or coalesce(app.may_stop(r, t.place), false)
    or t.answer_kind = 'recording' and step.kind <> 'introduction' and not exists (
      select from public.recording c where c.merchant_id = t.merchant_id and c.id = t.recording_id and c.draft is not null
    )
    or t.answer_kind <> 'seen' and app.has_room(r, t.place) and (
      step.kind = 'candidate_asks' and asked.at_step <= app.most_questions(r.is_visit)
      or asked.followups < step.max_followups and now() < r.deadline_at - interval '60 seconds'
    );
end
$$;
grant execute on function app.needs_decision(interview_result, result_question) to app_definer;

-- Adds the next turn after an answered turn, unless there is one already. With the kinds `follow_up`, `repeat` and
-- `candidate_asks`, the text of the new turn is `p_text`. With `conditional`, the next step of the plan is asked;
-- `next_planned` skips that step if it is a conditional question. With `stop`, no more scored question is asked, because of
-- `p_text`. If the candidate waited for this turn longer than decisions take, the wait is added to the time of the attempt.
create or replace function app.ask_after(r public.interview_result, t public.result_question, p_kind text, p_text text) returns void
language plpgsql
as $$
declare
  asked record;
  allowed integer := (
    select s.max_followups from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = t.place
  );
  following public.attempt_step := app.next_step(r, t.place);
begin
  if now() - t.answered_at > interval '30 seconds' then
    r.deadline_at := r.deadline_at + (now() - t.answered_at);
    perform app.save_attempt(r);
  end if;
  select count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as followups,
    count(*) filter (where q.kind = 'candidate_asks' and q.place = t.place) as replies, app.has_room(r, t.place) as has_room
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  -- A question is repeated at most twice. The turn that repeats it counts as a follow-up.
  if asked.has_room and (p_kind = 'follow_up' and asked.followups < allowed
    or p_kind = 'repeat' and asked.followups < allowed + 2) then
    perform app.ask_step(r, t.id, t.place, 'follow_up', p_text);
  elsif p_kind = 'candidate_asks' and t.kind = 'candidate_asks' and asked.replies <= app.most_questions(r.is_visit)
    and asked.has_room then
    -- The reply to the last question that is allowed cannot be answered. A visitor who talks goes on talking.
    perform app.ask_step(
      r, t.id, t.place, 'candidate_asks', p_text,
      case when asked.replies = app.most_questions(r.is_visit) then 'none' when r.is_visit then t.mode end
    );
  elsif p_kind = 'stop' then
    update public.attempt_plan p set stopped_after = t.place, stopped_because = p_text
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt;
    perform app.go_on(r, t.id, t.place);
  elsif p_kind = 'next_planned' and following.kind = 'conditional' then
    perform app.go_on(r, t.id, following.place);
  else
    perform app.go_on(r, t.id, t.place);
  end if;
end
$$;
grant execute on function app.ask_after(interview_result, result_question, text, text) to app_definer;

set local role app_definer;

-- For the worker: adds the turn after `p_after` and returns it, or returns the turn that already follows. Notifies the live
-- process, which speaks the turn before the workflow knows of it.
create or replace function app.ask_next_turn(
  p_result_id uuid, p_attempt integer, p_after uuid, p_kind text, p_text text, out outcome text, out turn_id uuid
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  t public.result_question;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  r := app.current_attempt(r);
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
  perform pg_catalog.pg_notify('turn_asked', p_after::text);
end
$$;
grant execute on function app.ask_next_turn(uuid, integer, uuid, text, text) to app_worker;

-- For links: asks the next step of the plan, conditional or not, if the model has not decided in time. A visit gets
-- `p_text` as the reply.
create or replace function app.fall_back(p_turn_id uuid, p_text text, out outcome text, out attempt jsonb)
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
    perform app.ask_after(r, t, case when r.is_visit then 'candidate_asks' else 'conditional' end, p_text);
    outcome := 'stored';
  end if;
  attempt := app.show_result(r.id);
end
$$;
grant execute on function app.fall_back(uuid, text) to app_link;

-- For the worker: stores the transcript of a recorded answer, once. An empty text means that nothing was said. Null
-- with the status `failed` means that nothing could be transcribed; what the live process heard then stays as the answer. A recording that is not kept is then deleted.
create or replace function app.set_transcript(
  p_turn_id uuid, p_text text, p_status text, p_confidence double precision default null, p_tokens integer default null
) returns boolean language plpgsql security definer set search_path = ''
as $$
declare
  told public.result_question;
begin
  update public.result_question q set answer = coalesce(p_text, heard.draft),
    transcript_status = case when heard.draft is null then p_status else 'draft' end,
    transcript_confidence = p_confidence, transcript_tokens = p_tokens
    from (
      select max(c.draft) filter (where p_status = 'failed') as draft from public.result_question t
      join public.recording c on c.merchant_id = t.merchant_id and c.id = t.recording_id where t.id = p_turn_id
    ) heard
    where q.id = p_turn_id and q.transcript_status in ('pending', 'failed') and q.answer is null
    returning q.* into told;
  if told.id is null then
    return false;
  end if;
  update public.recording c set state = 'discarded', work_at = app.deletable_at(c), tries = 0
    where c.merchant_id = told.merchant_id and c.id = told.recording_id and not c.is_kept and c.state <> 'discarded';
  return true;
end
$$;
grant execute on function app.set_transcript(uuid, text, text, double precision, integer) to app_worker;

reset role;
