-- What is recorded of an attempt, and what of it is kept (docs/taking.md#recordings).

-- What the interview asked to record when the attempt began, and what was deleted since of its recordings.
alter table attempt_plan add column recording text, add column recording_full_session text,
  add column deleted_recordings integer not null default 0, add column deleted_bytes bigint not null default 0,
  add check (recording in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers')),
  add check (recording_full_session in ('audio_first_5_answers', 'audio_all', 'video_all', 'video_first_5_answers'));

-- How the recording of the answer is kept. Null: a recording serves the transcript only.
alter table result_question add column recorded text check (recorded in ('audio', 'video'));

-- False: the file serves the transcript only. The worker deletes the recording when there is one, and an hour after its
-- upload at the latest.
alter table recording add column is_kept boolean not null default true;

-- True: the candidate may type answers that have to be videos (job-interview-set-time-factor).
alter table enrolment add column may_type boolean not null default false;

-- Attempts that began before go on as their candidates were told.
alter table attempt_plan no force row level security;
alter table result_question no force row level security;
alter table interview_result no force row level security;
alter table interview no force row level security;
update attempt_plan p set recording = i.recording, recording_full_session = i.recording_full_session
  from interview_result r join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  where r.merchant_id = p.merchant_id and r.id = p.result_id and r.attempt = p.attempt and r.interview_status = 'started';
update result_question q set recorded = case q.mode when 'video' then 'video' else 'audio' end
  from attempt_plan p
  where p.merchant_id = q.merchant_id and p.result_id = q.result_id and p.attempt = q.attempt and q.answered_at is null
    and (q.mode = 'video' or q.mode = 'voice' and p.recording like 'audio%');
alter table attempt_plan force row level security;
alter table result_question force row level security;
alter table interview_result force row level security;
alter table interview force row level security;
