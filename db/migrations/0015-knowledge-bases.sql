-- Knowledge bases are written by callers: they have a state, a time of their last change, and a number of characters, which
-- lists show without reading the texts.
alter table knowledge_base
  alter column merchant_id set default app.merchant_id(),
  add column status text not null default 'active' check (status in ('active', 'archived')),
  add column updated_at timestamptz not null default now(),
  add column character_count integer not null generated always as (char_length(text)) stored,
  add check (char_length(name) between 1 and 200),
  add check (char_length(text) between 1 and 200000);

-- These indexes find the interviews that use a knowledge base, themselves or in one of their questions.
create index interview__merchant_id_knowledge_base_store_id on interview (merchant_id, knowledge_base_store_id)
  where knowledge_base_store_id is not null;
create index question__merchant_id_knowledge_base_id on question (merchant_id, knowledge_base_id)
  where knowledge_base_id is not null;
create index interview_question__merchant_id_question_id on interview_question (merchant_id, question_id);

-- Answers are compared with the knowledge base of their question, and follow-ups are chosen with that of their interview.
alter table model_call drop constraint model_call_purpose_check, add check (
  purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply', 'transcription', 'speech',
    'answer_assessment', 'session_assessment', 'knowledge_comparison', 'result_summary')
);
alter table score_sample drop constraint score_sample_subject_check, add check (
  subject in ('answer', 'session', 'comparison', 'summary')
);
