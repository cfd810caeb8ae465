-- Recordings of candidates (docs/taking.md#recordings): uploaded in parts, which the worker joins to one file.

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
-- may arrive up to 10 minutes later. A recording that began after the end is accepted only if no other one is complete:
-- a candidate could otherwise replace what recruiters are to hear.
create or replace function app.upload_state(r public.interview_result, c public.recording) returns text language sql stable
as $$
  select case
    when (app.is_attempt_running(r) or c.kind = 'session' and app.link_rights(r) <> 'none'
      and r.interview_status in ('completed', 'completed, stopped early') and r.ended_at > now() - interval '10 minutes'
      and (coalesce(c.first_part_at <= r.ended_at, false) or not exists (
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

set local role app_definer;

-- Returns the open recording of the turn or session, or creates one. An open recording of another media type is
-- discarded first. With `p_restart`, an open recording that has parts is discarded too, because the new bytes would not
-- continue the stored ones. After the end of the attempt, the open recording of a session can be continued, but not be
-- replaced once it has a part. The limits include discarded recordings, whose rows stay, so that repeated restarts do
-- not get around the limits.
create or replace function app.create_recording(p_turn_id uuid, p_kind text, p_media_type text, p_restart boolean)
returns table (outcome text, recording_id uuid, stored_parts integer[], limit_bytes bigint)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  turn public.result_question;
  wants_video boolean := p_media_type like 'video/%';
  allowed text;
  current public.recording;
  fresh public.recording;
  state text;
  replaces boolean;
  used record;
begin
  -- A short session can end before its recording is created, so the recording may be created after the attempt has
  -- ended.
  fresh.kind := p_kind;
  state := app.upload_state(r, fresh);
  if state <> 'open' and p_kind = 'session' then
    select app.upload_state(r, c) into state from public.recording c
      where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.state = 'open'
        and c.kind = 'session' and c.media_type = p_media_type and not (p_restart and c.parts > 0);
    state := coalesce(state, app.upload_state(r, fresh));
  end if;
  if state <> 'open' then
    return query select state, null::uuid, null::integer[], null::bigint;
    return;
  end if;
  if p_kind = 'session' then
    select p.recording_full_session into allowed from public.attempt_plan p
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt;
    if allowed is null or wants_video and allowed not like 'video%' then
      return query select 'not_recorded', null::uuid, null::integer[], null::bigint;
      return;
    end if;
  else
    select * into turn from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
        and (q.id = p_turn_id or p_turn_id is null and q.kind = 'introduction');
    if not found then
      return query select 'unknown_turn', null::uuid, null::integer[], null::bigint;
      return;
    end if;
    if turn.answered_at is not null then
      return query select 'answered', null::uuid, null::integer[], null::bigint;
      return;
    end if;
    if turn.mode not in ('voice', 'video') or wants_video and turn.mode <> 'video'
      or turn.mode = 'video' and not wants_video and (turn.kind = 'introduction' or not app.may_type(r, turn.mode, turn.is_required)) then
      return query select 'not_recorded', null::uuid, null::integer[], null::bigint;
      return;
    end if;
  end if;

  select * into current from public.recording c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.state = 'open'
      and c.turn_id is not distinct from turn.id;
  replaces := current.id is not null and (current.media_type <> p_media_type or p_restart and current.parts > 0);
  if replaces and current.parts > 0 and not app.is_attempt_running(r) then
    return query select 'not_running', null::uuid, null::integer[], null::bigint;
    return;
  end if;
  -- The limits are checked before the open recording is discarded, so that a restart that fails loses nothing.
  select count(*) + coalesce(max(p.deleted_recordings), 0) as recordings,
    coalesce(sum(c.bytes), 0) + coalesce(max(p.deleted_bytes), 0) as uploaded,
    coalesce(sum(c.bytes) filter (where c.state <> 'discarded' and not (replaces and c.id = current.id)), 0) as kept
    into used from public.recording c
    left join public.attempt_plan p on p.merchant_id = c.merchant_id and p.result_id = c.result_id and p.attempt = c.attempt
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt;
  if used.kept >= app.recording_limit_bytes() or used.uploaded >= 2 * app.recording_limit_bytes()
    or used.recordings >= 300 and (replaces or current.id is null) then
    return query select 'full', null::uuid, null::integer[], null::bigint;
    return;
  end if;
  if replaces then
    update public.recording c set state = 'discarded', work_at = now() where c.id = current.id;
    current := null;
  end if;
  if current.id is null then
    insert into public.recording (merchant_id, environment, result_id, attempt, kind, turn_id, media_type, is_kept, work_at)
      values (r.merchant_id, r.environment, r.id, r.attempt,
        case when p_kind = 'session' then 'session' when turn.kind = 'introduction' then 'introduction' else 'turn' end,
        turn.id, p_media_type, turn.id is null or turn.recorded is not null, now() + interval '24 hours')
      returning * into current;
  end if;
  return query select 'open', current.id, array(
    select p.part from public.recording_part p
    where p.merchant_id = current.merchant_id and p.recording_id = current.id order by p.part
  ), app.upload_room(r);
end
$$;
grant execute on function app.create_recording(uuid, text, text, boolean) to app_link;

-- The API calls this function before it puts the bytes of a part into the object store, which it may do only if the
-- outcome is `missing`. Afterwards it calls the function again with `p_is_put`, which records the part. The second call
-- decides which bytes are used, because two requests may send the same part.
create or replace function app.store_recording_part(
  p_recording_id uuid, p_part integer, p_bytes integer, p_sha256 bytea, p_is_put boolean
) returns table (outcome text, path text)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  current public.recording;
  stored bytea;
begin
  select * into current from public.recording c
    where c.merchant_id = r.merchant_id and c.id = p_recording_id and c.result_id = r.id and c.attempt = r.attempt
    for update;
  if not found or app.link_rights(r) = 'none' then
    return query select 'unknown', null;
    return;
  end if;
  if app.upload_state(r, current) <> 'open' then
    return query select app.upload_state(r, current), null;
    return;
  end if;
  select p.sha256 into stored from public.recording_part p
    where p.merchant_id = current.merchant_id and p.recording_id = current.id and p.part = p_part;
  return query select case
    when stored = p_sha256 then 'same'
    when stored is not null then 'conflict'
    when current.state <> 'open' then 'not_open'
    when p_bytes > app.upload_room(r) then 'full'
    when p_is_put then 'stored'
    else 'missing' end, current.path;
  if p_is_put and stored is null and current.state = 'open'
    and p_bytes <= app.upload_room(r) then
    insert into public.recording_part (merchant_id, environment, recording_id, part, bytes, sha256)
      values (current.merchant_id, current.environment, current.id, p_part, p_bytes, p_sha256);
    update public.recording c set parts = c.parts + 1, bytes = c.bytes + p_bytes,
      first_part_at = coalesce(c.first_part_at, current.refused_at, now()),
      work_at = now() + case when c.is_kept then interval '24 hours' else interval '1 hour' end
      where c.id = current.id;
    update public.recording c set refused_at = null
      where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.refused_at is not null;
  end if;
end
$$;
grant execute on function app.store_recording_part(uuid, integer, integer, bytea, boolean) to app_link;

-- Returns what is needed to complete a recording, and its upload state. `max_seconds` is the limit of its turn. It is
-- null for a question with 0 seconds, because nothing could be recorded within that limit.
create or replace function app.find_recording(p_recording_id uuid)
returns table (
  outcome text, state text, media_type text, path text, duration_ms integer, max_seconds integer, parts jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  current public.recording;
begin
  select * into current from public.recording c
    where c.merchant_id = r.merchant_id and c.id = p_recording_id and c.result_id = r.id and c.attempt = r.attempt;
  if not found or app.link_rights(r) = 'none' then
    return query select 'unknown', null, null, null, null::integer, null::integer, null::jsonb;
    return;
  end if;
  return query select app.upload_state(r, current), current.state,
    current.media_type, current.path, current.duration_ms, (
      select nullif(q.max_seconds, 0) from public.result_question q
      where q.merchant_id = current.merchant_id and q.id = current.turn_id
    ), (
      select coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'bytes', p.bytes, 'sha256', encode(p.sha256, 'hex'))
        order by p.part), '[]') from public.recording_part p
      where p.merchant_id = current.merchant_id and p.recording_id = current.id
    );
end
$$;
grant execute on function app.find_recording(uuid) to app_link;

-- Completes an upload whose content has the type `p_verified_type`, or discards the upload if the type is null. Returns
-- false if the recording is not open, or if it does not have exactly the parts 1 to `p_parts`. The notification lets a
-- worker join the parts right after the commit.
create or replace function app.end_recording(
  p_recording_id uuid, p_parts integer, p_duration_ms integer, p_verified_type text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  update public.recording c set
    state = case when p_verified_type is null then 'discarded' else 'completed' end, verified_type = p_verified_type,
    duration_ms = p_duration_ms, completed_at = case when p_verified_type is not null then now() end, work_at = now(),
    tries = 0, refused_at = null
    where c.merchant_id = r.merchant_id and c.id = p_recording_id and c.result_id = r.id and c.attempt = r.attempt
      and c.state = 'open' and app.upload_state(r, c) = 'open' and c.parts = p_parts and p_parts = (
        select max(p.part) from public.recording_part p where p.merchant_id = c.merchant_id and p.recording_id = c.id
      );
  if not found then
    return false;
  end if;
  perform pg_catalog.pg_notify('recording_completed', '');
  return true;
end
$$;
grant execute on function app.end_recording(uuid, integer, integer, text) to app_link;

reset role;
