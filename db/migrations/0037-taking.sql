-- Taking an interview (docs/taking.md): the frozen plan of an attempt, its turns, and the functions that candidates'
-- links call. Each function locks the result first and the turn second.

alter table interview_result
  add column consent_version text,
  add column consent_language text,
  add column consented_at timestamptz,
  add column deadline_at timestamptz,
  add column last_active_at timestamptz,
  -- The generation of the link that began the attempt. That link can read the attempt after the submit.
  add column link_generation integer,
  -- Attempts that recruiters have granted in addition to those of the interview.
  add column extra_attempts integer not null default 0;
create index interview_result__deadline_at on interview_result (deadline_at) where interview_status = 'started';
create index interview_result__last_active_at on interview_result (last_active_at) where interview_status = 'started';

alter table enrolment
  add column time_factor numeric(3, 2) not null default 1 check (time_factor in (1, 1.25, 1.5, 2)),
  -- Links of earlier generations can no longer read anything, because the enrolment now belongs to another address.
  add column readable_from integer not null default 1;

create function app.end_links_of_address() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.readable_from := new.link_generation;
  return new;
end
$$;
create trigger enrolment_address_changed before update of email_key on enrolment
  for each row when (old.email_key is distinct from new.email_key) execute function app.end_links_of_address();

-- The steps of an attempt, written when it begins. Changes of the interview do not reach them.
create table attempt_step (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  place integer not null,
  kind text not null check (
    kind in ('welcome', 'instructional_video', 'introduction', 'question', 'conditional', 'candidate_asks', 'thank_you')
  ),
  parent_place integer, -- of a conditional question
  question_id uuid,
  view text not null,
  text text not null, -- empty for an introduction: its page has the words
  platform_language_code text not null,
  choices text[],
  mode text not null check (mode in ('none', 'text', 'choice', 'voice', 'video')),
  is_required boolean not null,
  is_scored boolean not null,
  max_seconds integer,
  max_followups integer not null,
  rubric jsonb,
  knowledge_base_id uuid,
  external_id text,
  external_data jsonb,
  primary key (merchant_id, result_id, attempt, place),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
alter table attempt_step enable row level security, force row level security;
create policy attempt_step_worker_select on attempt_step for select to app_worker using (true);
grant select on attempt_step to app_worker;
create policy attempt_step_definer_select on attempt_step for select to app_definer using (true);
create policy attempt_step_definer_insert on attempt_step for insert to app_definer with check (true);
grant select, insert on attempt_step to app_definer;

-- A row with a `kind` is a turn: inserted when it is asked, answered once. Other rows are of earlier releases.
alter table result_question
  add column kind text check (
    kind in ('welcome', 'instructional_video', 'introduction', 'question', 'conditional', 'follow_up', 'candidate_asks',
      'thank_you')
  ),
  add column place integer, -- the step of the plan
  add column after_turn uuid,
  add column choices text[],
  add column mode text check (mode in ('none', 'text', 'choice', 'voice', 'video')),
  add column is_required boolean,
  add column max_seconds integer,
  add column asked_at timestamptz,
  add column answered_at timestamptz,
  add column answer_kind text check (answer_kind in ('text', 'choice', 'recording', 'seen')),
  add column answer_original text, -- what the candidate said before editing `answer`
  add column is_typed boolean not null default false, -- typed although the question was to be answered by voice or video
  add column recording_id uuid,
  add column transcript_status text check (transcript_status in ('pending', 'done', 'failed'));
-- One turn follows another one, so a late decision and the fallback cannot both ask.
create unique index result_question__merchant_id_result_id_attempt_after_turn
  on result_question (merchant_id, result_id, attempt, after_turn) nulls not distinct where kind is not null;

-- Rights of the functions below.
create policy interview_result_definer_insert on interview_result for insert to app_definer with check (true);
create policy result_question_definer_select on result_question for select to app_definer using (true);
create policy result_question_definer_insert on result_question for insert to app_definer with check (true);
create policy result_question_definer_update on result_question for update to app_definer using (true);
create policy question_definer_select on question for select to app_definer using (true);
create policy interview_question_definer_select on interview_question for select to app_definer using (true);
grant select, insert on result_question to app_definer;
grant update (answer, answer_original, answer_kind, answered_at, duration, is_typed, recording_id, transcript_status,
  recording_local_path, recording_is_video) on result_question to app_definer;
grant select on question, interview_question to app_definer;
grant insert on interview_result to app_definer;
grant update (consent_version, consent_language, consented_at, deadline_at, last_active_at, link_generation, extra_attempts)
  on interview_result to app_definer;
grant select (interview_available_till, result_view, result_enable_edit_transcript, max_followups,
  questions_random_subset, candidate_video_introduction) on interview to app_definer;
grant select (time_factor, readable_from) on enrolment to app_definer;
grant select (interview_available_till) on position to app_definer;

-- The scope of a candidate's link. A later generation than the enrolment's was never signed.
revoke execute on function app.begin_link(uuid, text) from app_api_login;
drop function app.begin_link(uuid, text);
set local role app_definer;
drop function app.find_link_scope(uuid);
set local role app_owner;
create function app.find_link_scope(p_enrolment_id uuid, p_interview_id uuid, p_generation integer)
returns table (merchant_id uuid, environment text)
language sql stable security definer set search_path = ''
as $$
  select e.merchant_id, e.environment from public.enrolment e
  where e.id = p_enrolment_id and e.link_generation >= p_generation
    and (e.interview_id = p_interview_id or exists (
      select from public.interview_result r
      where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = p_interview_id
    ))
$$;
grant execute on function app.find_link_scope(uuid, uuid, integer) to app_api_login;
alter function app.find_link_scope(uuid, uuid, integer) owner to app_definer;

-- The first statement of a transaction for a link. Raises PA401 for an enrolment or interview that does not exist.
create function app.begin_link(
  p_enrolment_id uuid, p_interview_id uuid, p_generation integer, p_is_test boolean, p_statement_timeout text
) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_link_scope(p_enrolment_id, p_interview_id, p_generation);
  if not found then
    raise exception 'the link names no enrolment' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.merchant_id', scope.merchant_id::text, true),
    pg_catalog.set_config('app.profile_id', '', true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('app.enrolment_id', p_enrolment_id::text, true),
    pg_catalog.set_config('app.link_interview_id', p_interview_id::text, true),
    pg_catalog.set_config('app.link_generation', p_generation::text, true),
    pg_catalog.set_config('app.link_is_test', p_is_test::text, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', 'app_link', true);
end
$$;
grant execute on function app.begin_link(uuid, uuid, integer, boolean, text) to app_api_login;

create function app.link_interview_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_interview_id', true), '')::uuid $$;
create function app.link_generation() returns integer language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_generation', true), '')::integer $$;
create function app.link_is_test() returns boolean language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_is_test', true), '')::boolean $$;
revoke execute on function app.link_interview_id(), app.link_generation(), app.link_is_test() from public;
grant execute on function app.link_interview_id(), app.link_generation(), app.link_is_test() to app_definer;

-- A link writes while it is of the current generation. After the submit it only reads.
create function app.link_rights(r public.interview_result) returns text language sql stable
as $$
  select case
    when e.link_generation = app.link_generation() then 'write'
    when r.status = 'active' and r.link_generation = app.link_generation() and e.readable_from <= app.link_generation()
      then 'read'
    else 'none' end
  from public.enrolment e where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
-- The end of a stored `interview_available_till`. A date includes its whole day, in UTC.
create function app.available_until(p_till text) returns timestamptz language sql stable
as $$
  select case when length(p_till) = 10 then (p_till::date + 1)::timestamp at time zone 'UTC' else p_till::timestamptz end
$$;
create function app.iso_time(p_at timestamptz) returns text language sql stable
as $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
-- Review ends with the deadline or 30 minutes after the last answer, whichever is later.
create function app.review_ends_at(r public.interview_result) returns timestamptz language sql stable
as $$ select greatest(r.deadline_at, r.last_active_at + interval '30 minutes') $$;

-- Writes the plan of an attempt that begins.
create function app.plan_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  insert into public.attempt_step (merchant_id, environment, result_id, attempt, place, kind, parent_place, question_id, view,
    text, platform_language_code, choices, mode, is_required, is_scored, max_seconds, max_followups, rubric,
    knowledge_base_id, external_id, external_data)
  with recursive definition as (
    select i.platform_language_code, i.recording, i.candidate_video_introduction, i.questions_random_subset,
      t.type like 'interactive%' as is_interactive,
      least(3, coalesce(i.max_followups, case when t.type like 'interactive%' then 1 else 0 end)) as max_followups
    from public.interview i join public.interview_template t on t.id = i.interview_template_id
    where i.merchant_id = r.merchant_id and i.id = r.interview_id
  ), linked as (
    select q.*, l.step_order, q.is_conditional and exists (
        select from public.interview_question p where p.merchant_id = l.merchant_id and p.interview_id = l.interview_id
          and p.question_id = q.conditional_question_main_id
      ) as has_parent
    from public.interview_question l join public.question q on q.merchant_id = l.merchant_id and q.id = l.question_id
    where l.merchant_id = r.merchant_id and l.interview_id = r.interview_id
  ), tree as (
    select q.id, q.id as root_id, array[q.step_order] as path from linked q where q.view = 'question' and not q.has_parent
    union all
    select q.id, t.root_id, t.path || q.step_order from tree t join linked q on q.has_parent and q.conditional_question_main_id = t.id
  ), scored as (
    -- The hash is a draw that repeats for the same attempt.
    select q.id, row_number() over (order by md5(r.id::text || r.attempt || q.id)) as draw,
      greatest(1, round(count(*) over () * coalesce(d.questions_random_subset, 1)::numeric)) as kept
    from linked q cross join definition d
    where q.view = 'question' and not q.has_parent and not q.is_without_scoring and not q.is_candidate_asking_recruiter
  ), chosen as (
    select t.id, t.path, row_number() over (order by t.path) as number
    from tree t left join scored s on s.id = t.root_id where s.id is null or s.draw <= s.kept
  ), step as (
    select case q.view when 'welcome' then 0 when 'instructional_video' then 1 when 'thank_you' then 4 else 3 end as part,
      c.path, coalesce(c.number, 0) as number, q.id, q.step_order,
      case when q.view <> 'question' then q.view when q.is_candidate_asking_recruiter then 'candidate_asks'
        when q.has_parent then 'conditional' else 'question' end as kind
    from linked q left join chosen c on c.id = q.id
    -- An attempt has at most 60 turns. Four of them can be others than questions.
    where q.view <> 'question' or c.number <= 56
    union all
    select 2, null, 0, null, 0, 'introduction' from definition d where d.candidate_video_introduction <> 'hidden'
  ), placed as (
    select s.*, row_number() over (order by s.part, s.path, s.step_order) as place from step s
  )
  select r.merchant_id, r.environment, r.id, r.attempt, p.place, p.kind,
    (select up.place from placed up where p.kind = 'conditional' and up.id = q.conditional_question_main_id), p.id,
    case when p.kind = 'welcome' then 'welcome' when p.kind = 'thank_you' then 'thank you'
      when p.kind = 'instructional_video' then 'instructional video'
      when p.kind = 'candidate_asks' then 'candidate asking recruiter'
      when q.is_multiple_choice then 'multiple choice'
      when coalesce(q.is_without_scoring, true) then 'without scoring'
      when p.kind = 'conditional' then 'with listening conditional'
      when q.is_expert then 'with listening expert' else 'with listening' end,
    coalesce(q.question, ''), coalesce(q.platform_language_code, d.platform_language_code),
    case when q.is_multiple_choice then q.question_alternatives end,
    case when p.kind in ('welcome', 'thank_you', 'instructional_video') then 'none'
      when p.kind = 'introduction' then 'video'
      when p.kind <> 'candidate_asks' and q.is_multiple_choice and cardinality(q.question_alternatives) > 0 then 'choice'
      when p.kind <> 'candidate_asks' and (d.recording = 'video_all' or d.recording = 'video_first_5_answers' and p.number <= 5)
        then 'video'
      when d.is_interactive or d.recording = 'audio_all' or d.recording = 'audio_first_5_answers' and p.number <= 5 then 'voice'
      else 'text' end,
    p.kind in ('question', 'conditional') or p.kind = 'introduction' and d.candidate_video_introduction = 'required',
    p.kind in ('question', 'conditional') and not q.is_without_scoring,
    case when p.kind = 'introduction' then 60 when q.view = 'question' then q.duration end,
    case when p.kind = 'question' and not q.is_multiple_choice and not q.is_without_scoring then d.max_followups else 0 end,
    q.candidate_expectations_json, q.knowledge_base_id, q.external_id, q.external_data
  from placed p cross join definition d left join linked q on q.id = p.id;
end
$$;

-- Asks a step of the plan after a turn, null for the first one. Does nothing if that turn has a successor already.
-- `p_text` replaces the text of the step, for a reply to a candidate's question.
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

-- Returns the step after a place. Skips conditional questions whose parent was not asked.
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

-- Submits a collected attempt, ends its links unless it is a test, and charges it if collecting it did not.
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

-- Ends an attempt in progress. A collected one of an interview with `result_view` none is submitted by a second update,
-- so that both events are sent. `duration` is set with the status, because the charge depends on it.
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

-- Asks the planned turn after `p_place`. The last one is the thank-you, which nobody answers: it ends the attempt.
create function app.go_on(r public.interview_result, p_after uuid, p_place integer) returns void language plpgsql
as $$
declare
  following public.attempt_step := app.next_step(r, p_place);
begin
  if following.place is not null then
    perform app.ask_step(r, p_after, following.place);
  end if;
  if following.place is null or following.kind = 'thank_you' then
    perform app.end_attempt(r, 'completed', 'All questions were answered.', now());
  end if;
end
$$;

-- Ends an attempt whose time is over or whose candidate has left.
create function app.close_attempt(r public.interview_result, p_reason text, p_ended_at timestamptz) returns void
language plpgsql
as $$
declare
  facts record;
begin
  select
    bool_or(q.answer_kind in ('text', 'choice', 'recording')) as any_answer,
    bool_and(s.kind <> 'question' or q.answered_at is not null) as all_answered,
    bool_or(s.kind in ('question', 'conditional') and s.mode not in ('voice', 'video')) as any_typed
    into facts from public.attempt_step s
    left join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
      and q.attempt = s.attempt and q.place = s.place and q.is_answer
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt;
  perform app.end_attempt(r, case
    when facts.any_answer and facts.all_answered then 'completed'
    when facts.any_answer then 'completed, stopped early'
    when facts.any_typed then 'abandoned'
    else 'terminated, no speech detected' end, p_reason, p_ended_at);
end
$$;

-- What the candidate sees after scoring, as far as `result_view` allows.
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

-- An attempt as its candidate sees it. Null before it begins. Conditional questions and follow-ups have the number of
-- their main question.
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
    'turn', case when state.name = 'running' and q.answered_at is null or q.kind = 'thank_you' then jsonb_build_object(
      'turn_id', q.id, 'kind', q.kind, 'text', q.question_asked, 'choices', q.choices, 'has_speech', false,
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

-- The result that the link of this transaction takes. All null if it has not begun one.
create function app.link_result() returns public.interview_result language sql stable
as $$
  select r from public.interview_result r
  where r.merchant_id = app.merchant_id() and r.enrolment_id = app.enrolment_id()
    and r.interview_id = app.link_interview_id() and r.is_test = app.link_is_test()
$$;
-- Does the same and locks it. Waits for other calls of this link, which are then finished.
create function app.lock_link_result() returns public.interview_result language plpgsql
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r
    where r.merchant_id = app.merchant_id() and r.enrolment_id = app.enrolment_id()
      and r.interview_id = app.link_interview_id() and r.is_test = app.link_is_test()
    for update;
  return result;
end
$$;
-- Reads a row again after a change of it in this transaction.
create function app.show_result(p_result_id uuid) returns jsonb language plpgsql
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r where r.id = p_result_id;
  return app.show_attempt(result);
end
$$;

-- Returns the attempt of the link, and the answered turn for which no next turn was decided yet.
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
  -- An unpaid attempt stays in `without_credits`: this row offsets the -1 that the update below causes.
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
-- `app.archive_attempt` replaces what this function did itself. A reopened attempt is one more than the interview's.
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

-- Whether a candidate may begin another attempt after this one. A submitted one is followed by another only in a test
-- and in practice (coaching, persona), where scoring comes first, for at most 15 minutes.
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

-- Begins the attempt that is due, or returns the one that runs: one row, `attempt` null if there is none.
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
  if r.interview_status = 'started' and now() > r.deadline_at + interval '30 seconds' then
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    r := app.lock_link_result();
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

-- Whether a model decides what follows an answered turn: a follow-up, a conditional question or a reply. An answer that
-- was recorded is transcribed first.
create function app.needs_decision(r public.interview_result, t public.result_question) returns boolean
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
    count(*) filter (where q.place = t.place) as at_step,
    count(*) + (
      select count(*) from public.attempt_step s where s.merchant_id = r.merchant_id and s.result_id = r.id
        and s.attempt = r.attempt and s.place > t.place
    ) as turns
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  return coalesce(following.kind = 'conditional', false)
    or t.answer_kind = 'recording' and step.kind <> 'introduction'
    or t.answer_kind <> 'seen' and step.kind = 'candidate_asks' and asked.at_step <= 3 and asked.turns < 60
    or t.answer_kind <> 'seen' and asked.followups < step.max_followups and asked.turns < 60
      and now() < r.deadline_at - interval '60 seconds';
end
$$;

-- Stores the answer of a turn once and asks the next planned turn in the same transaction.
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
  -- A recording that began before the deadline may take 10 more minutes.
  if now() > r.deadline_at + (case when p_kind = 'recording' then interval '10 minutes' else interval '30 seconds' end) then
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
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
  needs_decision := app.needs_decision(r, t);
  if not needs_decision then
    perform app.go_on(r, t.id, t.place);
  end if;
  outcome := 'stored';
  attempt := app.show_result(r.id);
end
$$;

grant execute on function app.link_rights(public.interview_result), app.available_until(text), app.iso_time(timestamptz),
  app.review_ends_at(public.interview_result), app.plan_attempt(public.interview_result),
  app.ask_step(public.interview_result, uuid, integer, text, text, text),
  app.next_step(public.interview_result, integer), app.submit_collected(public.interview_result),
  app.end_attempt(public.interview_result, text, text, timestamptz), app.go_on(public.interview_result, uuid, integer),
  app.close_attempt(public.interview_result, text, timestamptz), app.shown_result(public.interview_result, text),
  app.show_attempt(public.interview_result), app.link_result(), app.lock_link_result(), app.show_result(uuid),
  app.archive_attempt(public.interview_result), app.next_attempt(public.interview_result),
  app.needs_decision(public.interview_result, public.result_question)
  to app_definer;
grant execute on function app.attempt_view(), app.begin_attempt(text, text),
  app.answer_turn(uuid, text, text, uuid, integer) to app_link;
alter function app.attempt_view() owner to app_definer;
alter function app.begin_attempt(text, text) owner to app_definer;
alter function app.answer_turn(uuid, text, text, uuid, integer) owner to app_definer;
