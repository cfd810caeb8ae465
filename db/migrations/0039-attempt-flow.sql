-- Decisions about the turns of an attempt, and the speech of questions (docs/taking.md#decisions).

alter table model_call
  add column purpose text not null default 'interview_draft' check (
    purpose in ('interview_draft', 'next_turn', 'candidate_reply', 'transcription', 'speech')
  ),
  add column result_id uuid,
  add column attempt integer;
alter table model_call alter column purpose drop default;

-- Answers that wait for a transcript are few at any time.
create index result_question__answered_at on result_question (answered_at) where transcript_status = 'pending';

-- Candidates get answers from a knowledge base only if it is marked so.
alter table knowledge_base add column is_for_candidates boolean not null default false;

create policy question_worker_select on question for select to app_worker using (true);
create policy interview_question_worker_select on interview_question for select to app_worker using (true);
grant select on question, interview_question to app_worker;

-- Renders the questions of an active interview as speech when it is activated and when its definition changes, if its
-- template speaks. A text that has a file is not rendered again.
create function app.queue_interview_speech() returns trigger language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
  select new.merchant_id, new.environment, 'interviewSpeech', 'interview-speech/' || new.id || '/' || uuidv7(),
    jsonb_build_object('interview_id', new.id)
  from public.interview_template t where t.id = new.interview_template_id and t.type like 'interactive%';
  return null;
end
$$;
create trigger interview_speech after update on interview for each row
  when (
    new.status = 'active' and new.built_at is not null and (
      old.status <> 'active' or old.built_at is null
      or old.calc_definition_json is distinct from new.calc_definition_json
    )
  )
  execute function app.queue_interview_speech();
alter function app.queue_interview_speech() owner to app_definer;
