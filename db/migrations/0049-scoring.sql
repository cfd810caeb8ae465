-- The scoring of submitted attempts (docs/results.md#scoring): its runs, what the model said, and scores set by people.

-- The rubric of the session and the weights with which an attempt is scored, stored when the attempt begins. Attempts that
-- began before this migration have no row; they are scored with the current settings of the interview.
create table attempt_plan (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  session_rubric jsonb,
  scoring jsonb, -- the weights of the interview (`custom_scoring`)
  primary key (merchant_id, result_id, attempt),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
alter table attempt_plan enable row level security, force row level security;
create policy attempt_plan_worker_select on attempt_plan for select to app_worker using (true);
create policy attempt_plan_definer_select on attempt_plan for select to app_definer using (true);
create policy attempt_plan_definer_insert on attempt_plan for insert to app_definer with check (true);
create policy attempt_plan_definer_delete on attempt_plan for delete to app_definer using (true);
grant select on attempt_plan to app_worker;
grant select, insert, delete on attempt_plan to app_definer;

-- Returns the maximum score that an attempt can get. Like the weights, the maximum is fixed when the attempt begins.
create function app.max_score_of(p_merchant_id uuid, p_result_id uuid, p_attempt integer) returns numeric
language sql stable security definer set search_path = ''
as $$
  select app.max_score(case when p.result_id is null then i.result_scoring else p.scoring end)
  from public.interview_result r
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  left join public.attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = p_attempt
  where r.merchant_id = p_merchant_id and r.id = p_result_id
$$;
grant execute on function app.max_score_of(uuid, uuid, integer) to app_user, app_service, app_worker;
alter function app.max_score_of(uuid, uuid, integer) owner to app_definer;

-- Describes the learner's practice of a session, or returns no row for other visitors. `finished` counts the submitted
-- attempts. `score` is the score of the last scored attempt, if `result_view` shows it, and `max_score` is the highest
-- score that the attempt could have.
create function app.practice_state(p_interview_id uuid)
returns table (state text, finished integer, score numeric, max_score numeric)
language sql stable security definer set search_path = ''
as $$
  select case
      when r.interview_status is null then case when history.finished > 0 then 'again' else 'new' end
      when r.status = 'draft' and r.interview_status in ('started', 'completed', 'completed, stopped early') then 'running'
      when app.next_attempt(r) = 'begun' then 'again'
      when r.processing_status in ('queued', 'processing') and r.submitted_at > now() - interval '15 minutes'
        and r.attempt < coalesce((i.result_scoring ->> 'max_retries')::integer, r.attempt + 1) + r.extra_attempts then 'scoring'
      else 'none_left' end,
    history.finished + (r.status is not distinct from 'active')::integer,
    case when i.result_view in ('none', 'minimal') then null
      when r.status = 'active' and r.processing_status = 'completed' then r.score else history.score end,
    coalesce(
      app.max_score_of(r.merchant_id, r.id, case
        when r.status = 'active' and r.processing_status = 'completed' then r.attempt else history.scored_attempt end),
      app.max_score(i.result_scoring)
    )
  from public.interview i
  left join public.interview_result r on r.merchant_id = i.merchant_id and r.enrolment_id = app.find_practice(i.id)
    and r.interview_id = i.id and not r.is_test
  cross join lateral (
    select count(*)::integer as finished,
      max(a.attempt) filter (where a.fields ->> 'processing_status' = 'completed') as scored_attempt, (
        array_agg((a.fields ->> 'score')::numeric order by a.attempt desc)
          filter (where a.fields ->> 'processing_status' = 'completed')
      )[1] as score
    from public.interview_result_attempt a
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.fields ->> 'status' = 'active'
  ) history
  where app.profile_id() is not null
    and i.merchant_id = app.merchant_id() and i.environment = app.environment() and i.id = p_interview_id
$$;
grant execute on function app.practice_state(uuid) to app_portal;
alter function app.practice_state(uuid) owner to app_definer;

-- Redefines the function of 0028: it scales the score with the maximum score of the attempt (`app.max_score_of`).
set local role app_definer;
create or replace function app.report_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.report_attempt a where a.merchant_id = old.merchant_id and a.result_id = old.id;
  elsif tg_op = 'INSERT' or new.attempt <> old.attempt then
    -- The new attempt gets its own row. The row of the previous attempt stays as it is.
    perform app.insert_report_attempt(new);
  elsif (old.is_test, old.created_at, old.started_at, old.ended_at, old.submitted_at, old.decided_at, old.status,
      old.interview_status, old.processing_status, old.recruiter_go_next_round, old.recruiter_shortlist,
      old.charge is not distinct from 'unpaid', old.recruiter_risks, old.score, old.ai_analysis_recruiter_score,
      old.score_pronunciation, old.score_words_per_minute, old.ai_interview_coverage_percentage, old.duration)
    is distinct from (new.is_test, new.created_at, new.started_at, new.ended_at, new.submitted_at, new.decided_at,
      new.status, new.interview_status, new.processing_status, new.recruiter_go_next_round, new.recruiter_shortlist,
      new.charge is not distinct from 'unpaid', new.recruiter_risks, new.score, new.ai_analysis_recruiter_score,
      new.score_pronunciation, new.score_words_per_minute, new.ai_interview_coverage_percentage, new.duration) then
    update public.report_attempt a set
      is_test = new.is_test, instant = coalesce(new.ended_at, new.started_at, new.created_at),
      started_at = new.started_at, ended_at = new.ended_at, submitted_at = new.submitted_at,
      decided_at = new.decided_at, status = new.status, interview_status = new.interview_status,
      processing_status = new.processing_status, decision = new.recruiter_go_next_round,
      is_shortlisted = new.recruiter_shortlist, is_unpaid = new.charge is not distinct from 'unpaid',
      has_risk_flags = app.has_risk_flags(new.recruiter_risks),
      score = case when new.score is distinct from old.score then new.score * 10
        / app.max_score_of(new.merchant_id, new.id, new.attempt) else a.score end,
      recruiter_score = new.ai_analysis_recruiter_score, pronunciation = new.score_pronunciation,
      words_per_minute = new.score_words_per_minute, coverage = new.ai_interview_coverage_percentage / 100,
      duration = new.duration / 10.0
      where a.merchant_id = new.merchant_id and a.result_id = new.id and a.attempt = new.attempt;
  end if;
  return null;
end
$$;
set local role app_owner;

-- The latest run of the scoring. A run that is not the latest, or is of an earlier attempt, writes nothing.
alter table interview_result add column scoring_run integer;

-- One row per run of the scoring of an attempt. Runs are counted from 1 in each attempt.
create table score_record (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  run integer not null check (run > 0),
  state text not null default 'queued' check (state in ('queued', 'running', 'scored', 'failed', 'superseded')),
  requested_by uuid, -- null if the submit requested the run
  requested_at timestamptz not null default now(),
  began_at timestamptz,
  ended_at timestamptz,
  failure text,
  model text,
  prompt_version text,
  prompt_hash text,
  rubric_version text,
  input_hash text,
  samples integer,
  spread numeric, -- the largest difference between the samples of an answer, on the scale 0–10
  disagreement numeric, -- the largest fraction of criteria of an answer on which samples disagree
  verified_share numeric, -- the fraction of quotes that were found in the answers
  needs_review boolean,
  prompt_tokens integer,
  completion_tokens integer,
  cost_usd numeric, -- null if the prices of the model are not configured
  scores jsonb, -- what this run computed, before decisions of people
  changes jsonb, -- what it changed: a list of {field, question_id, from, to}
  primary key (merchant_id, result_id, attempt, run),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
-- The worker counts the waiting and failed runs of all merchants with this index.
create index score_record__requested_at on score_record (requested_at) where state in ('queued', 'running', 'failed');

-- The samples of a run: verified assessments of an answer or of the session, and the summary. A retry asks the model
-- only for missing samples.
create table score_sample (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  run integer not null,
  subject text not null check (subject in ('answer', 'session', 'summary')),
  place integer not null, -- the step of the plan; 0 for the session and the summary
  number integer not null check (number between 1 and 3),
  sample jsonb not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, result_id, attempt, run, subject, place, number),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);

-- Scores that people set instead of the computed ones. Only the latest row about a result or an answer applies. If its
-- score is null, the person's score was withdrawn and the computed score applies again.
create table score_decision (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  question_id uuid, -- the part of the transcript; null for the score of the whole result
  score numeric,
  score_ai numeric, -- the computed score at the time of the decision
  reason text not null check (length(reason) between 1 and 2000),
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create index score_decision__merchant_id_result_id_attempt on score_decision (merchant_id, result_id, attempt);

alter table score_record enable row level security, force row level security;
alter table score_sample enable row level security, force row level security;
alter table score_decision enable row level security, force row level security;

create policy score_record_caller_select on score_record for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy score_record_restricted_select on score_record as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = score_record.merchant_id and r.id = score_record.result_id
  ));
create policy score_decision_caller_select on score_decision for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy score_decision_restricted_select on score_decision as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = score_decision.merchant_id and r.id = score_decision.result_id
  ));
grant select on score_record, score_decision to app_user, app_service;

create policy score_record_worker_select on score_record for select to app_worker using (true);
create policy score_record_worker_update on score_record for update to app_worker using (true);
create policy score_sample_worker_select on score_sample for select to app_worker using (true);
create policy score_sample_worker_insert on score_sample for insert to app_worker with check (true);
create policy score_decision_worker_select on score_decision for select to app_worker using (true);
grant select on score_record, score_sample, score_decision to app_worker;
grant update (state, began_at, ended_at, failure, model, prompt_version, prompt_hash, rubric_version, input_hash, samples,
  spread, disagreement, verified_share, needs_review, prompt_tokens, completion_tokens, cost_usd, scores, changes)
  on score_record to app_worker;
grant insert on score_sample to app_worker;
grant update (recruiter_risks) on interview_result to app_worker;

create policy score_record_definer_select on score_record for select to app_definer using (true);
create policy score_record_definer_insert on score_record for insert to app_definer with check (true);
create policy score_record_definer_update on score_record for update to app_definer using (true);
create policy score_record_definer_delete on score_record for delete to app_definer using (true);
create policy score_sample_definer_delete on score_sample for delete to app_definer using (true);
create policy score_sample_definer_select on score_sample for select to app_definer using (true);
create policy score_decision_definer_select on score_decision for select to app_definer using (true);
create policy score_decision_definer_insert on score_decision for insert to app_definer with check (true);
create policy score_decision_definer_delete on score_decision for delete to app_definer using (true);
grant select, insert, update (state, ended_at), delete on score_record to app_definer;
grant select, delete on score_sample to app_definer;
grant select, insert, delete on score_decision to app_definer;
grant update (scoring_run) on interview_result to app_definer;
grant update (score) on result_question to app_definer;

alter table model_call drop constraint model_call_purpose_check, add constraint model_call_purpose_check check (
  purpose in ('interview_draft', 'next_turn', 'candidate_reply', 'transcription', 'speech', 'answer_assessment',
    'session_assessment', 'result_summary')
);

-- Stores the plan of an attempt that begins: its steps, the rubric of the session, and the weights of the scoring.
alter function app.plan_attempt(public.interview_result) rename to plan_steps;
create function app.plan_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  perform app.plan_steps(r);
  insert into public.attempt_plan (merchant_id, environment, result_id, attempt, session_rubric, scoring)
    select r.merchant_id, r.environment, r.id, r.attempt, i.candidate_expectations_json, i.result_scoring
    from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id;
end
$$;
grant select (candidate_expectations_json) on interview to app_definer;
grant execute on function app.plan_attempt(public.interview_result) to app_definer;

-- Queues the next run of the scoring of the current attempt and the start of its workflow. A run in progress ends without
-- effect. The notification lets the worker start the workflow right after the commit.
create function app.queue_scoring(r public.interview_result, p_requested_by uuid) returns integer language plpgsql
as $$
declare
  next_run integer := 1 + coalesce((
    select max(s.run) from public.score_record s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
  ), 0);
begin
  update public.score_record s set state = 'superseded', ended_at = now()
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
      and s.state in ('queued', 'running');
  insert into public.score_record (merchant_id, environment, result_id, attempt, run, requested_by)
    values (r.merchant_id, r.environment, r.id, r.attempt, next_run, p_requested_by);
  insert into public.workflow_start (merchant_id, environment, workflow_type, workflow_id, argument) values (
    r.merchant_id, r.environment, 'resultScoring', 'result-scoring/' || r.id || '/' || r.attempt || '/' || next_run,
    jsonb_build_object('result_id', r.id, 'attempt', r.attempt, 'run', next_run)
  );
  perform pg_catalog.pg_notify('workflow_start', '');
  return next_run;
end
$$;
grant execute on function app.queue_scoring(public.interview_result, uuid) to app_definer;

-- Submits a collected attempt and queues its scoring, ends its links unless it is a test, and charges it if it was not
-- charged when it was collected.
create or replace function app.submit_collected(r public.interview_result) returns void language plpgsql
as $$
begin
  update public.interview_result u set
    status = 'active', processing_status = 'queued', is_successful = true, submitted_at = now(),
    scoring_run = app.queue_scoring(r, null),
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

-- Returns whether the start of a workflow still waits in the outbox. The outbox deletes the row after the start.
create policy workflow_start_definer_select on workflow_start for select to app_definer using (true);
grant select (merchant_id, workflow_id) on workflow_start to app_definer;
create function app.is_start_queued(p_workflow_id text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.workflow_start w where w.merchant_id = app.merchant_id() and w.workflow_id = p_workflow_id
  )
$$;
grant execute on function app.is_start_queued(text) to app_user, app_service;
alter function app.is_start_queued(text) owner to app_definer;

-- Queues another run of the scoring of a submitted result, unless a run is in progress. `p_abandoned_run` is a run
-- whose workflow has ended without a result, which does not count as in progress.
create function app.rescore_result(
  p_result_id uuid, p_abandoned_run integer, out outcome text, out attempt integer, out run integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.merchant_id = app.merchant_id() and u.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
    for update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  attempt := r.attempt;
  if r.status <> 'active' or r.erased_at is not null or not exists (
    select from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.is_scored
  ) then
    outcome := 'not_scorable';
    return;
  end if;
  select s.run into run from public.score_record s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
      and s.state in ('queued', 'running') and s.run is distinct from p_abandoned_run;
  if found then
    outcome := 'in_progress';
    return;
  end if;
  run := app.queue_scoring(r, app.caller_id());
  update public.interview_result u set
    scoring_run = rescore_result.run,
    processing_status = case when r.processing_status = 'completed' then 'completed' else 'queued' end
    where u.id = r.id;
  outcome := 'queued';
end
$$;
grant execute on function app.rescore_result(uuid, integer) to app_user, app_service;
alter function app.rescore_result(uuid, integer) owner to app_definer;

-- Records the score that a person gives instead of the AI, for the current attempt or for one of its answers. If
-- `p_score` is null, the AI's score applies again. `score` is the score that applies afterwards. `p_words` has the
-- words for weak, moderate and strong scores in each language.
create function app.decide_score(
  p_result_id uuid, p_question_id uuid, p_score numeric, p_reason text, p_words jsonb,
  out outcome text, out attempt integer, out score numeric, out score_ai numeric
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  q public.result_question;
  max_score numeric;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.merchant_id = app.merchant_id() and u.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
    for update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  attempt := r.attempt;
  if r.status <> 'active' or r.processing_status is distinct from 'completed' or r.erased_at is not null then
    outcome := 'not_scored';
    return;
  end if;
  if p_question_id is null then
    -- The computed score, which can be null, is in the record of the last run. A result without a record keeps its first
    -- score in the decision that replaced it.
    select (s.scores ->> 'score')::numeric into score_ai from public.score_record s
      where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.state = 'scored'
      order by s.run desc limit 1;
    if not found then
      select d.score_ai into score_ai from public.score_decision d
        where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = r.attempt and d.question_id is null
        order by d.id desc limit 1;
      if not found then
        score_ai := r.score;
      end if;
    end if;
    score := coalesce(p_score, score_ai);
    max_score := app.max_score_of(r.merchant_id, r.id, r.attempt);
    if p_score < 0 or p_score > max_score then
      outcome := 'out_of_range';
      return;
    end if;
    update public.interview_result u set score = decide_score.score, score_text = (
        select p_words -> coalesce(i.platform_language_code, 'en') ->> case when decide_score.score is null then 'none'
          when decide_score.score * 10 < max_score * 4 then 'weak'
          when decide_score.score * 10 < max_score * 7 then 'moderate' else 'strong' end
        from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
      )
      where u.id = r.id;
  else
    select * into q from public.result_question t
      where t.merchant_id = r.merchant_id and t.id = p_question_id and t.result_id = r.id and t.attempt = r.attempt
        and t.is_answer;
    if not found then
      outcome := 'unknown_question';
      return;
    end if;
    if p_score not between 1 and 5 then
      outcome := 'out_of_range';
      return;
    end if;
    score_ai := q.score_answer_ai;
    score := coalesce(p_score, score_ai);
    update public.result_question t set score = decide_score.score where t.id = q.id;
    -- This update changes nothing but the revision of the result, which must rise because the PDF shows the score.
    update public.interview_result u set score = u.score where u.id = r.id;
  end if;
  insert into public.score_decision (merchant_id, environment, result_id, attempt, question_id, score, score_ai, reason,
    decided_by)
    values (r.merchant_id, r.environment, r.id, r.attempt, p_question_id, p_score, decide_score.score_ai, p_reason,
      app.caller_id());
  outcome := 'decided';
end
$$;
grant execute on function app.decide_score(uuid, uuid, numeric, text, jsonb) to app_user, app_service;
alter function app.decide_score(uuid, uuid, numeric, text, jsonb) owner to app_definer;

-- Returns what the candidate sees after scoring, as far as `result_view` allows: the score that applies, the texts, the
-- passages of answers that meet a strong or moderate criterion and, with a full view, all criteria.
create or replace function app.shown_result(r public.interview_result, p_view text) returns jsonb language sql stable
as $$
  select jsonb_build_object('score', r.score, 'max_score', app.max_score_of(r.merchant_id, r.id, r.attempt))
    || case when p_view <> 'minimal_with_score' then jsonb_build_object(
      'score_text', r.score_text, 'ai_analysis', r.ai_analysis, 'takeaways', r.ai_analysis_other -> 'takeaways',
      'questions', (
        select jsonb_agg(jsonb_build_object('turn_id', q.id, 'question', q.question_asked, 'ai_analysis', q.ai_analysis,
          'passages', (
            select coalesce(jsonb_agg(jsonb_build_object('turn_id', coalesce(c ->> 'turn_id', q.id::text),
              'quote', c -> 'quote', 'start', c -> 'start', 'end', c -> 'end')), '[]')
            from jsonb_path_query(q.answer_assessment_raw_data,
              '$.criteria[*] ? (@.met == "yes" && @.bracket != "weak")') c
          ))
          || case when p_view like 'full%' then jsonb_build_object('score', q.score, 'rubric', s.rubric,
            'evidence', jsonb_build_object('criteria', q.answer_assessment_raw_data -> 'criteria',
              'reason', q.answer_assessment_raw_data -> 'reason')
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

-- For the worker: erases the answers, scores and analyses of an attempt. The row of the result stays, with its states,
-- times and decision, so that counts and credits stay right. Returns false while the attempt is running.
set local role app_definer;
create or replace function app.erase_attempt(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u where u.id = p_result_id for update;
  if not found or r.attempt = p_attempt and r.interview_status is not distinct from 'started' then
    return false;
  end if;
  delete from public.score_sample s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  delete from public.score_record s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  delete from public.score_decision d
    where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = p_attempt;
  delete from public.attempt_plan p
    where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = p_attempt;
  delete from public.recording c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = p_attempt;
  delete from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = p_attempt;
  delete from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = p_attempt;
  if p_attempt < r.attempt then
    delete from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    update public.report_attempt a set score = null, recruiter_score = null, pronunciation = null,
      words_per_minute = null, coverage = null, has_risk_flags = false
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = p_attempt;
    return true;
  end if;
  -- A scoring run that is in progress does not change the result any more. It ends when it finds the result erased.
  update public.interview_result u set
    processing_status = case when u.processing_status in ('queued', 'processing') then 'failed'
      else u.processing_status end,
    erased_at = now(), score = null, score_simulation = null, score_text = null, score_sentiment = null,
    score_words_per_minute = null, score_pronunciation = null, score_answer = null,
    ai_interview_coverage_percentage = null, ai_completion_reason = null, ai_analysis = null,
    ai_analysis_recruiter = null, ai_analysis_recruiter_score = null, ai_analysis_other = null,
    user_feedback_recruiter = null, recruiter_risks = null, recording_local_path = null, recording_is_video = null,
    video_introduction_local_path = null, pdf_export_url = null, pdf_failed_at = null
    where u.id = r.id;
  return true;
end
$$;
set local role app_owner;
