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
  text text check (length(text) between 1 and 60000), -- null: the file has no text that can be read
  created_at timestamptz not null default now(),
  stored_at timestamptz, -- when the object store had the file; null: not yet, or never
  path text not null generated always as (
    merchant_id::text || '/' || environment || '/' || result_id::text || '/' || attempt::text || '/' || id::text || '.' || kind
  ) stored,
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

-- A résumé is assessed like an answer. The list has the purposes of 0039 too, so the order of the two does not matter.
alter table model_call drop constraint model_call_purpose_check, add check (
  purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply', 'avatar_reply', 'transcription', 'listening',
    'speech', 'question_video', 'answer_assessment', 'session_assessment', 'resume_assessment', 'knowledge_comparison',
    'result_summary')
);
alter table score_sample drop constraint score_sample_subject_check, add check (
  subject in ('answer', 'session', 'resume', 'comparison', 'summary')
);
