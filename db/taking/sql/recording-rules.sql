-- What may be recorded, typed and edited, and what is discarded (docs/taking.md#recordings).

-- Returns whether the link may record for this attempt. The functions that a link can call lock the result first, so
-- that simultaneous uploads cannot exceed the limits.
create or replace function app.is_attempt_running(r public.interview_result) returns boolean language sql stable
as $$
  select r.id is not null and app.link_rights(r) = 'write' and r.status = 'draft'
    and r.interview_status is not distinct from 'started'
$$;
grant execute on function app.is_attempt_running(interview_result) to app_definer;

-- Returns whether the first part of a recording was stored, or rejected by the object store, at most 30 s after the attempt's
-- deadline, while answers were still accepted.
create or replace function app.began_in_time(r public.interview_result, c public.recording) returns boolean language sql stable
as $$
  select coalesce(coalesce(c.first_part_at, c.refused_at) <= r.deadline_at + interval '30 seconds', false)
$$;
grant execute on function app.began_in_time(interview_result, recording) to app_definer;

-- Returns `open` if more parts can be uploaded and the recording can be completed, otherwise `late` or `not_running`.
-- Recordings of answers need a running attempt. The recording of the session ends with the attempt, so its last parts
-- may arrive up to 10 minutes later. So may those of an answer that was given live. A recording of the session that began
-- after the end is accepted only if no other one is complete: a candidate could otherwise replace what recruiters are to hear.
create or replace function app.upload_state(r public.interview_result, c public.recording) returns text language sql stable
as $$
  select case
    when (app.is_attempt_running(r) or (c.kind = 'session' or c.draft is not null) and app.link_rights(r) <> 'none'
      and r.interview_status in ('completed', 'completed, stopped early') and r.ended_at > now() - interval '10 minutes'
      and (c.draft is not null or coalesce(c.first_part_at <= r.ended_at, false) or not exists (
        select from public.recording o
        where o.merchant_id = r.merchant_id and o.result_id = r.id and o.attempt = r.attempt and o.kind = 'session'
          and o.state in ('completed', 'stored') and o.id is distinct from c.id
      ))) is not true then 'not_running'
    when now() > r.deadline_at + interval '30 seconds' and not app.began_in_time(r, c) then 'late'
    else 'open' end
$$;
grant execute on function app.upload_state(interview_result, recording) to app_definer;

-- All recordings of an attempt together may have 200 MiB. An attempt may have at most 300 recordings, which limits the
-- number of empty ones.
create or replace function app.recording_limit_bytes() returns bigint language sql immutable parallel safe
as $$ select 209715200::bigint $$;
grant execute on function app.recording_limit_bytes() to app_definer;

-- Returns how many more bytes an attempt may upload. All its recordings may have 400 MiB together, also those that are
-- deleted, and those that are not discarded may have 200 MiB.
create or replace function app.upload_room(r public.interview_result) returns bigint language sql stable
as $$
  select least(
    app.recording_limit_bytes() - coalesce(sum(c.bytes) filter (where c.state <> 'discarded'), 0),
    2 * app.recording_limit_bytes() - coalesce(sum(c.bytes), 0) - coalesce((
      select p.deleted_bytes from public.attempt_plan p
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    ), 0)
  )::bigint
  from public.recording c
  where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
$$;
grant execute on function app.upload_room(interview_result) to app_definer;

-- Returns whether the answer of a turn may be typed, or spoken without a picture. An answer that has to be a video may be so
-- only if a recruiter has allowed it, or if there is hardly any room for another video.
create or replace function app.may_type(r public.interview_result, p_mode text, p_is_required boolean) returns boolean
language sql stable
as $$
  select p_mode <> 'video' or not p_is_required or app.upload_room(r) < 10485760 or exists (
    select from public.enrolment e where e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.may_type
  )
$$;
grant execute on function app.may_type(interview_result, text, boolean) to app_definer;

-- Returns whether the text of an answer may be edited. An answer that had to be a video is not, because that would be typing.
create or replace function app.is_editable(r public.interview_result, t public.result_question) returns boolean
language sql stable
as $$
  select t.answer is not null
    and (t.answer_kind = 'text' or t.answer_kind = 'recording' and app.may_type(r, t.mode, t.is_required))
$$;
grant execute on function app.is_editable(interview_result, result_question) to app_definer;

-- Returns when the worker can delete a recording that is discarded now. A worker that may be joining its parts keeps its
-- claim, because it would store the file after the deletion.
create or replace function app.deletable_at(c public.recording) returns timestamptz language sql stable
as $$ select case c.state when 'completed' then greatest(c.work_at, now()) else now() end $$;
grant execute on function app.deletable_at(recording) to app_definer;

-- Discards what is not kept of an attempt that has ended: takes that are no answer, and sound that serves a transcript only,
-- as soon as there is one.
create or replace function app.discard_rest(r public.interview_result) returns void language sql
as $$
  update public.recording c set state = 'discarded', work_at = app.deletable_at(c), tries = 0
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.kind <> 'session'
      and c.state <> 'discarded' and not exists (
        select from public.result_question q
        where q.merchant_id = c.merchant_id and q.id = c.turn_id and q.recording_id = c.id
          and (c.is_kept or q.transcript_status = 'pending')
      )
$$;
grant execute on function app.discard_rest(interview_result) to app_definer;

-- Discards the takes of a turn that are not its answer.
create or replace function app.discard_takes(t public.result_question) returns void language sql
as $$
  update public.recording c set state = 'discarded', work_at = app.deletable_at(c), tries = 0
    where c.merchant_id = t.merchant_id and c.turn_id = t.id and c.id is distinct from t.recording_id
      and c.state <> 'discarded'
$$;
grant execute on function app.discard_takes(result_question) to app_definer;
