-- Since when the object store rejects the parts of a recording. Null after it has stored one (docs/taking.md#ends).
alter table recording add column refused_at timestamptz;

-- Why an attempt ended was an English sentence, and is a code now.
alter table interview_result no force row level security, disable trigger user;
alter table interview_result_attempt no force row level security, disable trigger user;
create temporary table reason on commit drop as select * from (values
  ('All questions were answered.', 'all_questions_answered'),
  ('The time was over.', 'time_over'),
  ('The candidate ended the interview.', 'stopped_early'),
  ('No answer had any words.', 'no_speech'),
  ('Three answers in a row had no words.', 'no_speech'),
  ('The candidate did nothing for an hour.', 'left'),
  ('A recruiter has reopened the result.', 'stopped_early'),
  ('A recruiter has decided about the candidate.', 'stopped_early')
) as t (sentence, code);
update interview_result r set ai_completion_reason = coalesce(
    (select code from reason where sentence = r.ai_completion_reason),
    case when r.interview_status = 'failed' then 'technical_error' end
  )
  where r.ai_completion_reason is not null;
update interview_result_attempt a set fields = jsonb_set(a.fields, '{ai_completion_reason}', coalesce(
    (select to_jsonb(code) from reason where sentence = a.fields ->> 'ai_completion_reason'),
    case when a.fields ->> 'interview_status' = 'failed' then '"technical_error"' else 'null' end::jsonb
  ))
  where a.fields ->> 'ai_completion_reason' is not null;
alter table interview_result add constraint interview_result_ai_completion_reason_check check (ai_completion_reason in (
  'all_questions_answered', 'time_over', 'stopped_early', 'no_speech', 'left', 'technical_error'
));
alter table interview_result force row level security, enable trigger user;
alter table interview_result_attempt force row level security, enable trigger user;
