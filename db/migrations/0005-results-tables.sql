-- Results of interviews: their fields, their attempts and transcripts (docs/results.md).

create table interview_result (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  enrolment_id uuid,
  is_test boolean not null default false,
  -- A visit of a public avatar (docs/taking.md#public-avatars) is a result without a candidate. It is never scored or
  -- counted, and is deleted after 30 days.
  is_visit boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- `revision` orders the webhook bodies of one result. `updated_at` cannot, because it is the start of a transaction,
  -- and a transaction that starts earlier can change the result later.
  revision integer not null default 1,
  -- What belongs to all attempts.
  recruiter_shortlist boolean not null default false,
  decided_at timestamptz,
  -- Attempts that recruiters have granted in addition to those that the interview allows.
  extra_attempts integer not null default 0,
  -- How many attempts may end without a submit before no further one can begin.
  allowed_unsubmitted integer not null default 3,
  -- The highest number of an attempt that was erased from the history, because no later attempt may have its number.
  erased_attempt integer not null default 0,
  -- When the content of a result was erased. An attempt that begins afterwards has content again.
  erased_at timestamptz,
  -- The latest run of the scoring. A run that is not the latest, or is of an earlier attempt, writes nothing.
  scoring_run integer,
  -- The time at which the address of the automatic PDF was signed (docs/results.md#automatic-pdf). If the PDF is rendered
  -- again, an address that is less than a day old stays, so that no webhook event is sent for it.
  pdf_made_at timestamptz,
  -- The columns below belong to the current attempt. `interview_result_attempt` has the values of other attempts.
  attempt integer not null default 1 check (attempt > 0),
  status text not null default 'draft' check (status in ('draft', 'active')),
  interview_status text check (
    interview_status in ('started', 'completed', 'completed, stopped early', 'failed', 'abandoned',
      'terminated, no speech detected')
  ),
  processing_status text check (processing_status in ('queued', 'processing', 'completed', 'failed')),
  ai_completion_reason text check (
    ai_completion_reason in ('all_questions_answered', 'time_over', 'stopped_early', 'no_speech', 'left', 'technical_error')
  ),
  -- `charged` if the attempt has a price, which it has paid or waits to pay. Null until the price is due.
  charge text check (charge in ('charged', 'free')),
  consent_version text,
  consent_language text,
  consented_at timestamptz,
  started_at timestamptz, -- this column and the next one are `start` and `end` in the API
  ended_at timestamptz,
  submitted_at timestamptz,
  deadline_at timestamptz,
  last_active_at timestamptz,
  -- The generation of the link that began the attempt. That link can read the attempt after the submit.
  link_generation integer,
  duration integer, -- deciseconds
  is_successful boolean,
  score numeric,
  score_simulation numeric,
  score_text text,
  score_sentiment numeric,
  score_words_per_minute numeric,
  score_pronunciation numeric,
  score_answer numeric,
  ai_interview_coverage_percentage numeric,
  ai_analysis text,
  ai_analysis_recruiter text,
  ai_analysis_recruiter_score numeric,
  ai_analysis_other jsonb,
  -- Deprecated copies of lists in `ai_analysis_other`. The second path of each column has the names that were used
  -- before 2026-09-15.
  ai_analysis_recruiter_why_hire jsonb generated always as (
    coalesce(
      app.text_list(ai_analysis_other #> '{strengths_concerns,strengths}'),
      app.text_list(ai_analysis_other #> '{hiring_reasons,reasons_to_hire}')
    )
  ) stored,
  ai_analysis_recruiter_why_not_hire jsonb generated always as (
    coalesce(
      app.text_list(ai_analysis_other #> '{strengths_concerns,concerns}'),
      app.text_list(ai_analysis_other #> '{hiring_reasons,reasons_not_to_hire}')
    )
  ) stored,
  recruiter_risks jsonb,
  recruiter_go_next_round boolean,
  user_feedback_recruiter text,
  recording_local_path text,
  recording_is_video boolean,
  video_introduction_local_path text,
  pdf_export_url text,
  pdf_failed_at timestamptz,
  unique (merchant_id, id),
  check (not is_visit or enrolment_id is null and not is_test),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id)
);
create index interview_result__merchant_id_interview_id on interview_result (merchant_id, interview_id);
-- A candidate has one result per interview, with one or more attempts, and one test result.
create unique index interview_result__merchant_id_enrolment_id_interview_id_is_test
  on interview_result (merchant_id, enrolment_id, interview_id, is_test) where enrolment_id is not null;
create index interview_result__deadline_at on interview_result (deadline_at) where interview_status = 'started';
create index interview_result__last_active_at on interview_result (last_active_at) where interview_status = 'started';
create index interview_result__merchant_id_status_created_at on interview_result (merchant_id, status, created_at)
  where erased_at is null;
create index interview_result__merchant_id_created_at on interview_result (merchant_id, created_at)
  where recording_local_path is not null or video_introduction_local_path is not null;
create index interview_result__ended_at on interview_result (ended_at)
  where status = 'draft' and interview_status in ('completed', 'completed, stopped early');
-- A list of results by score compares the scaled scores of `report_attempt`, whose rows it finds by the attempt. So the
-- index of the lists has the attempt instead of the score.
create index interview_result__merchant_id_environment_created_at_id
  on interview_result (merchant_id, environment, created_at, id)
  include (updated_at, attempt, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
    interview_id, enrolment_id, is_visit);
-- The worker finds the visits that it has to delete with this index.
create index interview_result__created_at on interview_result (created_at) where is_visit;
alter table interview_result enable row level security, force row level security;

-- The attempts other than the current one, each with the values of the result's row in `fields`. An attempt that a candidate
-- begins after a submit is open: it stays here, and not in the result, until it is submitted.
create table interview_result_attempt (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  fields jsonb not null,
  is_open boolean not null default false,
  is_cut_off boolean not null default false, -- a recruiter ended it, by deciding about the submitted one or by reopening it
  reopened_at timestamptz not null default now(),
  primary key (merchant_id, result_id, attempt),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create index interview_result_attempt__merchant_id_reopened_at_result_id
  on interview_result_attempt (merchant_id, reopened_at, result_id);
create index interview_result_attempt__merchant_id_reopened_at on interview_result_attempt (merchant_id, reopened_at)
  where fields ->> 'recording_local_path' is not null or fields ->> 'video_introduction_local_path' is not null;
create unique index interview_result_attempt__merchant_id_result_id on interview_result_attempt (merchant_id, result_id)
  where is_open;
-- Attempts that were never submitted are erased earlier than others.
create index interview_result_attempt__merchant_id_reopened_at_attempt
  on interview_result_attempt (merchant_id, reopened_at, attempt) where fields ->> 'status' = 'draft' and not is_open;
alter table interview_result_attempt enable row level security, force row level security;

-- The transcript: one row per interaction, which is an answer or something that was said or shown.
create table result_question (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  step_order integer not null,
  view text not null check (
    view in ('with listening', 'with listening conditional', 'with listening expert', 'without scoring',
      'candidate asking recruiter', 'multiple choice', 'welcome', 'thank you', 'instructional video')
  ),
  -- A row with a `kind` is a turn. It is inserted when the turn is asked, and answered once. Rows without a `kind` belong
  -- to attempts without a plan.
  kind text check (
    kind in ('welcome', 'instructional_video', 'introduction', 'question', 'conditional', 'follow_up', 'candidate_asks',
      'thank_you')
  ),
  place integer, -- the step of the plan
  after_turn uuid,
  speaker text, -- the name of the character that said the line
  question_original_id uuid,
  question_original text,
  question_asked text,
  platform_language_code text,
  choices text[],
  mode text check (mode in ('none', 'text', 'choice', 'voice', 'video')),
  is_required boolean,
  max_seconds integer,
  -- How the recording of the answer is kept. Null: a recording serves the transcript only.
  recorded text check (recorded in ('audio', 'video')),
  external_id text,
  external_data jsonb,
  asked_at timestamptz,
  answered_at timestamptz,
  is_answer boolean not null,
  answer_kind text check (answer_kind in ('text', 'choice', 'recording', 'seen')),
  answer text,
  answer_original text, -- what the candidate said before editing `answer`
  is_typed boolean not null default false, -- typed although the question was to be answered by voice or video
  duration integer, -- deciseconds
  recording_id uuid,
  recording_local_path text,
  recording_is_video boolean,
  -- `draft`: the answer is what the live process heard, because its recording was never completed or transcribed.
  transcript_status text check (transcript_status in ('pending', 'done', 'failed', 'draft')),
  -- How sure the transcription was of its words, for the score of the pronunciation (docs/scoring.md#the-total): the mean
  -- probability of the tokens, 0 to 1.
  transcript_confidence double precision,
  transcript_tokens integer,
  score numeric,
  score_simulation numeric,
  score_answer_ai numeric,
  score_answer_ai_simulation numeric,
  ai_analysis text,
  ai_analysis_recruiter text,
  answer_assessment_raw_data jsonb,
  created_at timestamptz not null default now(),
  unique (merchant_id, result_id, attempt, step_order),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id),
  foreign key (merchant_id, question_original_id) references question (merchant_id, id)
);
-- A turn has at most one next turn. If both a late decision of the model and the fallback (the next planned turn) add
-- one, only the first is stored.
create unique index result_question__merchant_id_result_id_attempt_after_turn
  on result_question (merchant_id, result_id, attempt, after_turn) nulls not distinct where kind is not null;
-- The index stays small, because few answers wait for a transcript at any time.
create index result_question__answered_at on result_question (answered_at) where transcript_status = 'pending';
create index result_question__merchant_id_created_at on result_question (merchant_id, created_at)
  where recording_local_path is not null;
alter table result_question enable row level security, force row level security;
