-- Returns how long a decision has been pending, keeps restarts from resetting the limits of uploads, and stores the
-- measured length of recordings (docs/taking.md#decisions, docs/taking.md#recordings).

alter table recording add column measured_ms integer check (measured_ms >= 0); -- measured by the worker; null: not known
grant update (measured_ms) on recording to app_definer;

-- Returns how many more bytes an attempt may upload. All its recordings may have 400 MiB together, and those that are
-- not discarded may have 200 MiB.
create function app.upload_room(r public.interview_result) returns bigint language sql stable
as $$
  select least(
    app.recording_limit_bytes() - coalesce(sum(c.bytes) filter (where c.state <> 'discarded'), 0),
    2 * app.recording_limit_bytes() - coalesce(sum(c.bytes), 0)
  )::bigint
  from public.recording c
  where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
$$;
revoke execute on function app.upload_room(public.interview_result) from public;
grant execute on function app.upload_room(public.interview_result) to app_definer;

set local role app_definer;
drop function app.attempt_view();
drop function app.set_recording_stored(uuid);

-- Redefines the function of 0039: it also returns the time since the answer of the undecided turn.
create function app.attempt_view(
  out attempt jsonb, out undecided_turn uuid, out undecided_ms double precision, out is_ended boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
begin
  is_ended := app.link_rights(r) = 'none';
  if r.id is null or is_ended then
    return;
  end if;
  attempt := app.show_attempt(r);
  if attempt ->> 'state' = 'running' and attempt -> 'turn' = 'null' then
    select q.id, floor(extract(epoch from clock_timestamp() - q.answered_at) * 1000)
      into undecided_turn, undecided_ms from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
      order by q.step_order desc limit 1;
  end if;
end
$$;
revoke execute on function app.attempt_view() from public;
grant execute on function app.attempt_view() to app_link;

-- The limits include discarded recordings, whose rows stay, so that repeated restarts do not get around the limits.
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
  replaces boolean;
  used record;
begin
  -- A short session can end before its recording is created, so the recording may be created after the attempt has
  -- ended.
  current.kind := p_kind;
  if app.upload_state(r, current) <> 'open' then
    return query select app.upload_state(r, current), null::uuid, null::integer[], null::bigint;
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
      first_part_at = coalesce(c.first_part_at, now()), work_at = now() + interval '24 hours'
      where c.id = current.id;
  end if;
end
$$;

-- Redefines the function of 0038: the measured length replaces the duration that the page sent with the answer.
create or replace function app.show_recording(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  current public.recording;
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
  elsif exists (
    select from public.recording o where o.merchant_id = current.merchant_id and o.result_id = current.result_id
      and o.attempt = current.attempt and o.kind = 'session' and o.state = 'stored' and o.bytes > current.bytes
  ) then
    return;
  else
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

-- For the worker, after it has put the joined file into the object store: marks the recording as stored and shows it.
-- Safe to repeat.
create function app.set_recording_stored(p_recording_id uuid, p_measured_ms integer default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.recording c set state = 'stored', stored_at = now(), measured_ms = p_measured_ms
    where c.id = p_recording_id and c.state = 'completed';
  if found then
    perform app.show_recording(p_recording_id);
  end if;
end
$$;
revoke execute on function app.set_recording_stored(uuid, integer) from public;
grant execute on function app.set_recording_stored(uuid, integer) to app_worker;

-- Redefines the function of 0039: if the recording does not belong to the turn, it returns an outcome. It raises no
-- exception, because Postgres would log that as an error.
create or replace function app.answer_turn(
  p_turn_id uuid, p_kind text, p_text text, p_recording_id uuid, p_duration_ms integer,
  out outcome text, out needs_decision boolean, out attempt jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  t public.result_question;
  rights text := app.link_rights(r);
begin
  needs_decision := false;
  if r.id is null or rights = 'none' then
    outcome := 'not_running';
    return;
  end if;
  select * into t from public.result_question q
    where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id and q.attempt = r.attempt
      and q.kind is not null;
  if not found then
    outcome := 'unknown_turn';
    attempt := app.show_attempt(r);
    return;
  end if;
  if t.kind = 'thank_you' or t.answered_at is not null then
    outcome := case
      when t.kind = 'thank_you' and p_kind = 'seen' then 'same'
      when t.answer_kind = p_kind and (p_kind = 'recording' and t.recording_id = p_recording_id or p_kind = 'seen'
        or p_kind in ('text', 'choice') and coalesce(t.answer_original, t.answer) = p_text) then 'same'
      when r.interview_status = 'started' then 'conflict' else 'not_running' end;
    attempt := app.show_attempt(r);
    needs_decision := outcome = 'same' and attempt ->> 'state' = 'running' and attempt -> 'turn' = 'null';
    return;
  end if;
  if rights <> 'write' or r.interview_status <> 'started' then
    outcome := 'not_running';
    attempt := app.show_attempt(r);
    return;
  end if;
  if now() > r.deadline_at + interval '30 seconds' and (p_kind <> 'recording' or app.is_over(r)) then
    if app.is_over(r) then
      perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    end if;
    outcome := 'late';
    attempt := app.show_result(r.id);
    return;
  end if;
  if not (case p_kind
    when 'text' then t.mode in ('text', 'voice', 'video')
    when 'choice' then t.mode = 'choice' and p_text = any (t.choices)
    when 'recording' then t.mode in ('voice', 'video')
    else t.mode = 'none' or not t.is_required end) then
    outcome := 'invalid';
    attempt := app.show_attempt(r);
    return;
  end if;
  if p_kind = 'recording' and not exists (
    select from public.recording c where c.merchant_id = t.merchant_id and c.id = p_recording_id and c.turn_id = t.id
      and c.state in ('completed', 'stored')
  ) then
    outcome := 'unknown_recording';
    attempt := app.show_attempt(r);
    return;
  end if;
  update public.result_question q set
    answer = p_text, answer_kind = p_kind, answered_at = now(), recording_id = p_recording_id,
    is_typed = p_kind = 'text' and t.mode in ('voice', 'video'),
    transcript_status = case when p_kind = 'recording' then 'pending' end,
    duration = least(p_duration_ms / 100, extract(epoch from greatest(now() - t.asked_at, interval '0')) * 10 + 300)::integer
    where q.id = t.id returning * into t;
  update public.interview_result u set last_active_at = now() where u.id = r.id returning * into r;
  -- No further turn is asked after the deadline.
  if now() > r.deadline_at + interval '30 seconds' then
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
  else
    needs_decision := app.needs_decision(r, t);
    if not needs_decision then
      perform app.go_on(r, t.id, t.place);
    end if;
  end if;
  outcome := 'stored';
  attempt := app.show_result(r.id);
end
$$;
set local role app_owner;

drop function app.recorded_bytes(public.interview_result);
