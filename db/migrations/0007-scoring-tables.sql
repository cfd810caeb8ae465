-- The scoring of submitted attempts (docs/results.md#scoring): its runs, what the model said, and scores set by people.

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
alter table score_record enable row level security, force row level security;

-- The samples of a run: verified assessments of an answer or of the session, and the summary. A retry asks the model
-- only for missing samples.
create table score_sample (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  run integer not null,
  subject text not null check (subject in ('answer', 'session', 'resume', 'comparison', 'summary')),
  place integer not null, -- the step of the plan; 0 for the session and the summary
  number integer not null check (number between 1 and 3),
  sample jsonb not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, result_id, attempt, run, subject, place, number),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
alter table score_sample enable row level security, force row level security;

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
alter table score_decision enable row level security, force row level security;
