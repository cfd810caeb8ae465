-- What the live process heard of an answer whose recording is still being uploaded (docs/live.md#answers).
alter table recording add column draft text check (length(draft) between 1 and 20000);

-- `draft`: the answer is what the live process heard, because its recording was never completed or transcribed.
alter table result_question drop constraint result_question_transcript_status_check,
  add check (transcript_status in ('pending', 'done', 'failed', 'draft'));

-- What a call has cost in USD. Set if its provider is not paid per token and the price is known.
alter table model_call add column if not exists cost_usd numeric check (cost_usd >= 0);
alter table model_call drop constraint model_call_purpose_check, add check (
  purpose in ('interview_draft', 'next_turn', 'follow_up_focus', 'candidate_reply', 'avatar_reply', 'transcription', 'listening',
    'speech', 'question_video', 'answer_assessment', 'session_assessment', 'resume_assessment', 'knowledge_comparison',
    'result_summary')
);
