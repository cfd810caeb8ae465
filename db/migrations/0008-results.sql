-- Results of interviews: their fields, their attempts and transcripts (docs/results.md).

-- Returns the value if it is a list of texts, otherwise null.
create function app.text_list(p_value jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select case when jsonb_typeof(p_value) = 'array'
    and jsonb_path_query_array(p_value, 'strict $[*].type()', '{}', true) <@ '["string"]' then p_value end
$$;
-- Generated columns call the function with the rights of the role that writes the row, so every role that writes needs
-- the grant.
grant execute on function app.text_list(jsonb) to app_user, app_service, app_link, app_worker, app_definer;

-- These columns belong to the current attempt. `interview_result_attempt` has the values of earlier attempts.
alter table interview_result
  add column started_at timestamptz, -- this column and the next one are `start` and `end` in the API
  add column ended_at timestamptz,
  add column submitted_at timestamptz,
  add column score numeric,
  add column score_simulation numeric,
  add column score_text text,
  add column score_sentiment numeric,
  add column score_words_per_minute numeric,
  add column score_pronunciation numeric,
  add column score_answer numeric,
  add column ai_interview_coverage_percentage numeric,
  add column ai_completion_reason text,
  add column ai_analysis text,
  add column ai_analysis_recruiter text,
  add column ai_analysis_recruiter_score numeric,
  add column ai_analysis_other jsonb,
  -- Deprecated copies of lists in `ai_analysis_other`. The second path of each column has the names that were used
  -- before 2026-09-15.
  add column ai_analysis_recruiter_why_hire jsonb generated always as (
    coalesce(
      app.text_list(ai_analysis_other #> '{strengths_concerns,strengths}'),
      app.text_list(ai_analysis_other #> '{hiring_reasons,reasons_to_hire}')
    )
  ) stored,
  add column ai_analysis_recruiter_why_not_hire jsonb generated always as (
    coalesce(
      app.text_list(ai_analysis_other #> '{strengths_concerns,concerns}'),
      app.text_list(ai_analysis_other #> '{hiring_reasons,reasons_not_to_hire}')
    )
  ) stored,
  add column user_feedback_recruiter text,
  add column recruiter_risks jsonb,
  add column recruiter_shortlist boolean not null default false,
  add column recording_local_path text,
  add column recording_is_video boolean,
  add column video_introduction_local_path text,
  add column pdf_export_url text,
  add column pdf_failed_at timestamptz,
  add column is_successful boolean;
-- A candidate has one result per interview, with one or more attempts, and one test result.
create unique index interview_result__merchant_id_enrolment_id_interview_id_is_test
  on interview_result (merchant_id, enrolment_id, interview_id, is_test) where enrolment_id is not null;
drop index interview_result__merchant_id_enrolment_id;
-- This index has every column by which merchant-result-list filters, counts and sorts. An index for each sort order
-- would help little, because the list counts all matching rows for its total anyway, and every index slows down writes.
create index interview_result__merchant_id_environment_created_at_id
  on interview_result (merchant_id, environment, created_at, id)
  include (updated_at, score, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
    interview_id, enrolment_id);

-- The attempts before the current one. `fields` is a copy of the result's row, made when the result was reopened.
create table interview_result_attempt (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  fields jsonb not null,
  reopened_at timestamptz not null default now(),
  primary key (merchant_id, result_id, attempt),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);

-- The transcript: one row per interaction, which is an answer or something that was said or shown.
create table result_question (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  step_order integer not null,
  is_answer boolean not null,
  view text not null check (
    view in ('with listening', 'with listening conditional', 'with listening expert', 'without scoring',
      'candidate asking recruiter', 'multiple choice', 'welcome', 'thank you', 'instructional video')
  ),
  question_original_id uuid,
  question_original text,
  question_asked text,
  answer text,
  ai_analysis text,
  ai_analysis_recruiter text,
  score numeric,
  score_simulation numeric,
  score_answer_ai numeric,
  score_answer_ai_simulation numeric,
  duration integer, -- deciseconds
  platform_language_code text,
  answer_assessment_raw_data jsonb,
  recording_local_path text,
  recording_is_video boolean,
  external_data jsonb,
  external_id text,
  created_at timestamptz not null default now(),
  unique (merchant_id, result_id, attempt, step_order),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id),
  foreign key (merchant_id, question_original_id) references question (merchant_id, id)
);

alter table interview_result_attempt enable row level security, force row level security;
alter table result_question enable row level security, force row level security;

-- Returns the caller's role at the merchant of the request, or `service` for a service key. `begin_request` sets this
-- role since migration 0010.
create function app.caller_role() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.role', true), '') $$;
revoke execute on function app.caller_role() from public;
grant execute on function app.caller_role() to app_definer, app_user, app_service;

-- All callers can read results. All except hiring managers can update the columns that recruiters set.
create policy interview_result_caller_update on interview_result for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
grant update (recruiter_go_next_round, user_feedback_recruiter, recruiter_risks, recruiter_shortlist)
  on interview_result to app_user, app_service;
create policy interview_result_attempt_caller_select on interview_result_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy result_question_caller_select on result_question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select on interview_result_attempt, result_question to app_user, app_service;

-- A transaction for a candidate's link can start, answer and end attempts of the link's interview. It can change
-- nothing else of a result, and nothing of an attempt that has ended.
create policy interview_result_link_select on interview_result for select to app_link
  using (merchant_id = (select app.merchant_id()) and enrolment_id = (select app.enrolment_id()));
create policy interview_result_link_insert on interview_result for insert to app_link
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and enrolment_id = (select app.enrolment_id()) and interview_id in (select e.interview_id from enrolment e)
    and interview_status = 'started'
  );
create policy interview_result_link_update on interview_result for update to app_link
  using (
    merchant_id = (select app.merchant_id()) and enrolment_id = (select app.enrolment_id()) and status = 'draft'
    and (interview_status is null or interview_status = 'started')
  )
  with check (
    merchant_id = (select app.merchant_id()) and enrolment_id = (select app.enrolment_id()) and interview_status is not null
  );
grant select (id, merchant_id, interview_id, enrolment_id, attempt, is_test, status, interview_status, processing_status,
  started_at),
  insert (interview_id, enrolment_id, is_test, interview_status, started_at),
  update (interview_status, started_at, ended_at, duration, ai_completion_reason, ai_interview_coverage_percentage)
  on interview_result to app_link;
create policy result_question_link_select on result_question for select to app_link
  using (
    merchant_id = (select app.merchant_id()) and result_id in (select r.id from interview_result r)
  );
create policy result_question_link_insert on result_question for insert to app_link
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (result_id, attempt) in (
      select r.id, r.attempt from interview_result r where r.status = 'draft' and r.interview_status = 'started'
    )
    -- Readers of the result get signed URLs of these paths, so each must be a file of this attempt.
    and (recording_local_path is null
      or recording_local_path ^@ (merchant_id || '/' || environment || '/' || result_id || '/' || attempt || '/'))
  );
grant select (id, merchant_id, result_id, attempt, step_order),
  insert (id, result_id, attempt, step_order, is_answer, view, question_original_id, question_original, question_asked,
    answer, duration, platform_language_code, recording_local_path, recording_is_video)
  on result_question to app_link;
grant execute on function app.environment() to app_link;
-- If `result_view` is none, the last answer submits the interview, so transactions for links read this column.
grant select (result_view) on interview to app_link;

-- Rights of the worker, which records scores and PDFs and closes abandoned attempts.
create policy interview_result_worker_update on interview_result for update to app_worker using (true);
grant select on interview_result to app_worker;
grant update (interview_status, processing_status, ended_at, score, score_simulation, score_text, score_sentiment,
  score_words_per_minute, score_pronunciation, score_answer, ai_interview_coverage_percentage, ai_completion_reason,
  ai_analysis, ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other, pdf_export_url, pdf_failed_at)
  on interview_result to app_worker;
create policy result_question_worker_select on result_question for select to app_worker using (true);
create policy result_question_worker_update on result_question for update to app_worker using (true);
grant select on result_question to app_worker;
grant update (ai_analysis, ai_analysis_recruiter, score, score_simulation, score_answer_ai, score_answer_ai_simulation,
  answer_assessment_raw_data) on result_question to app_worker;

-- Charges an attempt that has ended. A transaction for a link can charge only its own result, the worker any result.
grant execute on function app.enrolment_id() to app_worker, app_user, app_service;
create function app.charge_ended_result(p_result_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.interview_result r
    where r.id = p_result_id
      and (r.enrolment_id = app.enrolment_id() or current_setting('role') = 'app_worker');
  return case when found then app.charge_result(p_result_id) end;
end
$$;
grant execute on function app.charge_ended_result(uuid) to app_link, app_worker;
alter function app.charge_ended_result(uuid) owner to app_definer;

-- Rights of the definer functions below.
create policy interview_result_attempt_definer_insert on interview_result_attempt for insert to app_definer with check (true);
grant insert on interview_result_attempt to app_definer;
create policy enrolment_definer_update on enrolment for update to app_definer using (true);
grant select (link_generation), update (link_generation) on enrolment to app_definer;
grant select on interview_result to app_definer; -- the whole row is copied to the history
grant update (attempt, status, interview_status, processing_status, recruiter_go_next_round, duration, started_at,
  ended_at, submitted_at, score, score_simulation, score_text, score_sentiment, score_words_per_minute,
  score_pronunciation, score_answer, ai_interview_coverage_percentage, ai_completion_reason, ai_analysis,
  ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other, user_feedback_recruiter, recruiter_risks,
  recording_local_path, recording_is_video, video_introduction_local_path, pdf_export_url, pdf_failed_at, is_successful)
  on interview_result to app_definer;

-- For candidates' links: submits a collected result, invalidates the links of this attempt unless it was a test, and
-- charges it if it was not charged when it was collected. Returns false if there is nothing to submit.
create function app.submit_result(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  submitted record;
begin
  update public.interview_result r set
    status = 'active', processing_status = 'queued', is_successful = true, submitted_at = now()
    where r.id = p_result_id and r.attempt = p_attempt and r.merchant_id = app.merchant_id()
      and r.enrolment_id = app.enrolment_id() and r.status = 'draft'
      and r.interview_status in ('completed', 'completed, stopped early')
    returning r.merchant_id, r.enrolment_id, r.is_test into submitted;
  if not found then
    return false;
  end if;
  if not submitted.is_test then
    update public.enrolment e set link_generation = e.link_generation + 1
      where e.merchant_id = submitted.merchant_id and e.id = submitted.enrolment_id;
  end if;
  perform app.charge_result(p_result_id);
  return true;
end
$$;
grant execute on function app.submit_result(uuid, integer) to app_link;
alter function app.submit_result(uuid, integer) owner to app_definer;

-- Reopens a completed result for its next attempt. Copies the attempt to the history and clears the attempt's fields in
-- the result, except the shortlist. Returns false if the result is unknown, not active or not completed.
create function app.reopen_result(p_result_id uuid) returns boolean
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
  insert into public.interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
    values (result.merchant_id, result.environment, result.id, result.attempt, to_jsonb(result));
  -- An unpaid attempt must stay in the count `without_credits` after it was reopened. This row offsets the -1 that the
  -- counting trigger adds when the update below clears `charge`.
  if result.charge = 'unpaid' and not result.is_test then
    insert into public.account_count (merchant_id, environment, metric, scope_id, value) values (
      result.merchant_id, result.environment, 'without_credits', coalesce((
        select e.scope_id from public.enrolment e where e.merchant_id = result.merchant_id and e.id = result.enrolment_id
      ), result.interview_id), 1
    );
  end if;
  update public.interview_result r set
    attempt = r.attempt + 1, status = 'draft', interview_status = null, processing_status = null,
    recruiter_go_next_round = null, charge = null, duration = null, started_at = null, ended_at = null,
    submitted_at = null, score = null, score_simulation = null, score_text = null, score_sentiment = null,
    score_words_per_minute = null, score_pronunciation = null, score_answer = null,
    ai_interview_coverage_percentage = null, ai_completion_reason = null, ai_analysis = null,
    ai_analysis_recruiter = null, ai_analysis_recruiter_score = null, ai_analysis_other = null,
    user_feedback_recruiter = null, recruiter_risks = null, recording_local_path = null, recording_is_video = null,
    video_introduction_local_path = null, pdf_export_url = null, pdf_failed_at = null, is_successful = false
    where r.id = result.id;
  update public.enrolment e set link_generation = e.link_generation + 1
    where e.merchant_id = result.merchant_id and e.id = result.enrolment_id;
  return true;
end
$$;
grant execute on function app.reopen_result(uuid) to app_user, app_service;
alter function app.reopen_result(uuid) owner to app_definer;
