-- Reports that people and agents build, their schedules, and the rows that they count (docs/reports.md).

create table report (
  id uuid not null default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  title text not null, -- of the published definition
  creator_id uuid references profile (id) default app.profile_id(), -- null: a service key created it
  is_shared boolean not null default false,
  -- Every update of the report raises the version, including an update of the draft.
  version integer not null default 1,
  published_version integer not null default 1,
  draft_version integer,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index report__merchant_id_updated_at on report (merchant_id, updated_at) where archived_at is null;
alter table report enable row level security, force row level security;

create table report_version (
  merchant_id uuid not null default app.merchant_id(),
  report_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_by uuid references profile (id) default app.profile_id(),
  created_at timestamptz not null default now(),
  primary key (merchant_id, report_id, version),
  foreign key (merchant_id, report_id) references report (merchant_id, id)
);
alter table report_version enable row level security, force row level security;

-- The filters that a person has saved for a report or a template. Templates have no row in `report`, so there is no
-- foreign key.
create table report_filters (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  report_id uuid not null,
  profile_id uuid not null references profile (id) default app.profile_id(),
  filters jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (merchant_id, report_id, profile_id)
);
alter table report_filters enable row level security, force row level security;

-- One narrow row per attempt, written in the transaction that changes the result. The table has no foreign keys and few
-- checks, because only the triggers in attempts.sql write rows and checks would slow down every write.
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
  has_risk_flags boolean not null,
  -- The score, scaled from 0–`max_score` to 0–10 with the maximum that was set at the time of scoring.
  score double precision,
  recruiter_score double precision, -- 0 to 10
  pronunciation double precision, -- 0 to 100
  words_per_minute double precision,
  coverage double precision, -- 0 to 1
  duration double precision, -- seconds
  evidence_verified double precision, -- 0 to 1: the share of the quotes that were found in the answers
  steps_given integer, -- next steps in the feedback on a coaching session
  steps_fixed integer, -- steps given after the attempt before that the learner did in this one
  primary key (merchant_id, result_id, attempt)
);
-- Includes only the columns that most reports read, because every column in the index makes writes slower.
create index report_attempt__merchant_id_environment_instant
  on report_attempt (merchant_id, environment, instant)
  include (is_test, outcome, attempt, decision, is_undecided, is_shortlisted, has_risk_flags, score, duration, started_at,
    ended_at, interview_id, position_id, profile_id);
alter table report_attempt enable row level security, force row level security;

create table report_schedule (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  report_id uuid not null,
  -- The report runs with the rights of this person.
  creator_id uuid not null references profile (id) default app.profile_id(),
  every text not null check (every in ('week', 'month')),
  format text not null check (format in ('pdf', 'csv')),
  block_id text,
  recipients uuid[] not null check (cardinality(recipients) between 1 and 50),
  stopped_at timestamptz,
  -- The result of app.wanted_report_schedule when the Temporal Schedule was last set. Null if it was never set.
  synced text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  check (format = 'pdf' or block_id is not null),
  foreign key (merchant_id, report_id) references report (merchant_id, id)
);
create index report_schedule__merchant_id_report_id on report_schedule (merchant_id, report_id) where stopped_at is null;
create index report_schedule__id on report_schedule (id) where synced is distinct from 'none';
alter table report_schedule enable row level security, force row level security;

-- One run of a schedule. Each workflow has one row, however often its activities are retried.
create table report_delivery (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  schedule_id uuid not null,
  workflow_id text not null,
  state text not null default 'preparing' check (state in ('preparing', 'sending', 'sent', 'failed', 'paused')),
  error text, -- one sentence for the console
  title text, -- of the report, when it ran
  file_name text,
  file bytea, -- only while it is being sent
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (merchant_id, schedule_id, workflow_id),
  unique (merchant_id, id),
  foreign key (merchant_id, schedule_id) references report_schedule (merchant_id, id)
);
create index report_delivery__created_at on report_delivery (created_at);
create index report_delivery__id on report_delivery (id) where ended_at is null;
alter table report_delivery enable row level security, force row level security;

-- One mail of a run to one person. `sending` is committed before the provider is called, as in the table mail.
create table report_mail (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  delivery_id uuid not null,
  profile_id uuid not null references profile (id),
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'rejected', 'gave_up')),
  attempts integer not null default 0,
  last_error text,
  message_id text,
  sent_at timestamptz,
  -- What SendGrid's event webhook reports, as in the table mail.
  delivered_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  unique (merchant_id, delivery_id, profile_id),
  foreign key (merchant_id, delivery_id) references report_delivery (merchant_id, id) on delete cascade
);
alter table report_mail enable row level security, force row level security;

-- A transaction adds a row if it changes data that the reports of a merchant read. A cached result is valid until the
-- rows of the merchant change. A row with `attempt_instant` also says that the sums of that day are out of date.
create table report_change (
  merchant_id uuid not null,
  id bigint generated always as identity,
  attempt_environment text,
  attempt_instant timestamptz,
  changed_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
alter table report_change enable row level security, force row level security;

-- The sums and counts of one day, from which averages over any days can be computed. Only days that ended two days ago
-- or earlier have rows.
create table report_day (
  merchant_id uuid not null,
  environment text not null,
  day date not null, -- in the time zone of `report_rollup`
  is_test boolean not null,
  started integer not null,
  completed integer not null,
  abandoned integer not null,
  failed integer not null,
  retakes integer not null,
  shortlisted integer not null,
  completed_shortlisted integer not null,
  advanced integer not null,
  rejected integer not null,
  undecided integer not null,
  with_risk_flags integer not null,
  -- The sums and counts below include only completed attempts that have a value.
  coverage_sum double precision not null,
  coverage_count integer not null,
  score_sum double precision not null,
  score_count integer not null,
  recruiter_score_sum double precision not null,
  recruiter_score_count integer not null,
  pronunciation_sum double precision not null,
  pronunciation_count integer not null,
  words_per_minute_sum double precision not null,
  words_per_minute_count integer not null,
  duration_sum double precision not null,
  duration_count integer not null,
  time_to_decision_sum double precision not null,
  time_to_decision_count integer not null,
  evidence_verified_sum double precision not null default 0,
  evidence_verified_count integer not null default 0,
  primary key (merchant_id, environment, day, is_test)
);
alter table report_day enable row level security, force row level security;

-- `report_day` has all days before `until`, in this time zone. A day before `until` without a row had no attempts.
create table report_rollup (
  merchant_id uuid not null,
  environment text not null,
  time_zone text not null,
  until date not null,
  primary key (merchant_id, environment)
);
alter table report_rollup enable row level security, force row level security;
