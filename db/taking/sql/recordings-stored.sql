-- Recordings that are joined to one file (docs/taking.md#recordings).

set local role app_definer;

-- Makes a recording that is kept visible to readers of the result by storing its path. The path of an answer's recording is stored
-- in the answer, and its measured length replaces the duration that the page sent. The path of a session or
-- introduction is stored in the result, or in another attempt, whichever has the number. Each reload of the
-- page begins another recording of the session; the one that was recorded for the longest time is shown. The time
-- counts from the first part, and until the end of the attempt at most, so what was sent later does not count. Locks
-- the recording first: otherwise a recording that is stored while its turn is answered would never be shown, because
-- neither transaction sees the change of the other.
create or replace function app.show_recording(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  current public.recording;
  ended timestamptz;
  shown jsonb;
begin
  select * into current from public.recording c where c.id = p_recording_id for share;
  if not found or current.state <> 'stored' then
    return;
  end if;
  if current.kind <> 'session' then
    update public.result_question q
      set recording_local_path = case when current.is_kept then current.path end,
        recording_is_video = case when current.is_kept then current.has_picture and current.media_type like 'video/%' end,
        duration = coalesce(round(current.measured_ms / 100.0)::integer, q.duration)
      where q.merchant_id = current.merchant_id and q.id = current.turn_id and q.recording_id = current.id;
    if not found or current.kind = 'turn' then
      return;
    end if;
    shown := jsonb_build_object('video_introduction_local_path', current.path);
  else
    select coalesce((
        select r.ended_at from public.interview_result r
        where r.merchant_id = current.merchant_id and r.id = current.result_id and r.attempt = current.attempt
      ), (
        select (a.fields ->> 'ended_at')::timestamptz from public.interview_result_attempt a
        where a.merchant_id = current.merchant_id and a.result_id = current.result_id and a.attempt = current.attempt
      )) into ended;
    -- `least` ignores the end of an attempt that still runs, because it is null.
    if exists (
      select from public.recording o where o.merchant_id = current.merchant_id and o.result_id = current.result_id
        and o.attempt = current.attempt and o.kind = 'session' and o.state = 'stored' and o.id <> current.id
        and least(o.completed_at, ended) - o.first_part_at >= least(current.completed_at, ended) - current.first_part_at
    ) then
      return;
    end if;
    shown := jsonb_build_object('recording_local_path', current.path,
      'recording_is_video', current.has_picture and current.media_type like 'video/%');
  end if;
  -- Functions that change an attempt lock its result first.
  perform from public.interview_result r where r.merchant_id = current.merchant_id and r.id = current.result_id for update;
  update public.interview_result r set
    recording_local_path = coalesce(shown ->> 'recording_local_path', r.recording_local_path),
    recording_is_video = coalesce((shown ->> 'recording_is_video')::boolean, r.recording_is_video),
    video_introduction_local_path = coalesce(shown ->> 'video_introduction_local_path', r.video_introduction_local_path)
    where r.merchant_id = current.merchant_id and r.id = current.result_id and r.attempt = current.attempt;
  if not found then
    update public.interview_result_attempt a set fields = a.fields || shown
      where a.merchant_id = current.merchant_id and a.result_id = current.result_id and a.attempt = current.attempt;
  end if;
end
$$;

-- For the worker, before `app.set_recording_stored`: a video without a picture counts as sound.
create or replace function app.set_recorded_sound(p_recording_id uuid) returns void
language sql security definer set search_path = ''
as $$
  with sound as (
    update public.recording c set has_picture = false
      where c.id = p_recording_id and c.media_type like 'video/%'
      returning c.merchant_id, c.id, c.turn_id
  )
  update public.result_question q set recorded = 'audio'
    from sound where q.merchant_id = sound.merchant_id and q.id = sound.turn_id and q.recording_id = sound.id
      and q.recorded is not null
$$;
grant execute on function app.set_recorded_sound(uuid) to app_worker;

-- For the worker, after it has put the joined file into the object store: marks the recording as stored and shows it.
-- Safe to repeat: the length can be stored later than the file. The notification has the id of the turn, for those who
-- wait for the recording of its answer.
create or replace function app.set_recording_stored(p_recording_id uuid, p_measured_ms integer default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  turn uuid;
begin
  update public.recording c set state = 'stored', stored_at = coalesce(c.stored_at, now()),
    measured_ms = coalesce(p_measured_ms, c.measured_ms)
    where c.id = p_recording_id and c.state in ('completed', 'stored')
    returning c.turn_id into turn;
  if found then
    perform app.show_recording(p_recording_id);
    perform pg_catalog.pg_notify('recording_stored', turn::text);
  end if;
end
$$;
grant execute on function app.set_recording_stored(uuid, integer) to app_worker;

-- For the worker, before it deletes a recording: gives up the transcript for which it was kept. What the live process heard
-- then stays as the answer; without it, the answer counts as lost.
create or replace function app.end_transcription(p_recording_id uuid) returns void
language sql security definer set search_path = ''
as $$
  with ended as (
    update public.result_question q
      set answer = c.draft, transcript_status = case when c.draft is null then 'failed' else 'draft' end
      from public.recording c
      where c.id = p_recording_id and q.merchant_id = c.merchant_id and q.id = c.turn_id and q.recording_id = c.id
        and q.transcript_status = 'pending'
      returning q.merchant_id, q.result_id, q.attempt, q.transcript_status
  )
  update public.attempt_plan p set lost_answers = p.lost_answers + 1 from ended l
    where p.merchant_id = l.merchant_id and p.result_id = l.result_id and p.attempt = l.attempt
      and l.transcript_status = 'failed'
$$;
grant execute on function app.end_transcription(uuid) to app_worker;

-- For the worker, after it has deleted the file of a discarded recording. The row of a recording that was to be kept stays,
-- because it counts in the limits of the attempt. Of another one, the plan of the attempt has the counts.
create or replace function app.finish_deletion(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  gone public.recording;
begin
  delete from public.recording_part p using public.recording c
    where c.id = p_recording_id and c.state = 'discarded' and p.merchant_id = c.merchant_id and p.recording_id = c.id;
  update public.recording c set work_at = null where c.id = p_recording_id and c.state = 'discarded' and c.is_kept;
  delete from public.recording c where c.id = p_recording_id and c.state = 'discarded' and not c.is_kept returning * into gone;
  update public.attempt_plan p
    set deleted_recordings = p.deleted_recordings + 1, deleted_bytes = p.deleted_bytes + gone.bytes
    where p.merchant_id = gone.merchant_id and p.result_id = gone.result_id and p.attempt = gone.attempt;
end
$$;
grant execute on function app.finish_deletion(uuid) to app_worker;

-- Rejects an answer whose recording belongs to another turn, or is not complete and has no draft. Otherwise makes the
-- recording visible. One that is still uploaded gets 15 minutes, because the scoring waits for its transcript.
create or replace function app.use_recording() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.recording c where c.merchant_id = new.merchant_id and c.id = new.recording_id
    and c.turn_id = new.id and (c.state in ('completed', 'stored') or c.state = 'open' and c.draft is not null);
  if not found then
    raise exception 'recording_id is not a completed recording of this turn.' using errcode = 'PA422', column = 'recording_id';
  end if;
  update public.recording c set work_at = app.upload_ends_at(c)
    where c.merchant_id = new.merchant_id and c.id = new.recording_id and c.state = 'open';
  perform app.show_recording(new.recording_id);
  return null;
end
$$;

reset role;

create or replace trigger result_question_recorded after update of recording_id on result_question
  for each row when (new.recording_id is not null and old.recording_id is distinct from new.recording_id)
  execute function app.use_recording();
