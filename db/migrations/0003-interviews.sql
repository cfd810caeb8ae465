-- Interview definitions, positions and their parts (docs/interviews.md).

create table interview_template (
  id uuid primary key,
  name text not null,
  type text not null unique check (
    type in ('offline_avatar_1', 'offline_avatar_2', 'interactive_avatar_1', 'offline_avatar_3',
      'interactive_voice', 'interactive_avatar_2')
  ),
  platform_language_code text, -- null: every language
  status text not null check (status in ('active', 'archived')),
  usable boolean not null -- whether new interviews can use it
);
-- The rows are inserted before row-level security is forced on the owner of the table.
insert into interview_template (id, name, type, status, usable) values
  ('0198a000-0000-7000-8000-000000000001', 'Offline avatar 1', 'offline_avatar_1', 'active', false),
  ('0198a000-0000-7000-8000-000000000002', 'Offline avatar 2', 'offline_avatar_2', 'active', false),
  ('0198a000-0000-7000-8000-000000000003', 'Offline avatar 3', 'offline_avatar_3', 'active', true),
  ('0198a000-0000-7000-8000-000000000004', 'Interactive avatar 1', 'interactive_avatar_1', 'active', true),
  ('0198a000-0000-7000-8000-000000000005', 'Interactive avatar 2', 'interactive_avatar_2', 'active', true),
  ('0198a000-0000-7000-8000-000000000006', 'Interactive voice', 'interactive_voice', 'active', true);
alter table interview_template enable row level security, force row level security;

create table knowledge_base (
  merchant_id uuid not null references merchant (id),
  id uuid not null default uuidv7(),
  name text not null,
  text text not null,
  created_at timestamptz not null default now(),
  -- The model answers candidates' questions from a knowledge base only if this is true.
  is_for_candidates boolean not null default false,
  primary key (merchant_id, id)
);
alter table knowledge_base enable row level security, force row level security;

create table position (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  name text not null check (name <> ''),
  status text not null check (status in ('draft', 'active', 'archived', 'deleted', 'preparing', 'completed')),
  visibility text not null check (
    visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted', 'sub_item')
  ),
  code text,
  interview_location text not null,
  cover_image_url text,
  platform_language_code text not null default 'en',
  description text,
  interview_description_long text,
  interview_department text,
  interview_salary text,
  interview_available_till text,
  candidate_notification_channel text check (candidate_notification_channel in ('reminders', 'last_reminder', 'all')),
  recruiter_profile_id uuid,
  hiring_for_company jsonb,
  slug text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  -- A recruiter's home merchant can change until the first invitation is accepted, while the merchant of the row stays.
  -- Therefore the foreign key leaves out the merchant.
  foreign key (recruiter_profile_id) references profile (id)
);
create index position__merchant_id_environment on position (merchant_id, environment) where status = 'active';
alter table position enable row level security, force row level security;

create table interview (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  name text not null check (name <> ''),
  status text not null check (status in ('draft', 'active', 'archived', 'deleted', 'preparing', 'completed')),
  visibility text not null check (
    visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted', 'sub_item')
  ),
  stage text check (
    stage in ('Interest', 'Application submitted', 'Interview 1st planned', 'Interview 1st completed',
      'Interview 2nd planned', 'Interview 2nd completed', 'Interview 3rd planned', 'Interview 3rd completed',
      'Offer negotiations', 'Hired', 'Rejected', 'Offer declined', 'Other')
  ),
  type text not null check (
    type in ('coaching', 'interview', 'persona', 'persona_interview', 'public_avatar', 'assessment')
  ),
  code text,
  interview_location text not null,
  cover_image_url text,
  interview_template_id uuid not null references interview_template (id),
  knowledge_base_store_id uuid,
  platform_language_code text not null,
  recording text check (recording in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  recording_full_session text check (
    recording_full_session in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')
  ),
  type_credit text check (
    type_credit in ('resume_check', 'interview_coach_starter', 'interview_coach_contributor',
      'interview_coach_manager', 'cover_letter')
  ),
  result_view text not null check (
    result_view in ('minimal', 'advanced', 'full', 'full_expand_scores', 'minimal_with_score', 'none')
  ),
  candidate_video_introduction text not null check (candidate_video_introduction in ('hidden', 'optional', 'required')),
  description text,
  interview_description_long text,
  candidate_expectations text,
  interview_department text,
  interview_salary text,
  interview_available_till text,
  candidate_notification_channel text check (candidate_notification_channel in ('reminders', 'last_reminder', 'all')),
  recruiter_profile_id uuid,
  slug text,
  tags text[],
  coach_plan text check (coach_plan in ('demo', 'screening', '2nd', '3rd', 'closing', 'job-specific', 'other')),
  interview_conversation_speed text check (interview_conversation_speed in ('slower', 'normal', 'faster')),
  max_followups integer,
  max_duration integer,
  questions_random_subset double precision,
  required_pronunciation boolean not null,
  result_enable_edit_transcript boolean not null,
  candidate_expectations_json jsonb,
  result_scoring jsonb,
  creation_parameters jsonb not null,
  pdf_export_auto_config jsonb,
  calc_definition_json jsonb,
  questions_generated integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The workflow that builds the interview uses the next three columns: its input, the draft of the model, and the time
  -- until which it may commit.
  build_input jsonb,
  draft jsonb,
  deadline_at timestamptz not null default now() + interval '57 seconds',
  built_at timestamptz,
  next_step_text text check (length(next_step_text) between 1 and 2000),
  answer_within_days integer check (answer_within_days between 1 and 365),
  unique (merchant_id, id),
  foreign key (merchant_id, knowledge_base_store_id) references knowledge_base (merchant_id, id),
  -- A recruiter's home merchant can change until the first invitation is accepted, while the merchant of the row stays.
  -- Therefore the foreign key leaves out the merchant.
  foreign key (recruiter_profile_id) references profile (id)
);
create index interview__deadline_at on interview (deadline_at) where built_at is null;
-- These indexes make the counts of active definitions fast.
create index interview__merchant_id_environment on interview (merchant_id, environment) where status = 'active';
-- Finds the sessions of the catalogue by merchant, environment and name. A directory lists the sessions that have all
-- of its tags.
create index interview__merchant_id_environment_name_id on interview (merchant_id, environment, name, id)
  where status = 'active' and type in ('coaching', 'persona') and visibility in ('public', 'merchant_public')
    and built_at is not null;
alter table interview enable row level security, force row level security;

-- Several interviews can use the same question. A question is never changed: an edit creates a new question and links
-- it instead.
create table question (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  view text not null check (view in ('welcome', 'instructional_video', 'question', 'thank_you')),
  question text not null,
  duration integer,
  platform_language_code text not null,
  label text,
  is_conditional boolean not null default false,
  is_without_scoring boolean not null default false,
  is_candidate_asking_recruiter boolean not null default false,
  is_expert boolean not null default false,
  is_multiple_choice boolean not null default false,
  question_alternatives text[],
  conditional_question_main_id uuid,
  knowledge_base_id uuid,
  external_id text,
  external_data jsonb,
  candidate_expectations_json jsonb,
  created_at timestamptz not null default now(),
  unique (merchant_id, id),
  foreign key (merchant_id, conditional_question_main_id) references question (merchant_id, id),
  foreign key (merchant_id, knowledge_base_id) references knowledge_base (merchant_id, id)
);
alter table question enable row level security, force row level security;

create table interview_question (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  question_id uuid not null,
  step_order integer not null,
  primary key (merchant_id, interview_id, step_order),
  unique (merchant_id, interview_id, question_id),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id) on delete cascade,
  foreign key (merchant_id, question_id) references question (merchant_id, id)
);
alter table interview_question enable row level security, force row level security;

create table position_step (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  position_id uuid not null,
  interview_id uuid not null,
  step_order integer not null,
  primary key (merchant_id, position_id, step_order),
  foreign key (merchant_id, position_id) references position (merchant_id, id),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id)
);
create index position_step__merchant_id_interview_id on position_step (merchant_id, interview_id);
alter table position_step enable row level security, force row level security;

create table embed_key (
  id uuid primary key default gen_random_uuid(),
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  signing_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- The origins whose pages may show the interview in a frame. The check allows only origins, because the values become
  -- part of a page's content security policy.
  embed_origins text[] not null default '{}' check (
    cardinality(embed_origins) <= 20 and array_position(embed_origins, null) is null
    and array_to_string(embed_origins, ' ') ~ '^(https?://[a-z0-9.-]+(:[0-9]+)?( (?=h)|$))*$'
  ),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id) on delete cascade,
  unique (merchant_id, id)
);
create unique index embed_key__merchant_id_interview_id on embed_key (merchant_id, interview_id)
  where revoked_at is null;
-- Unlike the unique index above, this index includes revoked keys, because the deletion of an unbuilt interview looks
-- up all keys of the interview.
create index embed_key__merchant_id_interview_id_id on embed_key (merchant_id, interview_id, id);
alter table embed_key enable row level security, force row level security;

-- One row per request to the language model. A row stays when its interview is deleted.
create table model_call (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id),
  interview_id uuid not null,
  prompt_version text not null,
  model text not null,
  prompt_tokens integer,
  completion_tokens integer,
  duration_ms integer not null,
  outcome text not null check (outcome in ('accepted', 'rejected', 'refused', 'failed')),
  created_at timestamptz not null default now(),
  purpose text not null check (
    purpose in ('interview_draft', 'next_turn', 'candidate_reply', 'transcription', 'speech', 'answer_assessment',
      'session_assessment', 'result_summary')
  ),
  result_id uuid,
  attempt integer
);
create index model_call__merchant_id_created_at on model_call (merchant_id, created_at);
alter table model_call enable row level security, force row level security;
