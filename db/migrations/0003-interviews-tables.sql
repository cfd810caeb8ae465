-- Interview definitions, positions and their parts (docs/interviews.md).

create table interview_template (
  id uuid primary key,
  name text not null,
  type text not null unique check (type in ('offline_avatar_1', 'offline_avatar_2', 'interactive_avatar_1',
    'offline_avatar_3', 'interactive_voice', 'interactive_avatar_2')),
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
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  id uuid not null default uuidv7(),
  name text not null check (char_length(name) between 1 and 200),
  text text not null check (char_length(text) between 1 and 200000),
  character_count integer not null generated always as (char_length(text)) stored, -- so that lists need not read the text
  status text not null default 'active' check (status in ('active', 'archived')),
  -- The model answers candidates' questions from a knowledge base only if this is true.
  is_for_candidates boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
alter table knowledge_base enable row level security, force row level security;

create table position (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment() check (environment in ('production', 'uat', 'development', 'demo')),
  name text not null check (name <> ''),
  code text,
  status text not null check (status in ('draft', 'active', 'archived', 'deleted', 'preparing', 'completed')),
  visibility text not null
    check (visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted', 'sub_item')),
  -- The end of the address of its portal page, made by db/interviews/slug.ts. It is unique over all merchants.
  slug text,
  platform_language_code text not null default 'en',
  description text,
  cover_image_url text,
  interview_location text not null,
  interview_department text,
  interview_salary text,
  interview_description_long text,
  interview_available_till text,
  hiring_for_company jsonb,
  recruiter_profile_id uuid,
  candidate_notification_channel text check (candidate_notification_channel in ('reminders', 'last_reminder', 'all')),
  former_step_ids uuid[] not null default '{}', -- the interviews that were steps of the position and no longer are
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  -- A recruiter's home merchant can change until the first invitation is accepted, while the merchant of the row stays.
  -- Therefore the foreign key leaves out the merchant.
  foreign key (recruiter_profile_id) references profile (id)
);
create index position__merchant_id_environment on position (merchant_id, environment) where status = 'active';
create index position__merchant_id_environment_created_at_id on position (merchant_id, environment, created_at, id)
  where status <> 'deleted';
create unique index position__slug on position (slug);
-- The lists of open jobs: of one merchant, and of all merchants.
create index position__merchant_id_created_at_id on position (merchant_id, created_at, id)
  where environment = 'production' and status = 'active' and visibility in ('public', 'merchant_public');
create index position__created_at_id on position (created_at, id)
  where environment = 'production' and status = 'active' and visibility = 'public';
alter table position enable row level security, force row level security;

create table interview (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment() check (environment in ('production', 'uat', 'development', 'demo')),
  name text not null check (name <> ''),
  code text,
  type text not null
    check (type in ('coaching', 'interview', 'persona', 'persona_interview', 'public_avatar', 'assessment')),
  status text not null check (status in ('draft', 'active', 'archived', 'deleted', 'preparing', 'completed')),
  visibility text not null
    check (visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted', 'sub_item')),
  slug text, -- as in position
  platform_language_code text not null,
  interview_template_id uuid not null references interview_template (id),
  description text,
  cover_image_url text,
  tags text[],
  -- The job.
  interview_location text not null,
  interview_department text,
  interview_salary text,
  interview_description_long text,
  interview_available_till text,
  candidate_expectations text,
  candidate_expectations_json jsonb,
  recruiter_profile_id uuid,
  stage text check (stage in ('Interest', 'Application submitted', 'Interview 1st planned', 'Interview 1st completed',
    'Interview 2nd planned', 'Interview 2nd completed', 'Interview 3rd planned', 'Interview 3rd completed',
    'Offer negotiations', 'Hired', 'Rejected', 'Offer declined', 'Other')),
  -- Mails to candidates.
  candidate_notification_channel text check (candidate_notification_channel in ('reminders', 'last_reminder', 'all')),
  answer_within_days integer check (answer_within_days between 1 and 365),
  next_step_text text check (length(next_step_text) between 1 and 2000),
  -- Coaching.
  type_credit text check (type_credit in ('resume_check', 'interview_coach_starter', 'interview_coach_contributor',
    'interview_coach_manager', 'cover_letter')),
  coach_plan text check (coach_plan in ('demo', 'screening', '2nd', '3rd', 'closing', 'job-specific', 'other')),
  -- The name, role, situation, goal, mood and opening_line of the character that the AI plays. Null: it plays nobody.
  persona jsonb check (persona is null or type in ('persona', 'persona_interview') and jsonb_typeof(persona) = 'object'),
  -- The conversation.
  knowledge_base_store_id uuid,
  interview_conversation_speed text check (interview_conversation_speed in ('slower', 'normal', 'faster')),
  max_followups integer,
  max_duration integer,
  questions_random_subset double precision,
  required_pronunciation boolean not null,
  candidate_video_introduction text not null check (candidate_video_introduction in ('hidden', 'optional', 'required')),
  recording text check (recording in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  recording_full_session text
    check (recording_full_session in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  -- The result.
  result_view text not null
    check (result_view in ('minimal', 'advanced', 'full', 'full_expand_scores', 'minimal_with_score', 'none')),
  result_scoring jsonb,
  result_enable_edit_transcript boolean not null,
  pdf_export_auto_config jsonb,
  creation_parameters jsonb not null, -- what the definition was created from
  calc_definition_json jsonb,
  questions_generated integer,
  -- The workflow that builds the interview uses the next three columns: its input, the draft of the model, and the time
  -- until which it may commit.
  build_input jsonb,
  draft jsonb,
  deadline_at timestamptz not null default now() + interval '57 seconds',
  built_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  foreign key (merchant_id, knowledge_base_store_id) references knowledge_base (merchant_id, id),
  foreign key (recruiter_profile_id) references profile (id) -- as in position
);
create index interview__deadline_at on interview (deadline_at) where built_at is null;
-- Makes the counts of active definitions fast, as in position.
create index interview__merchant_id_environment on interview (merchant_id, environment) where status = 'active';
-- Lists the sessions of the catalogue by name. A directory lists the sessions that have all of its tags.
create index interview__merchant_id_environment_name_id on interview (merchant_id, environment, name, id)
  where status = 'active' and type in ('coaching', 'persona') and visibility in ('public', 'merchant_public')
    and built_at is not null;
create index interview__tags on interview using gin (tags);
-- Lists of interviews are filtered by status or type, and searched by name and code.
create index interview__merchant_id_environment_created_at_id on interview (merchant_id, environment, created_at, id)
  include (status, type, name, code) where built_at is not null and status <> 'deleted';
create index interview__merchant_id_environment_status_created_at_id
  on interview (merchant_id, environment, status, created_at, id) where built_at is not null and status <> 'deleted';
create index interview__merchant_id_environment_type_created_at_id
  on interview (merchant_id, environment, type, created_at, id) where built_at is not null and status <> 'deleted';
create index interview__name_code on interview using gin (name extension.gin_trgm_ops, code extension.gin_trgm_ops);
create index interview__merchant_id_knowledge_base_store_id on interview (merchant_id, knowledge_base_store_id)
  where knowledge_base_store_id is not null;
create unique index interview__slug on interview (slug);
-- The lists of open jobs: of one merchant, and of all merchants.
create index interview__merchant_id_created_at_id on interview (merchant_id, created_at, id)
  where environment = 'production' and status = 'active' and type in ('interview', 'assessment', 'persona_interview')
    and visibility in ('public', 'merchant_public') and built_at is not null;
create index interview__created_at_id on interview (created_at, id)
  where environment = 'production' and status = 'active' and type in ('interview', 'assessment', 'persona_interview')
    and visibility = 'public' and built_at is not null;
-- The list of the public sessions of all merchants.
create index interview__created_at_id_merchant_id on interview (created_at, id, merchant_id)
  where environment = 'production' and status = 'active' and type in ('coaching', 'persona') and visibility = 'public'
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
create index question__merchant_id_knowledge_base_id on question (merchant_id, knowledge_base_id)
  where knowledge_base_id is not null;
alter table question enable row level security, force row level security;

create table interview_question (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment() check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  question_id uuid not null,
  step_order integer not null,
  primary key (merchant_id, interview_id, step_order),
  unique (merchant_id, interview_id, question_id),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id) on delete cascade,
  foreign key (merchant_id, question_id) references question (merchant_id, id)
);
create index interview_question__merchant_id_question_id on interview_question (merchant_id, question_id);
alter table interview_question enable row level security, force row level security;

-- Videos in which the interviewer's figure speaks a question (docs/interviews.md#question-videos).
create table question_video (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  question_id uuid not null,
  wording integer not null check (wording >= 0), -- 0 is the question, and n the nth of its other wordings
  speed text not null check (speed in ('slower', 'normal', 'faster')),
  interview_id uuid not null, -- the first interview that needed it; the ledger of model calls names it
  state text not null default 'queued' check (state in ('queued', 'sending', 'rendering', 'ready', 'failed', 'deleting')),
  error text check ((state = 'failed') = (error is not null)),
  provider_id text,
  sent_at timestamptz, -- when the provider was first asked for this rendering
  duration_ms integer,
  size_bytes integer,
  created_at timestamptz not null default now(),
  unique (merchant_id, question_id, wording, speed),
  foreign key (merchant_id, question_id) references question (merchant_id, id)
);
alter table question_video enable row level security, force row level security;

create table position_step (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment() check (environment in ('production', 'uat', 'development', 'demo')),
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
  environment text not null default app.environment() check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  signing_key_sealed bytea not null,
  -- The origins whose pages may show the interview in a frame. The check allows only origins, because the values become
  -- part of a page's content security policy.
  embed_origins text[] not null default '{}' check (
    cardinality(embed_origins) <= 20 and array_position(embed_origins, null) is null
    and array_to_string(embed_origins, ' ') ~ '^(https?://[a-z0-9.-]+(:[0-9]+)?( (?=h)|$))*$'
  ),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  foreign key (merchant_id, interview_id) references interview (merchant_id, id) on delete cascade,
  unique (merchant_id, id)
);
create unique index embed_key__merchant_id_interview_id on embed_key (merchant_id, interview_id) where revoked_at is null;
-- Includes revoked keys, because the deletion of an unbuilt interview looks up all keys of the interview.
create index embed_key__merchant_id_interview_id_id on embed_key (merchant_id, interview_id, id);
alter table embed_key enable row level security, force row level security;

-- One row per request to a model. A row stays when its interview is deleted.
create table model_call (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id),
  interview_id uuid not null,
  result_id uuid,
  attempt integer,
  purpose text not null check (purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply',
    'avatar_reply', 'transcription', 'listening', 'speech', 'question_video', 'answer_assessment', 'session_assessment',
    'resume_assessment', 'knowledge_comparison', 'result_summary')),
  model text not null,
  prompt_version text not null,
  prompt_tokens integer,
  completion_tokens integer,
  cost_usd numeric check (cost_usd >= 0), -- null if the provider is paid per token, or the price is not known
  duration_ms integer not null,
  outcome text not null check (outcome in ('accepted', 'rejected', 'refused', 'failed')),
  created_at timestamptz not null default now()
);
create index model_call__merchant_id_created_at on model_call (merchant_id, created_at);
alter table model_call enable row level security, force row level security;
