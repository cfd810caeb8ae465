-- Taking an interview (docs/taking.md).

-- How an attempt is conducted and scored, stored when it begins. An attempt without a row is scored with the current
-- settings of the interview.
create table attempt_plan (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  session_rubric jsonb,
  scoring jsonb, -- the weights of the interview (`custom_scoring`)
  scores_pronunciation boolean not null default false,
  persona jsonb, -- the character that the AI plays
  -- What the interview asks to record (docs/taking.md#recordings), and what was deleted since of the recordings.
  recording text check (recording in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  recording_full_session text
    check (recording_full_session in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  deleted_recordings integer not null default 0,
  deleted_bytes bigint not null default 0,
  -- How many answers have no transcript because their sound was deleted before one could be made
  -- (docs/taking.md#attempts-that-fail).
  lost_answers integer not null default 0,
  -- What the attempt costs (docs/account.md#credits). Null: what the interview costs when the price is due.
  price numeric(12, 2),
  price_if_early numeric(12, 2), -- if it ends with the status `completed, stopped early`
  -- An attempt whose interview allows it (`early_stop`) is stopped early when its answers are enough, or empty
  -- (docs/taking.md#early-stop).
  stopped_after integer, -- the place in the plan after which no scored question is asked
  stopped_because text check (stopped_because in ('enough', 'empty')),
  primary key (merchant_id, result_id, attempt),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
alter table attempt_plan enable row level security, force row level security;

-- The steps of an attempt, written when it begins. Later changes of the interview do not change them.
create table attempt_step (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  place integer not null,
  kind text not null check (
    kind in ('welcome', 'instructional_video', 'introduction', 'question', 'conditional', 'candidate_asks', 'thank_you')
  ),
  parent_place integer, -- of a conditional question
  question_id uuid,
  view text not null,
  text text not null, -- empty for an introduction: its page has the words
  platform_language_code text not null,
  choices text[],
  mode text not null check (mode in ('none', 'text', 'choice', 'voice', 'video')),
  is_required boolean not null,
  is_scored boolean not null,
  max_seconds integer,
  max_followups integer not null,
  rubric jsonb,
  knowledge_base_id uuid,
  external_id text,
  external_data jsonb,
  primary key (merchant_id, result_id, attempt, place),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
alter table attempt_step enable row level security, force row level security;

-- Recordings of candidates (docs/taking.md#recordings): uploaded in parts, which the worker joins to one file.
create table recording (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  kind text not null check (kind in ('turn', 'session', 'introduction')),
  turn_id uuid, -- the row of result_question that it answers; null for a session
  -- False: the file serves the transcript only. The worker deletes the recording when there is one, and an hour after its
  -- upload at the latest.
  is_kept boolean not null default true,
  media_type text not null check (
    media_type in ('audio/mp4', 'audio/ogg', 'audio/wav', 'audio/webm', 'video/mp4', 'video/webm')
  ),
  verified_type text, -- what the content is; the same as media_type
  -- False: the worker has found no picture in a recording that was to be a video, so it counts as sound.
  has_picture boolean not null default true,
  path text not null generated always as (
    merchant_id::text || '/' || environment || '/' || result_id::text || '/' || attempt::text || '/' || id::text || '.'
    || case media_type when 'audio/mp4' then 'm4a' when 'audio/ogg' then 'ogg' when 'audio/wav' then 'wav'
      when 'audio/webm' then 'weba' when 'video/mp4' then 'mp4' else 'webm' end
  ) stored,
  -- open: parts arrive. completed: all parts have arrived and the worker joins them. stored: there is one file.
  -- discarded: the worker deletes what is stored.
  state text not null default 'open' check (state in ('open', 'completed', 'stored', 'discarded')),
  parts integer not null default 0,
  bytes bigint not null default 0,
  duration_ms integer,
  measured_ms integer check (measured_ms >= 0), -- measured by the worker; null: not known
  -- What the live process heard of an answer whose recording is still being uploaded (docs/live.md#answers).
  draft text check (length(draft) between 1 and 20000),
  created_at timestamptz not null default now(),
  first_part_at timestamptz, -- when the first of its parts was stored
  -- Since when the object store rejects the parts. Null after it has stored one (docs/taking.md#ends).
  refused_at timestamptz,
  completed_at timestamptz,
  stored_at timestamptz,
  -- When the worker has to join the parts, delete them, or discard an abandoned upload. Null if it has nothing to do.
  work_at timestamptz,
  tries integer not null default 0,
  unique (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id),
  check ((turn_id is null) = (kind = 'session')),
  check (state in ('open', 'discarded') or verified_type = media_type)
);
create index recording__merchant_id_result_id_attempt on recording (merchant_id, result_id, attempt);
create unique index recording__merchant_id_result_id_attempt_turn_id
  on recording (merchant_id, result_id, attempt, turn_id) nulls not distinct where state = 'open';
create index recording__work_at on recording (work_at) where work_at is not null;
-- The worker finds what it has to erase with these indexes.
create index recording__merchant_id_created_at on recording (merchant_id, created_at);
alter table recording enable row level security, force row level security;

create table recording_part (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  recording_id uuid not null,
  part integer not null check (part between 1 and 2000),
  bytes integer not null check (bytes between 1 and 1048576),
  sha256 bytea not null check (length(sha256) = 32),
  primary key (merchant_id, recording_id, part),
  foreign key (merchant_id, recording_id) references recording (merchant_id, id) on delete cascade
);
alter table recording_part enable row level security, force row level security;

-- The résumé that a candidate adds to an attempt (docs/taking.md#resume).
create table resume (
  merchant_id uuid not null references merchant (id),
  id uuid not null default uuidv7(),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  name text not null check (length(name) between 1 and 200), -- of the file, as the candidate named it
  kind text not null check (kind in ('pdf', 'docx', 'txt')),
  bytes integer not null check (bytes between 1 and 5242880),
  sha256 bytea not null check (length(sha256) = 32),
  path text not null generated always as (
    merchant_id::text || '/' || environment || '/' || result_id::text || '/' || attempt::text || '/' || id::text || '.' || kind
  ) stored,
  text text check (length(text) between 1 and 60000), -- null: the file has no text that can be read
  created_at timestamptz not null default now(),
  stored_at timestamptz, -- when the object store had the file; null: not yet, or never
  primary key (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create unique index resume__merchant_id_result_id_attempt on resume (merchant_id, result_id, attempt)
  where stored_at is not null;
create index resume__merchant_id_result_id on resume (merchant_id, result_id);
-- The worker finds what it has to delete with these indexes.
create index resume__merchant_id_created_at on resume (merchant_id, created_at);
create index resume__merchant_id_created_at_id on resume (merchant_id, created_at, id) where stored_at is null;
alter table resume enable row level security, force row level security;

-- Messages that candidates send with their link. A request for more time belongs to the enrolment, every other message
-- to an attempt.
create table candidate_message (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('more_time', 'human_review', 'survey', 'trouble')),
  enrolment_id uuid not null,
  interview_id uuid not null,
  result_id uuid,
  attempt integer,
  time_factor numeric(3, 2) check (time_factor in (1.25, 1.5, 2)), -- that was asked for
  rating integer check (rating between 1 and 5),
  trouble text check (trouble in ('sound', 'picture', 'connection', 'question', 'other')),
  text text,
  created_at timestamptz not null default now(),
  due_at timestamptz,
  outcome text check (outcome in ('granted', 'declined', 'answered')),
  reply text,
  closed_at timestamptz,
  closed_by uuid,
  primary key (merchant_id, id),
  check ((kind = 'more_time') = (result_id is null) and (result_id is null) = (attempt is null)),
  check ((kind = 'more_time') = (time_factor is not null)),
  check ((kind = 'survey') = (rating is not null)),
  check ((kind = 'trouble') = (trouble is not null)),
  check ((outcome is null) = (closed_at is null)),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create unique index candidate_message__merchant_id_result_id_attempt_kind
  on candidate_message (merchant_id, result_id, attempt, kind)
  where kind in ('human_review', 'survey');
create unique index candidate_message__merchant_id_enrolment_id_kind
  on candidate_message (merchant_id, enrolment_id, kind)
  where kind = 'more_time' and closed_at is null;
create index candidate_message__merchant_id_enrolment_id on candidate_message (merchant_id, enrolment_id);
create index candidate_message__merchant_id_result_id_attempt on candidate_message (merchant_id, result_id, attempt);
create index candidate_message__merchant_id_environment_id on candidate_message (merchant_id, environment, id);
create index candidate_message__merchant_id_created_at on candidate_message (merchant_id, created_at)
  where kind = 'more_time';
alter table candidate_message enable row level security, force row level security;

-- The embed tokens that were used. They are kept until they expire, so that another browser cannot use them again.
create table embed_token_use (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  embed_key_id uuid not null default app.embed_key_id(),
  token_hash bytea not null, -- of the claim jti
  expires_at timestamptz not null,
  primary key (merchant_id, embed_key_id, token_hash),
  foreign key (merchant_id, embed_key_id) references embed_key (merchant_id, id) on delete cascade
);
create index embed_token_use__expires_at on embed_token_use (expires_at);
alter table embed_token_use enable row level security, force row level security;
