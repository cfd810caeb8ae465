-- How an attempt goes from turn to turn, and how it ends (docs/taking.md#an-attempt).

-- Returns since when an attempt cannot go on because of the platform, or null: its last answer has no next turn although a
-- question is left, or the object store rejects the recording of the open turn.
create or replace function app.waits_since(r public.interview_result) returns timestamptz language sql stable
as $$
  select case
    when q.answered_at is null then (
      select min(c.refused_at) from public.recording c
      where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.turn_id = q.id
    )
    when exists (
      select from public.attempt_step s
      where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place > q.place
        and s.kind = 'question'
    ) then q.answered_at end
  from public.result_question q
  where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
    and not r.is_visit
  order by q.step_order desc limit 1
$$;
grant execute on function app.waits_since(interview_result) to app_definer;

-- Returns whether the time of an attempt is over. If the first part of a recording was stored in time, the candidate
-- may complete the recording and answer with it for 10 more minutes. An attempt that waits for the platform since before
-- the deadline is not over until it goes on or fails.
create or replace function app.is_over(r public.interview_result) returns boolean language sql stable
as $$
  select now() > r.deadline_at + interval '30 seconds' and (now() > r.deadline_at + interval '10 minutes' or not exists (
    select from public.recording c
    join public.result_question q on q.merchant_id = c.merchant_id and q.id = c.turn_id and q.answered_at is null
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.state <> 'discarded'
      and app.began_in_time(r, c)
  )) and app.waits_since(r) <= r.deadline_at is not true
$$;
grant execute on function app.is_over(interview_result) to app_definer;

-- Returns whether the candidate has said, typed or chosen anything. A recording is an answer unless its transcript is
-- empty.
create or replace function app.has_answers(r public.interview_result) returns boolean language sql stable
as $$
  select exists (
    select from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      and (q.answer_kind in ('text', 'choice') or q.answer_kind = 'recording'
        and not (q.transcript_status = 'done' and coalesce(q.answer, '') = ''))
  )
$$;
grant execute on function app.has_answers(interview_result) to app_definer;

-- Returns the next step of the plan after a place. Skips conditional questions whose parent was not asked, and scored
-- questions of an attempt that was stopped.
create or replace function app.next_step(r public.interview_result, p_place integer) returns public.attempt_step language sql stable
as $$
  select s from public.attempt_step s
  where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place > p_place
    and (s.parent_place is null or exists (
      select from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.place = s.parent_place
    ))
    and not (s.is_scored and app.stopped_because(r) is not null)
  order by s.place limit 1
$$;
grant execute on function app.next_step(interview_result, integer) to app_definer;

-- Asks a step of the plan after the turn `p_after`, which is null for the first step. Does nothing if another turn
-- already follows that turn. `p_text` replaces the text of the step, for a follow-up or a reply to a candidate's
-- question. In a role-play, the character says the line, so it is the speaker. The first five answers of an attempt are
-- those of its first five turns that are scored, with follow-ups. Their videos are required like the answers.
create or replace function app.ask_step(
  r public.interview_result, p_after uuid, p_place integer, p_kind text default null, p_text text default null,
  p_mode text default null
) returns void language plpgsql
as $$
begin
  insert into public.result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view,
    question_original_id, question_original, question_asked, platform_language_code, external_data, external_id, kind, place,
    after_turn, choices, mode, is_required, max_seconds, asked_at, speaker, recorded)
  select r.merchant_id, r.environment, r.id, r.attempt, 1 + coalesce((
      select max(q.step_order) from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt
    ), 0), coalesce(p_mode, s.mode) <> 'none', s.view, s.question_id, nullif(coalesce(q.question, s.text), ''), coalesce(p_text, s.text),
    s.platform_language_code, s.external_data, s.external_id, coalesce(p_kind, s.kind), s.place, p_after,
    case when p_text is null then s.choices end, coalesce(p_mode, case kept.recorded when 'video' then 'video' end, s.mode),
    s.is_required, s.max_seconds, clock_timestamp(),
    case when s.kind in ('question', 'conditional') then p.persona ->> 'name' end, kept.recorded
  from public.attempt_step s
  left join public.question q on q.merchant_id = s.merchant_id and q.id = s.question_id
  left join public.attempt_plan p on p.merchant_id = s.merchant_id and p.result_id = s.result_id and p.attempt = s.attempt
  cross join lateral (
    select case when coalesce(p_mode, s.mode) = 'video' then 'video'
      when coalesce(p_mode, s.mode) = 'voice' and (p.recording like '%all' or s.is_scored and p.recording is not null and 5 > (
        select count(*) from public.result_question t
        join public.attempt_step a on a.merchant_id = t.merchant_id and a.result_id = t.result_id and a.attempt = t.attempt
          and a.place = t.place
        where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and a.is_scored
      )) then left(p.recording, 5) end as recorded
  ) kept
  where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = p_place
  on conflict do nothing;
end
$$;
grant execute on function app.ask_step(interview_result, uuid, integer, text, text, text) to app_definer;

-- Submits a collected attempt, which is then the result, and queues its scoring, ends its links unless it is a test or
-- another attempt is left, and charges it if it was not charged when it was collected.
create or replace function app.submit_collected(r public.interview_result) returns void language plpgsql
as $$
declare
  submitted public.interview_result;
begin
  perform app.take_over(r.id);
  update public.interview_result u set
    status = 'active', processing_status = 'queued', is_successful = true, submitted_at = now(),
    scoring_run = app.queue_scoring(r, null),
    link_generation = (
      select e.link_generation from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    )
    where u.id = r.id returning * into submitted;
  if app.attempts_left(submitted) = 0 then
    update public.enrolment e set link_generation = e.link_generation + 1
      where e.merchant_id = r.merchant_id and e.id = r.enrolment_id;
  end if;
  perform app.charge_result(r.id);
end
$$;
grant execute on function app.submit_collected(interview_result) to app_definer;

-- Ends an attempt in progress. If the attempt is collected and the `result_view` of its interview is none, a second
-- update submits it, so that both webhook events are sent. `duration` is set with the status, because the charge depends on
-- the duration.
create or replace function app.end_attempt(r public.interview_result, p_status text, p_reason text, p_ended_at timestamptz)
returns void language plpgsql
as $$
begin
  r.interview_status := p_status;
  r.ai_completion_reason := case when not r.is_visit then p_reason end;
  r.ended_at := p_ended_at;
  r.duration := greatest(0, round(extract(epoch from p_ended_at - r.started_at) * 10));
  r.ai_interview_coverage_percentage := (
    select round(100.0 * count(q.answered_at) / nullif(count(*), 0)) from public.attempt_step s
    left join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
      and q.attempt = s.attempt and q.place = s.place and q.kind = s.kind
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind = 'question'
  );
  perform app.save_attempt(r);
  perform app.discard_rest(r);
  if not r.is_visit and p_status in ('completed', 'completed, stopped early') and 'none' = (
    select i.result_view from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
  ) then
    perform app.submit_collected(r);
    return;
  end if;
  perform app.charge_result(r.id);
  if p_status not in ('completed', 'completed, stopped early') then
    perform app.leave_attempt(r);
  end if;
end
$$;
grant execute on function app.end_attempt(interview_result, text, text, timestamp with time zone) to app_definer;

-- Asks the next step of the plan after `p_place`. Ends the attempt if no step is left or if the next step is the
-- thank-you, which needs no answer. The attempt is then completed, unless the candidate recorded only silence.
create or replace function app.go_on(r public.interview_result, p_after uuid, p_place integer) returns void language plpgsql
as $$
declare
  following public.attempt_step := app.next_step(r, p_place);
  stopped_because text := app.stopped_because(r);
begin
  if following.place is not null then
    perform app.ask_step(r, p_after, following.place);
  end if;
  if following.place is not null and following.kind <> 'thank_you' then
    return;
  end if;
  if stopped_because is not null then
    perform app.end_attempt(r, 'completed, stopped early', 'stopped_early', now());
  elsif app.has_answers(r) or not exists (
    select from public.result_question q where q.merchant_id = r.merchant_id and q.result_id = r.id
      and q.attempt = r.attempt and q.answer_kind = 'recording'
  ) then
    perform app.end_attempt(r, 'completed', 'all_questions_answered', now());
  else
    perform app.end_attempt(r, 'terminated, no speech detected', 'no_speech', now());
  end if;
end
$$;
grant execute on function app.go_on(interview_result, uuid, integer) to app_definer;

-- Ends an attempt because its time is over, or because its candidate has ended or left it.
create or replace function app.close_attempt(r public.interview_result, p_reason text, p_ended_at timestamptz) returns void
language plpgsql
as $$
declare
  facts record;
begin
  select bool_and(s.kind <> 'question' or q.answered_at is not null) as all_answered,
    bool_or(s.kind in ('question', 'conditional') and s.mode not in ('voice', 'video') or t.type not like 'interactive%')
      as any_typed
    into facts from public.attempt_step s
    join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join public.interview_template t on t.id = i.interview_template_id
    left join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
      and q.attempt = s.attempt and q.place = s.place and q.is_answer
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt;
  perform app.end_attempt(r, case
    when not app.has_answers(r) then case when facts.any_typed then 'abandoned' else 'terminated, no speech detected' end
    when facts.all_answered then 'completed'
    else 'completed, stopped early' end, p_reason, p_ended_at);
end
$$;
grant execute on function app.close_attempt(interview_result, text, timestamp with time zone) to app_definer;

-- Returns why a running attempt is due to end, or null: it waits for the platform for 30 minutes, its time is over, or its
-- candidate has done nothing for an hour.
create or replace function app.due_end(r public.interview_result) returns text language sql stable
as $$
  select case when app.waits_since(r) < now() - interval '30 minutes' then 'technical_error'
    when app.is_over(r) then 'time_over'
    when r.last_active_at < now() - interval '60 minutes' and app.waits_since(r) is null then 'left' end
$$;
grant execute on function app.due_end(interview_result) to app_definer;

set local role app_definer;

-- For the worker: ends an attempt in progress without a result. Returns false if it is not in progress.
create or replace function app.fail_attempt(p_result_id uuid, p_attempt integer, p_status text, p_reason text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id for update;
  r := app.current_attempt(r);
  if (r.attempt, r.status, r.interview_status) is distinct from (p_attempt, 'draft', 'started') then
    return false;
  end if;
  perform app.end_attempt(r, p_status, p_reason, now());
  return true;
end
$$;
grant execute on function app.fail_attempt(uuid, integer, text, text) to app_worker;

reset role;
