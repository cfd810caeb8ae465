-- The rows that reports count (docs/reports.md#datasets): one narrow row per attempt, written in the transaction that
-- changes the result.

alter table interview_result add column decided_at timestamptz;
-- How the candidate was first enrolled.
alter table enrolment
  add column source text not null default 'registered' check (source in ('registered', 'invited', 'embed', 'public'));
alter table enrolment no force row level security, disable trigger user;
update enrolment set source = 'invited' where invited_at is not null;
alter table enrolment force row level security, enable trigger user;

-- Sets the time of the recruiter's decision. Withdrawing the decision or reopening the result clears the time.
create function app.set_decided_at() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.decided_at := case when new.recruiter_go_next_round is not null then pg_catalog.now() end;
  return new;
end
$$;
create trigger interview_result_decided before update on interview_result
  for each row when (old.recruiter_go_next_round is distinct from new.recruiter_go_next_round)
  execute function app.set_decided_at();

-- The table has no foreign keys and few checks, because only the triggers below write rows and checks would slow down
-- every write.
create table report_attempt (
  merchant_id uuid not null,
  environment text not null,
  result_id uuid not null,
  attempt integer not null,
  interview_id uuid not null,
  position_id uuid,
  profile_id uuid, -- the candidate
  source text,
  language text not null,
  is_test boolean not null,
  instant timestamptz not null, -- coalesce(ended_at, started_at, created_at)
  started_at timestamptz,
  ended_at timestamptz,
  submitted_at timestamptz,
  decided_at timestamptz,
  status text not null,
  interview_status text,
  processing_status text,
  outcome text generated always as (
    case interview_status
      when 'started' then 'started'
      when 'completed' then 'completed'
      when 'completed, stopped early' then 'completed'
      when 'abandoned' then 'abandoned'
      when 'failed' then 'failed'
      when 'terminated, no speech detected' then 'failed'
    end
  ) stored, -- null: not started
  decision boolean,
  -- The same condition as `undecided` in `app.result_metrics`.
  is_undecided boolean not null generated always as (
    coalesce(
      status = 'active' and processing_status = 'completed'
        and interview_status in ('completed', 'completed, stopped early') and decision is null, false
    )
  ) stored,
  is_shortlisted boolean not null,
  is_unpaid boolean not null,
  has_risk_flags boolean not null,
  -- The score, scaled from 0–`max_score` to 0–10 with the maximum that was set at the time of scoring.
  score double precision,
  recruiter_score double precision, -- 0 to 10
  pronunciation double precision, -- 0 to 100
  words_per_minute double precision,
  coverage double precision, -- 0 to 1
  duration double precision, -- seconds
  primary key (merchant_id, result_id, attempt)
);
-- Includes only the columns that most reports read, because every column in the index makes writes slower.
create index report_attempt__merchant_id_environment_instant
  on report_attempt (merchant_id, environment, instant)
  include (is_test, outcome, attempt, decision, is_undecided, is_shortlisted, has_risk_flags, score, duration, started_at,
    ended_at, interview_id, position_id, profile_id);

alter table report_attempt enable row level security, force row level security;
create policy report_attempt_caller_select on report_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select on report_attempt to app_user, app_service;
create policy report_attempt_definer_select on report_attempt for select to app_definer using (true);
create policy report_attempt_definer_insert on report_attempt for insert to app_definer with check (true);
create policy report_attempt_definer_update on report_attempt for update to app_definer using (true);
create policy report_attempt_definer_delete on report_attempt for delete to app_definer using (true);
grant select, insert, delete, update (position_id, profile_id, source, is_test, instant, started_at, ended_at, submitted_at,
  decided_at, status, interview_status, processing_status, decision, is_shortlisted, is_unpaid, has_risk_flags, score,
  recruiter_score, pronunciation, words_per_minute, coverage, duration) on report_attempt to app_definer;
grant select (position_id, profile_id, source) on enrolment to app_definer;
grant select (platform_language_code, result_scoring) on interview to app_definer;
create policy interview_result_attempt_definer_select on interview_result_attempt for select to app_definer using (true);
grant select on interview_result_attempt to app_definer;

-- Returns the maximum score of the interview, 10 by default.
create function app.max_score(p_result_scoring jsonb) returns numeric
language sql immutable parallel safe
as $$
  select case
    when jsonb_typeof(p_result_scoring -> 'max_score') = 'number' and (p_result_scoring ->> 'max_score')::numeric > 0
    then (p_result_scoring ->> 'max_score')::numeric else 10 end
$$;
create function app.has_risk_flags(p_recruiter_risks jsonb) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(jsonb_typeof(p_recruiter_risks) = 'array' and p_recruiter_risks <> '[]', false)
$$;
grant execute on function app.max_score(jsonb), app.has_risk_flags(jsonb) to app_definer;

-- Adds the row of an attempt, unless it exists. It runs with the rights of its caller, because only functions of
-- app_definer call it.
create function app.insert_report_attempt(r public.interview_result) returns void
language plpgsql
as $$
begin
  insert into public.report_attempt (merchant_id, environment, result_id, attempt, interview_id, position_id, profile_id,
    source, language, is_test, instant, started_at, ended_at, submitted_at, decided_at, status, interview_status,
    processing_status, decision, is_shortlisted, is_unpaid, has_risk_flags, score, recruiter_score, pronunciation,
    words_per_minute, coverage, duration)
  select r.merchant_id, r.environment, r.id, r.attempt, r.interview_id, e.position_id, e.profile_id,
    e.source, i.platform_language_code, r.is_test, coalesce(r.ended_at, r.started_at, r.created_at), r.started_at,
    r.ended_at, r.submitted_at, r.decided_at, r.status, r.interview_status,
    r.processing_status, r.recruiter_go_next_round, r.recruiter_shortlist, r.charge is not distinct from 'unpaid',
    app.has_risk_flags(r.recruiter_risks), r.score * 10 / app.max_score(i.result_scoring), r.ai_analysis_recruiter_score,
    r.score_pronunciation, r.score_words_per_minute, r.ai_interview_coverage_percentage / 100, r.duration / 10.0
  from public.interview i
  left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
  where i.merchant_id = r.merchant_id and i.id = r.interview_id
  on conflict (merchant_id, result_id, attempt) do nothing;
end
$$;
grant execute on function app.insert_report_attempt(public.interview_result) to app_definer;

create function app.report_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.report_attempt a where a.merchant_id = old.merchant_id and a.result_id = old.id;
  elsif tg_op = 'INSERT' or new.attempt <> old.attempt then
    -- The new attempt gets its own row. The row of the previous attempt stays as it is.
    perform app.insert_report_attempt(new);
  else
    update public.report_attempt a set
      is_test = new.is_test, instant = coalesce(new.ended_at, new.started_at, new.created_at),
      started_at = new.started_at, ended_at = new.ended_at, submitted_at = new.submitted_at,
      decided_at = new.decided_at, status = new.status, interview_status = new.interview_status,
      processing_status = new.processing_status, decision = new.recruiter_go_next_round,
      is_shortlisted = new.recruiter_shortlist, is_unpaid = new.charge is not distinct from 'unpaid',
      has_risk_flags = app.has_risk_flags(new.recruiter_risks),
      score = case when new.score is distinct from old.score then new.score * 10 / (
          select app.max_score(i.result_scoring) from public.interview i
          where i.merchant_id = new.merchant_id and i.id = new.interview_id
        ) else a.score end,
      recruiter_score = new.ai_analysis_recruiter_score, pronunciation = new.score_pronunciation,
      words_per_minute = new.score_words_per_minute, coverage = new.ai_interview_coverage_percentage / 100,
      duration = new.duration / 10.0
      where a.merchant_id = new.merchant_id and a.result_id = new.id and a.attempt = new.attempt;
  end if;
  return null;
end
$$;
create trigger interview_result_report_added after insert on interview_result
  for each row execute function app.report_result();
create trigger interview_result_report_removed after delete on interview_result
  for each row execute function app.report_result();
create trigger interview_result_report_changed after update on interview_result
  for each row when (
    (old.attempt, old.is_test, old.created_at, old.started_at, old.ended_at, old.submitted_at, old.decided_at, old.status,
      old.interview_status, old.processing_status, old.recruiter_go_next_round, old.recruiter_shortlist,
      old.charge is not distinct from 'unpaid', old.recruiter_risks, old.score, old.ai_analysis_recruiter_score,
      old.score_pronunciation, old.score_words_per_minute, old.ai_interview_coverage_percentage, old.duration)
    is distinct from (new.attempt, new.is_test, new.created_at, new.started_at, new.ended_at, new.submitted_at,
      new.decided_at, new.status, new.interview_status, new.processing_status, new.recruiter_go_next_round,
      new.recruiter_shortlist, new.charge is not distinct from 'unpaid', new.recruiter_risks, new.score,
      new.ai_analysis_recruiter_score, new.score_pronunciation, new.score_words_per_minute,
      new.ai_interview_coverage_percentage, new.duration)
  ) execute function app.report_result();
alter function app.report_result() owner to app_definer;

-- Adds rows for attempts that are inserted into the history without ever having been the current attempt, and removes
-- the rows of deleted attempts.
create function app.report_finished_attempt() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform app.insert_report_attempt(jsonb_populate_record(null::public.interview_result, new.fields));
  else
    delete from public.report_attempt a
      where a.merchant_id = old.merchant_id and a.result_id = old.result_id and a.attempt = old.attempt
        and not exists (
          select from public.interview_result r
          where r.merchant_id = a.merchant_id and r.id = a.result_id and r.attempt = a.attempt
        );
  end if;
  return null;
end
$$;
create trigger interview_result_attempt_report_added after insert on interview_result_attempt
  for each row when (new.fields ->> 'created_at' is not null) execute function app.report_finished_attempt();
create trigger interview_result_attempt_report_removed after delete on interview_result_attempt
  for each row execute function app.report_finished_attempt();
alter function app.report_finished_attempt() owner to app_definer;

-- Updates the rows of an enrolment that changes. For example, a new email address can assign it to another person.
create function app.report_enrolment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.report_attempt a set position_id = new.position_id, profile_id = new.profile_id, source = new.source
    from public.interview_result r
    where r.merchant_id = new.merchant_id and r.enrolment_id = new.id
      and a.merchant_id = r.merchant_id and a.result_id = r.id;
  return null;
end
$$;
create trigger enrolment_report_changed after update on enrolment
  for each row when (
    (old.position_id, old.profile_id, old.source) is distinct from (new.position_id, new.profile_id, new.source)
  ) execute function app.report_enrolment();
alter function app.report_enrolment() owner to app_definer;

set local role app_definer;
select app.insert_report_attempt(r) from public.interview_result r;
select app.insert_report_attempt(jsonb_populate_record(null::public.interview_result, a.fields))
  from public.interview_result_attempt a where a.fields ->> 'created_at' is not null;
set local role app_owner;

-- All callers except hiring managers can read the ledger of credits.
create policy credit_entry_caller_select on credit_entry for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and (select app.caller_role()) <> 'merchant_selection');
grant select on credit_entry to app_user, app_service;
-- Service keys can read the names of recruiters.
grant select (name) on profile to app_service;
