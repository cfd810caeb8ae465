-- Protects the recording of a session after its attempt has ended, and notifies the workers when a recording is complete
-- or joined (docs/taking.md#recordings).

-- Redefines the function of 0038: after the end of the attempt, a session's recording that began later is accepted only
-- if no other one is complete. A candidate could otherwise replace what recruiters are to hear.
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

set local role app_definer;

-- Redefines the function of 0051: after the end of the attempt, the open recording of a session can be continued, but not
-- be replaced once it has a part.
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
    select i.recording_full_session into allowed from public.interview i
      where i.merchant_id = r.merchant_id and i.id = r.interview_id;
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
      or turn.kind = 'introduction' and not wants_video then
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
  select count(*) as recordings, coalesce(sum(c.bytes), 0) as uploaded,
    coalesce(sum(c.bytes) filter (where c.state <> 'discarded' and not (replaces and c.id = current.id)), 0) as kept
    into used from public.recording c
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
    insert into public.recording (merchant_id, environment, result_id, attempt, kind, turn_id, media_type, work_at)
      values (r.merchant_id, r.environment, r.id, r.attempt,
        case when p_kind = 'session' then 'session' when turn.kind = 'introduction' then 'introduction' else 'turn' end,
        turn.id, p_media_type, now() + interval '24 hours')
      returning * into current;
  end if;
  return query select 'open', current.id, array(
    select p.part from public.recording_part p
    where p.merchant_id = current.merchant_id and p.recording_id = current.id order by p.part
  ), app.upload_room(r);
end
$$;

-- Redefines the function of 0038: the notification lets a worker join the parts right after the commit.
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
    tries = 0
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

-- Redefines the function of 0051: of several recordings of a session, it shows the one that was recorded for the longest
-- time. The time counts from the first part, and until the end of the attempt at most, so what was sent later does not
-- count.
create or replace function app.show_recording(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  current public.recording;
  ended timestamptz;
  shown jsonb;
begin
  select * into current from public.recording c where c.id = p_recording_id and c.state = 'stored';
  if not found then
    return;
  end if;
  if current.kind <> 'session' then
    update public.result_question q
      set recording_local_path = current.path, recording_is_video = current.media_type like 'video/%',
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
      'recording_is_video', current.media_type like 'video/%');
  end if;
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

-- Redefines the function of 0051: the length can be stored later than the file. The notification has the id of the turn,
-- for those who wait for the recording of its answer.
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
reset role;
