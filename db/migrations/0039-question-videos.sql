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

alter table model_call add column if not exists cost_usd numeric check (cost_usd >= 0);
alter table model_call drop constraint model_call_purpose_check, add check (
  purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply', 'avatar_reply', 'transcription', 'listening',
    'speech', 'question_video', 'answer_assessment', 'session_assessment', 'resume_assessment', 'knowledge_comparison',
    'result_summary')
);
