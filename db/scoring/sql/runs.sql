-- The runs of the scoring (docs/results.md#scoring), and scores set by people.

-- Queues the next run of the scoring of the current attempt and the start of its workflow. A run in progress ends without
-- effect. The notification lets the worker start the workflow right after the commit.
create or replace function app.queue_scoring(r public.interview_result, p_requested_by uuid) returns integer language plpgsql
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
grant execute on function app.queue_scoring(interview_result, uuid) to app_definer;

set local role app_definer;

-- Returns whether the start of a workflow still waits in the outbox. The outbox deletes the row after the start.
create or replace function app.is_start_queued(p_workflow_id text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.workflow_start w where w.merchant_id = app.merchant_id() and w.workflow_id = p_workflow_id
  )
$$;
grant execute on function app.is_start_queued(text) to app_user, app_service;

-- Queues another run of the scoring of a submitted result, unless a run is in progress. `p_abandoned_run` is a run
-- whose workflow has ended without a result, which does not count as in progress.
create or replace function app.rescore_result(
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

-- Records the score that a person gives instead of the AI, for the current attempt or for one of its answers. If
-- `p_score` is null, the AI's score applies again. `score` is the score that applies afterwards. `p_words` has the
-- words for weak, moderate and strong scores in each language.
create or replace function app.decide_score(
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

reset role;
