-- Taking an interview (docs/taking.md): what is stored of an attempt, what a candidate's link can read and change, and
-- the plan that an attempt follows.

alter table interview_result
  add column consent_version text,
  add column consent_language text,
  add column consented_at timestamptz,
  add column deadline_at timestamptz,
  add column last_active_at timestamptz,
  -- The generation of the link that began the attempt. That link can read the attempt after the submit.
  add column link_generation integer,
  -- Attempts that recruiters have granted in addition to those that the interview allows.
  add column extra_attempts integer not null default 0;
create index interview_result__deadline_at on interview_result (deadline_at) where interview_status = 'started';
create index interview_result__last_active_at on interview_result (last_active_at) where interview_status = 'started';

alter table enrolment
  add column time_factor numeric(3, 2) not null default 1 check (time_factor in (1, 1.25, 1.5, 2)),
  -- Links of earlier generations can no longer read anything, because they were sent to a former address of the
  -- enrolment.
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

-- The steps of an attempt, written when it begins. Later changes of the interview do not change them.
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

-- A row with a `kind` is a turn. It is inserted when the turn is asked, and answered once. Rows without a `kind` were
-- written by earlier releases.
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
-- A turn has at most one next turn. If both a late decision of the model and the fallback (the next planned turn) add
-- one, only the first is stored.
create unique index result_question__merchant_id_result_id_attempt_after_turn
  on result_question (merchant_id, result_id, attempt, after_turn) nulls not distinct where kind is not null;

-- The definer functions of attempts read and write these tables.
create policy interview_result_definer_insert on interview_result for insert to app_definer with check (true);
create policy result_question_definer_select on result_question for select to app_definer using (true);
create policy result_question_definer_insert on result_question for insert to app_definer with check (true);
create policy result_question_definer_update on result_question for update to app_definer using (true);
create policy question_definer_select on question for select to app_definer using (true);
create policy interview_question_definer_select on interview_question for select to app_definer using (true);
grant insert,
  update (consent_version, consent_language, consented_at, deadline_at, last_active_at, link_generation, extra_attempts)
  on interview_result to app_definer;
grant select, insert, update (answer, answer_original, answer_kind, answered_at, duration, is_typed, recording_id,
  transcript_status, recording_local_path, recording_is_video) on result_question to app_definer;
grant select on question, interview_question to app_definer;
grant select (interview_available_till, result_view, result_enable_edit_transcript, max_followups,
  questions_random_subset, candidate_video_introduction) on interview to app_definer;
grant select (time_factor, readable_from) on enrolment to app_definer;
grant select (interview_available_till) on position to app_definer;

-- Links and the worker lose their rights on these tables, because from now on they change attempts only by calling
-- definer functions.
drop policy interview_result_link_select on interview_result;
drop policy interview_result_link_insert on interview_result;
drop policy interview_result_link_update on interview_result;
drop policy result_question_link_select on result_question;
drop policy result_question_link_insert on result_question;
revoke select (id, merchant_id, interview_id, enrolment_id, attempt, is_test, status, interview_status, processing_status,
    started_at),
  insert (interview_id, enrolment_id, is_test, interview_status, started_at),
  update (interview_status, started_at, ended_at, duration, ai_completion_reason, ai_interview_coverage_percentage)
  on interview_result from app_link;
revoke select (id, merchant_id, result_id, attempt, step_order),
  insert (id, result_id, attempt, step_order, is_answer, view, question_original_id, question_original, question_asked,
    answer, duration, platform_language_code, recording_local_path, recording_is_video)
  on result_question from app_link;
revoke execute on function app.text_list(jsonb) from app_link;
revoke update (interview_status, ended_at, ai_interview_coverage_percentage, ai_completion_reason)
  on interview_result from app_worker;

-- Transactions for a link now name the interview and the generation of the link in addition to the enrolment. The
-- functions without these parameters are dropped.
revoke execute on function app.begin_link(uuid, text) from app_api_login;
drop function app.begin_link(uuid, text);
set local role app_definer;
drop function app.find_link_scope(uuid);
drop function app.submit_result(uuid, integer);
drop function app.charge_ended_result(uuid);
set local role app_owner;

-- Returns the scope of a link, or no row if the link is invalid. If the generation of a link is higher than that of the
-- enrolment, the link was never signed, so it is invalid.
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

-- Sets the scope of a transaction for a link, as its first statement. Raises PA401 for an enrolment or interview that
-- does not exist.
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

-- Returns `write` for a link of the current generation, `read` for the link of a submitted attempt, and otherwise `none`.
create function app.link_rights(r public.interview_result) returns text language sql stable
as $$
  select case
    when e.link_generation = app.link_generation() then 'write'
    when r.status = 'active' and r.link_generation = app.link_generation() and e.readable_from <= app.link_generation()
      then 'read'
    else 'none' end
  from public.enrolment e where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;

-- Returns the candidate's result for the interview of this transaction's link. All columns are null if the candidate
-- has not begun.
create function app.link_result() returns public.interview_result language sql stable
as $$
  select r from public.interview_result r
  where r.merchant_id = app.merchant_id() and r.enrolment_id = app.enrolment_id()
    and r.interview_id = app.link_interview_id() and r.is_test = app.link_is_test()
$$;

-- Returns the same row as app.link_result and locks it, so that two calls of a link run one after the other. Functions
-- that lock a turn lock its result first.
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
    -- Sorting by the hash draws random questions, but always the same ones for the same attempt.
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
    -- An attempt has at most 60 turns. Up to four of them are not questions: welcome, instructional video, introduction
    -- and thank-you.
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

grant execute on function app.link_interview_id(), app.link_generation(), app.link_is_test(),
  app.link_rights(public.interview_result), app.link_result(), app.lock_link_result(),
  app.plan_attempt(public.interview_result)
  to app_definer;
