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

insert into interview_template (id, name, type, status, usable) values
  ('0198a000-0000-7000-8000-000000000001', 'Offline avatar 1', 'offline_avatar_1', 'active', false),
  ('0198a000-0000-7000-8000-000000000002', 'Offline avatar 2', 'offline_avatar_2', 'active', false),
  ('0198a000-0000-7000-8000-000000000003', 'Offline avatar 3', 'offline_avatar_3', 'active', true),
  ('0198a000-0000-7000-8000-000000000004', 'Interactive avatar 1', 'interactive_avatar_1', 'active', true),
  ('0198a000-0000-7000-8000-000000000005', 'Interactive avatar 2', 'interactive_avatar_2', 'active', true),
  ('0198a000-0000-7000-8000-000000000006', 'Interactive voice', 'interactive_voice', 'active', true);

create table knowledge_base (
  merchant_id uuid not null references merchant (id),
  id uuid not null default uuidv7(),
  name text not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);

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
  foreign key (merchant_id, recruiter_profile_id) references profile (merchant_id, id)
);

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
  unique (merchant_id, id),
  foreign key (merchant_id, recruiter_profile_id) references profile (merchant_id, id),
  foreign key (merchant_id, knowledge_base_store_id) references knowledge_base (merchant_id, id)
);
create index interview__deadline_at on interview (deadline_at) where built_at is null;

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

create table embed_key (
  id uuid primary key default gen_random_uuid(),
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  signing_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  foreign key (merchant_id, interview_id) references interview (merchant_id, id) on delete cascade
);
create unique index embed_key__merchant_id_interview_id on embed_key (merchant_id, interview_id)
  where revoked_at is null;
-- Unlike the unique index above, this index includes revoked keys, because the deletion of an unbuilt interview looks
-- up all keys of the interview.
create index embed_key__merchant_id_interview_id_id on embed_key (merchant_id, interview_id, id);
create index position_step__merchant_id_interview_id on position_step (merchant_id, interview_id);

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
  created_at timestamptz not null default now()
);
create index model_call__merchant_id_created_at on model_call (merchant_id, created_at);

create trigger interview_touch before update on interview
  for each row when (old.built_at is not null) execute function app.touch_updated_at();
create trigger position_touch before update on position
  for each row execute function app.touch_updated_at();

alter table interview_template enable row level security, force row level security;
alter table knowledge_base enable row level security, force row level security;
alter table position enable row level security, force row level security;
alter table interview enable row level security, force row level security;
alter table question enable row level security, force row level security;
alter table interview_question enable row level security, force row level security;
alter table position_step enable row level security, force row level security;
alter table embed_key enable row level security, force row level security;
alter table model_call enable row level security, force row level security;

-- Callers see the rows of their own merchant and environment. Queries must leave out deleted definitions. The select
-- policy cannot do this: Postgres also applies it to the new row of an update, so no row could be set to deleted.
create policy interview_template_caller_select on interview_template for select to app_user, app_service using (true);
create policy knowledge_base_caller_select on knowledge_base for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy position_caller_select on position for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_caller_update on position for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
-- No caller sees an interview that is still being built.
create policy interview_caller_select on interview for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy interview_caller_insert on interview for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_caller_update on interview for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and built_at is not null
  );
create policy question_caller_select on question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy question_caller_insert on question for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()));
create policy interview_question_caller_select on interview_question for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_question_caller_insert on interview_question for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy interview_question_caller_delete on interview_question for delete to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy position_step_caller_select on position_step for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_caller_select on embed_key for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_caller_insert on embed_key for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy embed_key_caller_update on embed_key for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select on interview_template, knowledge_base, position, interview, question, interview_question,
  position_step, embed_key to app_user, app_service;
grant insert on interview, question, interview_question, embed_key to app_user, app_service;
grant update (name, status, visibility, code, interview_location, cover_image_url, description,
  interview_description_long, interview_department, interview_salary, interview_available_till, recruiter_profile_id,
  hiring_for_company) on position to app_user, app_service;
grant update (name, status, visibility, code, interview_location, cover_image_url, description,
  interview_description_long, interview_department, interview_salary, interview_available_till, recruiter_profile_id,
  interview_template_id, knowledge_base_store_id, recording, recording_full_session, result_view,
  candidate_video_introduction, candidate_expectations, candidate_expectations_json, result_scoring, tags, coach_plan,
  interview_conversation_speed, max_followups, max_duration, questions_random_subset, required_pronunciation,
  result_enable_edit_transcript, pdf_export_auto_config, creation_parameters, calc_definition_json)
  on interview to app_user, app_service;
grant update (revoked_at) on embed_key to app_user, app_service;
grant delete on interview_question to app_user, app_service;

-- The worker can access the rows of every merchant, but only the columns that its activities need.
create policy interview_template_worker_select on interview_template for select to app_worker using (true);
create policy knowledge_base_worker_select on knowledge_base for select to app_worker using (true);
create policy interview_worker_select on interview for select to app_worker using (true);
create policy interview_worker_update on interview for update to app_worker using (built_at is null) with check (true);
create policy interview_worker_delete on interview for delete to app_worker using (built_at is null);
create policy question_worker_insert on question for insert to app_worker with check (true);
create policy interview_question_worker_insert on interview_question for insert to app_worker with check (true);
create policy embed_key_worker_insert on embed_key for insert to app_worker with check (true);
create policy model_call_worker_insert on model_call for insert to app_worker with check (true);
grant select on interview_template, knowledge_base, interview to app_worker;
grant update (description, interview_description_long, candidate_expectations_json, creation_parameters,
  calc_definition_json, questions_generated, slug, build_input, draft, built_at) on interview to app_worker;
grant delete on interview to app_worker;
grant insert on question, interview_question, embed_key, model_call to app_worker;

-- Deletes the unbuilt interview of a request that timed out. Returns false if the workflow has built the interview
-- meanwhile. It is a definer function because callers do not see unbuilt rows.
create function app.discard_unbuilt_interview(p_interview_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.interview i
    where i.id = p_interview_id and i.built_at is null
      and i.merchant_id = app.merchant_id() and i.environment = app.environment();
  return found;
end
$$;
grant execute on function app.discard_unbuilt_interview(uuid) to app_user, app_service;
alter function app.discard_unbuilt_interview(uuid) owner to app_definer;
create policy interview_definer_select on interview for select to app_definer using (true);
create policy interview_definer_delete on interview for delete to app_definer using (built_at is null);
grant select (id, merchant_id, environment, built_at), delete on interview to app_definer;
