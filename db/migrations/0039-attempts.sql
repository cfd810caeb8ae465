-- How an attempt begins, goes on and ends (docs/taking.md#an-attempt).

-- Returns the time at which a stored `interview_available_till` ends. A date includes its whole day, in UTC.
create function app.available_until(p_till text) returns timestamptz language sql stable
as $$
  select case when length(p_till) = 10 then (p_till::date + 1)::timestamp at time zone 'UTC' else p_till::timestamptz end
$$;

create function app.iso_time(p_at timestamptz) returns text language sql stable
as $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Returns when the review of the answers ends: at the deadline or 30 minutes after the last answer, whichever is later.
create function app.review_ends_at(r public.interview_result) returns timestamptz language sql stable
as $$ select greatest(r.deadline_at, r.last_active_at + interval '30 minutes') $$;

-- Returns whether the time of an attempt is over. If the first part of a recording was stored in time, the candidate
-- may complete the recording and answer with it for 10 more minutes.
create function app.is_over(r public.interview_result) returns boolean language sql stable
as $$
  select now() > r.deadline_at + interval '30 seconds' and (now() > r.deadline_at + interval '10 minutes' or not exists (
    select from public.recording c
    join public.result_question q on q.merchant_id = c.merchant_id and q.id = c.turn_id and q.answered_at is null
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.state <> 'discarded'
      and app.began_in_time(r, c)
  ))
$$;

-- Returns whether the candidate has said, typed or chosen anything. A recording is an answer unless its transcript is
-- empty.
create function app.has_answers(r public.interview_result) returns boolean language sql stable
as $$
  select exists (
    select from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      and (q.answer_kind in ('text', 'choice') or q.answer_kind = 'recording'
        and not (q.transcript_status = 'done' and coalesce(q.answer, '') = ''))
  )
$$;

-- Asks a step of the plan after the turn `p_after`, which is null for the first step. Does nothing if another turn
-- already follows that turn. `p_text` replaces the text of the step, for a follow-up or a reply to a candidate's
-- question.
create function app.ask_step(
  r public.interview_result, p_after uuid, p_place integer, p_kind text default null, p_text text default null,
  p_mode text default null
) returns void language plpgsql
as $$
begin
  insert into public.result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view,
    question_original_id, question_original, question_asked, platform_language_code, external_data, external_id, kind, place,
    after_turn, choices, mode, is_required, max_seconds, asked_at)
  select r.merchant_id, r.environment, r.id, r.attempt, 1 + coalesce((
      select max(q.step_order) from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt
    ), 0), coalesce(p_mode, s.mode) <> 'none', s.view, s.question_id, nullif(s.text, ''), coalesce(p_text, s.text),
    s.platform_language_code, s.external_data, s.external_id, coalesce(p_kind, s.kind), s.place, p_after,
    case when p_text is null then s.choices end, coalesce(p_mode, s.mode), s.is_required, s.max_seconds, clock_timestamp()
  from public.attempt_step s
  where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = p_place
  on conflict do nothing;
end
$$;

-- Returns the next step of the plan after a place. Skips conditional questions whose parent was not asked.
create function app.next_step(r public.interview_result, p_place integer) returns public.attempt_step language sql stable
as $$
  select s from public.attempt_step s
  where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place > p_place
    and (s.parent_place is null or exists (
      select from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.place = s.parent_place
    ))
  order by s.place limit 1
$$;

-- Submits a collected attempt, ends its links unless it is a test, and charges it if it was not charged when it was
-- collected.
create function app.submit_collected(r public.interview_result) returns void language plpgsql
as $$
begin
  update public.interview_result u set
    status = 'active', processing_status = 'queued', is_successful = true, submitted_at = now(),
    link_generation = (
      select e.link_generation from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    )
    where u.id = r.id;
  if not r.is_test then
    update public.enrolment e set link_generation = e.link_generation + 1
      where e.merchant_id = r.merchant_id and e.id = r.enrolment_id;
  end if;
  perform app.charge_result(r.id);
end
$$;

-- Ends an attempt in progress. If the attempt is collected and the `result_view` of its interview is none, a second
-- update submits it, so that both webhook events are sent. `duration` is set with the status, because the charge
-- depends on the duration.
create function app.end_attempt(r public.interview_result, p_status text, p_reason text, p_ended_at timestamptz)
returns void language plpgsql
as $$
declare
  ended public.interview_result;
begin
  update public.interview_result u set
    interview_status = p_status, ai_completion_reason = p_reason, ended_at = p_ended_at,
    duration = greatest(0, round(extract(epoch from p_ended_at - u.started_at) * 10)),
    ai_interview_coverage_percentage = (
      select round(100.0 * count(q.answered_at) / nullif(count(*), 0)) from public.attempt_step s
      left join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
        and q.attempt = s.attempt and q.place = s.place and q.kind = s.kind
      where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind = 'question'
    )
    where u.id = r.id returning * into ended;
  if p_status in ('completed', 'completed, stopped early') and 'none' = (
    select i.result_view from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
  ) then
    perform app.submit_collected(ended);
  else
    perform app.charge_result(r.id);
  end if;
end
$$;

-- Asks the next step of the plan after `p_place`. Ends the attempt if no step is left or if the next step is the
-- thank-you, which needs no answer. The attempt is then completed, unless the candidate recorded only silence.
create function app.go_on(r public.interview_result, p_after uuid, p_place integer) returns void language plpgsql
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

-- Ends an attempt because its time is over, or because its candidate has ended or left it.
create function app.close_attempt(r public.interview_result, p_reason text, p_ended_at timestamptz) returns void
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

-- Returns what the candidate sees after scoring, as far as `result_view` allows.
create function app.shown_result(r public.interview_result, p_view text) returns jsonb language sql stable
as $$
  select jsonb_build_object('score', r.score, 'max_score', app.max_score(i.result_scoring))
    || case when p_view <> 'minimal_with_score' then jsonb_build_object(
      'score_text', r.score_text, 'ai_analysis', r.ai_analysis, 'takeaways', r.ai_analysis_other -> 'takeaways',
      'questions', (
        select jsonb_agg(jsonb_build_object('turn_id', q.id, 'question', q.question_asked, 'ai_analysis', q.ai_analysis)
          || case when p_view like 'full%' then jsonb_build_object(
            'score', q.score_answer_ai, 'rubric', s.rubric, 'evidence', q.answer_assessment_raw_data
          ) else '{}' end order by q.step_order)
        from public.result_question q left join public.attempt_step s on s.merchant_id = q.merchant_id
          and s.result_id = q.result_id and s.attempt = q.attempt and s.place = q.place
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      )
    ) else '{}' end
  from public.interview i
  where i.merchant_id = r.merchant_id and i.id = r.interview_id and r.status = 'active' and r.processing_status = 'completed'
    and p_view not in ('none', 'minimal')
$$;

-- Returns an attempt as its candidate sees it, or null before it begins. Conditional questions and follow-ups have the
-- number of their main question.
create function app.show_attempt(r public.interview_result) returns jsonb language sql stable
as $$
  select jsonb_build_object(
    'result_id', r.id, 'attempt', r.attempt, 'state', state.name,
    'closed_reason', case when state.name = 'closed' then r.interview_status end,
    'platform_language_code', coalesce(r.consent_language, i.platform_language_code),
    'deadline_at', app.iso_time(r.deadline_at),
    'remaining_ms', case when state.name = 'running'
      then greatest(0, floor(extract(epoch from r.deadline_at - clock_timestamp()) * 1000)) else 0 end,
    'steps', jsonb_build_object('done', steps.done, 'total', steps.total),
    'turn', case when state.name = 'running' and q.answered_at is null
      or state.name in ('collected', 'submitted') and q.kind = 'thank_you' then jsonb_build_object(
      'turn_id', q.id, 'kind', q.kind, 'text', q.question_asked, 'choices', q.choices,
      'has_speech', q.question_asked <> '' and template.type like 'interactive%',
      'answer', jsonb_build_object(
        'mode', q.mode, 'required', q.is_required, 'max_seconds', case when q.mode in ('voice', 'video') then q.max_seconds end
      ),
      'number', steps.number, 'of', steps.questions
    ) end,
    'waiting_ms', case when state.name = 'running' and q.answered_at is not null then 1000 end,
    'transcript', case when state.name in ('collected', 'submitted') and i.result_view <> 'none' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'turn_id', t.id, 'question', t.question_asked, 'answer', t.answer, 'answer_original', t.answer_original,
        'editable', state.name = 'collected' and i.result_enable_edit_transcript and t.answer is not null
          and t.answer_kind in ('text', 'recording') and clock_timestamp() <= app.review_ends_at(r)
      ) order by t.step_order), '[]')
      from public.result_question t
      where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.is_answer
    ) end,
    'result_view', i.result_view,
    'result', app.shown_result(r, i.result_view)
  )
  from public.interview i
  join public.interview_template template on template.id = i.interview_template_id
  cross join lateral (
    select case when r.status = 'active' then 'submitted' when r.interview_status = 'started' then 'running'
      when r.interview_status in ('completed', 'completed, stopped early') then 'collected' else 'closed' end as name
  ) state
  left join lateral (
    select * from public.result_question t
    where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.kind is not null
    order by t.step_order desc limit 1
  ) q on true
  cross join lateral (
    select count(*) as total, count(*) filter (where s.kind in ('question', 'candidate_asks')) as questions,
      count(*) filter (where s.place < q.place or s.place = q.place and q.answered_at is not null) as done,
      count(*) filter (where s.place <= q.place and s.kind in ('question', 'candidate_asks')) as number
    from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind <> 'thank_you'
  ) steps
  where i.merchant_id = r.merchant_id and i.id = r.interview_id and r.interview_status is not null
$$;

-- Rereads a result after this transaction has changed it, and returns its attempt.
create function app.show_result(p_result_id uuid) returns jsonb language plpgsql
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r where r.id = p_result_id;
  return app.show_attempt(result);
end
$$;

-- Returns the attempt of the link, and the answered turn whose next turn has not been decided yet.
create function app.attempt_view(out attempt jsonb, out undecided_turn uuid, out is_ended boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
begin
  is_ended := app.link_rights(r) = 'none';
  if r.id is null or is_ended then
    return;
  end if;
  attempt := app.show_attempt(r);
  if attempt ->> 'state' = 'running' and attempt -> 'turn' = 'null' then
    select q.id into undecided_turn from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
      order by q.step_order desc limit 1;
  end if;
end
$$;

-- Moves the current attempt to the history and prepares the next one. Keeps the shortlist.
create function app.archive_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  insert into public.interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
    values (r.merchant_id, r.environment, r.id, r.attempt, to_jsonb(r));
  -- An unpaid attempt must stay in the count `without_credits` after it was reopened. This row offsets the -1 that the
  -- counting trigger adds when the update below clears `charge`.
  if r.charge = 'unpaid' and not r.is_test then
    insert into public.account_count (merchant_id, environment, metric, scope_id, value) values (
      r.merchant_id, r.environment, 'without_credits', coalesce((
        select e.scope_id from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      ), r.interview_id), 1
    );
  end if;
  update public.interview_result u set
    attempt = u.attempt + 1, status = 'draft', interview_status = null, processing_status = null,
    recruiter_go_next_round = null, charge = null, duration = null, started_at = null, ended_at = null,
    submitted_at = null, score = null, score_simulation = null, score_text = null, score_sentiment = null,
    score_words_per_minute = null, score_pronunciation = null, score_answer = null,
    ai_interview_coverage_percentage = null, ai_completion_reason = null, ai_analysis = null,
    ai_analysis_recruiter = null, ai_analysis_recruiter_score = null, ai_analysis_other = null,
    user_feedback_recruiter = null, recruiter_risks = null, recording_local_path = null, recording_is_video = null,
    video_introduction_local_path = null, pdf_export_url = null, pdf_failed_at = null, is_successful = false,
    consent_version = null, consent_language = null, consented_at = null, deadline_at = null, last_active_at = null,
    link_generation = null
    where u.id = r.id;
end
$$;

-- Redefines the function of 0008: reopening a result allows the candidate one attempt more than the interview allows.
set local role app_definer;
create or replace function app.reopen_result(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r
    where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
      and r.status = 'active' and r.processing_status = 'completed'
      and r.interview_status in ('completed', 'completed, stopped early')
    for update;
  if not found then
    return false;
  end if;
  perform app.archive_attempt(result);
  update public.interview_result r set extra_attempts = r.extra_attempts + 1 where r.id = result.id;
  update public.enrolment e set link_generation = e.link_generation + 1
    where e.merchant_id = result.merchant_id and e.id = result.enrolment_id;
  return true;
end
$$;
set local role app_owner;

-- Returns `begun` if a candidate may begin another attempt after this one. A submitted attempt can be followed by
-- another one only in tests and in practice (coaching, persona). In practice the candidate first waits for the scoring,
-- for at most 15 minutes.
create function app.next_attempt(r public.interview_result) returns text language sql stable
as $$
  select case
    when r.status = 'active' and not r.is_test and not is_practice then 'submitted'
    when r.status = 'active' and not r.is_test and r.processing_status in ('queued', 'processing')
      and r.submitted_at > now() - interval '15 minutes' then 'submitted'
    when r.is_test or r.attempt < coalesce(
      (i.result_scoring ->> 'max_retries')::integer, case when is_practice then r.attempt + 1 else 1 end
    ) + r.extra_attempts then 'begun'
    when r.status = 'active' then 'submitted' else 'none_left' end
  from public.interview i cross join lateral (select i.type in ('coaching', 'persona') as is_practice) kind
  where i.merchant_id = r.merchant_id and i.id = r.interview_id
$$;

-- Lets a candidate begin one more attempt with the same link, if the last attempt ended without a result (it failed,
-- was abandoned or was terminated) and no attempt is left. Otherwise returns false.
create function app.grant_attempt(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.merchant_id = app.merchant_id() and u.environment = app.environment()
      and app.caller_role() <> 'merchant_selection' and u.status = 'draft' and u.enrolment_id is not null
      and u.interview_status in ('failed', 'abandoned', 'terminated, no speech detected')
    for update;
  if not found or app.next_attempt(r) <> 'none_left' then
    return false;
  end if;
  update public.interview_result u set extra_attempts = u.attempt + 1 - coalesce((
      select (i.result_scoring ->> 'max_retries')::integer from public.interview i
      where i.merchant_id = u.merchant_id and i.id = u.interview_id
    ), 1)
    where u.id = r.id;
  return true;
end
$$;

-- Begins the candidate's next attempt, or returns the one that is running. `attempt` is null if there is none.
create function app.begin_attempt(p_consent_version text, p_language text, out outcome text, out attempt jsonb)
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

-- Stores the answer of a turn once. Asks the next planned turn in the same transaction, unless a model decides what to
-- ask.
create function app.answer_turn(
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
  -- No further turn is asked after the deadline.
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

-- Replaces the text of an answer during the attempt and its review, until the submit. The original text is kept.
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

-- Ends an attempt early for its candidate, if it has an answer. Also ends an attempt whose time is over.
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
      -- When the time is over, the page asks to end the attempt even while the last recording is being uploaded. The
      -- attempt then stays open for the upload.
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

-- Submits a collected attempt. Repeating the call with a link of the same attempt changes nothing.
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

-- For the worker: closes attempts whose time is over or whose candidate has done nothing for an hour, and returns how
-- many it closed. Skips attempts that another transaction has locked. Attempts are closed in the order of their
-- merchants, so that two workers lock credit accounts in the same order and do not deadlock.
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

grant execute on function app.available_until(text), app.iso_time(timestamptz),
  app.review_ends_at(public.interview_result), app.is_over(public.interview_result),
  app.has_answers(public.interview_result), app.ask_step(public.interview_result, uuid, integer, text, text, text),
  app.next_step(public.interview_result, integer), app.submit_collected(public.interview_result),
  app.end_attempt(public.interview_result, text, text, timestamptz), app.go_on(public.interview_result, uuid, integer),
  app.close_attempt(public.interview_result, text, timestamptz), app.shown_result(public.interview_result, text),
  app.show_attempt(public.interview_result), app.show_result(uuid), app.archive_attempt(public.interview_result),
  app.next_attempt(public.interview_result)
  to app_definer;
grant execute on function app.attempt_view(), app.begin_attempt(text, text),
  app.answer_turn(uuid, text, text, uuid, integer), app.edit_answer(uuid, text), app.finish_attempt(),
  app.submit_attempt() to app_link;
grant execute on function app.grant_attempt(uuid) to app_user;
grant execute on function app.fail_attempt(uuid, integer, text, text), app.close_due_attempts(integer) to app_worker;
alter function app.attempt_view() owner to app_definer;
alter function app.grant_attempt(uuid) owner to app_definer;
alter function app.begin_attempt(text, text) owner to app_definer;
alter function app.answer_turn(uuid, text, text, uuid, integer) owner to app_definer;
alter function app.edit_answer(uuid, text) owner to app_definer;
alter function app.finish_attempt() owner to app_definer;
alter function app.submit_attempt() owner to app_definer;
alter function app.fail_attempt(uuid, integer, text, text) owner to app_definer;
alter function app.close_due_attempts(integer) owner to app_definer;
