-- Recordings of candidates (docs/taking.md#recordings): uploaded in parts, which the worker joins to one file.

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
      work_at = app.upload_ends_at(c)
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
