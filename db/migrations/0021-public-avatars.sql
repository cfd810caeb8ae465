-- Visits of public avatars (docs/taking.md#public-avatars).

-- A visit is a result without a candidate. It is never scored or counted, and is deleted after 30 days.
alter table interview_result add column is_visit boolean not null default false;
alter table interview_result add check (not is_visit or enrolment_id is null and not is_test);
-- The worker finds the visits that it has to delete with this index.
create index interview_result__created_at on interview_result (created_at) where is_visit;

-- Lists of results leave visits out, so the index that they read has the new column.
drop index interview_result__merchant_id_environment_created_at_id;
create index interview_result__merchant_id_environment_created_at_id
  on interview_result (merchant_id, environment, created_at, id)
  include (updated_at, attempt, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
    interview_id, enrolment_id, is_visit);

alter table model_call drop constraint model_call_purpose_check, add check (
  purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply', 'avatar_reply', 'transcription', 'speech',
    'answer_assessment', 'session_assessment', 'knowledge_comparison', 'result_summary')
);
