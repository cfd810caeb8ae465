-- Recordings of candidates (docs/taking.md#recordings): uploaded in parts, which the worker joins to one file.

create table recording (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  result_id uuid not null,
  attempt integer not null,
  kind text not null check (kind in ('turn', 'session', 'introduction')),
  turn_id uuid, -- the row of result_question that it answers; null for a session
  media_type text not null check (
    media_type in ('audio/mp4', 'audio/ogg', 'audio/wav', 'audio/webm', 'video/mp4', 'video/webm')
  ),
  -- open: parts arrive. completed: all parts have arrived and the worker joins them. stored: there is one file.
  -- discarded: the worker deletes what is stored.
  state text not null default 'open' check (state in ('open', 'completed', 'stored', 'discarded')),
  parts integer not null default 0,
  bytes bigint not null default 0,
  duration_ms integer,
  verified_type text, -- what the content is; the same as media_type
  created_at timestamptz not null default now(),
  first_part_at timestamptz, -- when the first of its parts was stored
  completed_at timestamptz,
  stored_at timestamptz,
  -- When the worker has to join the parts, delete them, or discard an abandoned upload. Null if it has nothing to do.
  work_at timestamptz,
  tries integer not null default 0,
  path text not null generated always as (
    merchant_id::text || '/' || environment || '/' || result_id::text || '/' || attempt::text || '/' || id::text || '.'
    || case media_type when 'audio/mp4' then 'm4a' when 'audio/ogg' then 'ogg' when 'audio/wav' then 'wav'
      when 'audio/webm' then 'weba' when 'video/mp4' then 'mp4' else 'webm' end
  ) stored,
  unique (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id),
  check ((turn_id is null) = (kind = 'session')),
  check (state in ('open', 'discarded') or verified_type = media_type)
);
create index recording__merchant_id_result_id_attempt on recording (merchant_id, result_id, attempt);
create unique index recording__merchant_id_result_id_attempt_turn_id
  on recording (merchant_id, result_id, attempt, turn_id) nulls not distinct where state = 'open';
create index recording__work_at on recording (work_at) where work_at is not null;

create table recording_part (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  recording_id uuid not null,
  part integer not null check (part between 1 and 2000),
  bytes integer not null check (bytes between 1 and 1048576),
  sha256 bytea not null check (length(sha256) = 32),
  primary key (merchant_id, recording_id, part),
  foreign key (merchant_id, recording_id) references recording (merchant_id, id) on delete cascade
);

alter table recording enable row level security, force row level security;
alter table recording_part enable row level security, force row level security;
create policy recording_definer_select on recording for select to app_definer using (true);
create policy recording_definer_insert on recording for insert to app_definer with check (true);
create policy recording_definer_update on recording for update to app_definer using (true);
create policy recording_part_definer_select on recording_part for select to app_definer using (true);
create policy recording_part_definer_insert on recording_part for insert to app_definer with check (true);
grant select, insert, update (
  state, parts, bytes, duration_ms, verified_type, first_part_at, completed_at, stored_at, work_at, tries
) on recording to app_definer;
grant select, insert on recording_part to app_definer;
grant select (recording_full_session) on interview to app_definer;
grant update (fields) on interview_result_attempt to app_definer;
create policy interview_result_attempt_definer_update on interview_result_attempt for update to app_definer using (true);
create policy recording_worker_select on recording for select to app_worker using (true);
create policy recording_worker_update on recording for update to app_worker using (true);
create policy recording_worker_delete on recording for delete to app_worker using (true);
create policy recording_part_worker_select on recording_part for select to app_worker using (true);
create policy recording_part_worker_delete on recording_part for delete to app_worker using (true);
grant select, delete, update (state, work_at, tries) on recording to app_worker;
grant select, delete on recording_part to app_worker;

-- A candidate's link can call some of the functions below. These functions lock the result first, so that simultaneous
-- uploads cannot exceed the limits.
create function app.is_attempt_running(r public.interview_result) returns boolean language sql stable
as $$
  select r.id is not null and app.link_rights(r) = 'write' and r.status = 'draft'
    and r.interview_status is not distinct from 'started'
$$;

-- Returns whether the first part of a recording was stored at most 30 s after the attempt's deadline, while answers
-- were still accepted.
create function app.began_in_time(r public.interview_result, c public.recording) returns boolean language sql stable
as $$
  select coalesce(c.first_part_at <= r.deadline_at + interval '30 seconds', false)
$$;

-- Returns `open` if more parts can be uploaded and the recording can be completed, otherwise `late` or `not_running`.
-- Recordings of answers need a running attempt. The recording of the session ends with the attempt, so its last parts
-- may arrive up to 10 minutes later.
create function app.upload_state(r public.interview_result, c public.recording) returns text language sql stable
as $$
  select case
    when (app.is_attempt_running(r) or c.kind = 'session' and app.link_rights(r) <> 'none'
      and r.interview_status in ('completed', 'completed, stopped early') and r.ended_at > now() - interval '10 minutes')
      is not true then 'not_running'
    when now() > r.deadline_at + interval '30 seconds' and not app.began_in_time(r, c) then 'late'
    else 'open' end
$$;

create function app.recorded_bytes(r public.interview_result) returns bigint language sql stable
as $$
  select coalesce(sum(c.bytes), 0)::bigint from public.recording c
  where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
$$;

-- All recordings of an attempt together may have 200 MiB. An attempt may have at most 300 recordings, which limits the
-- number of empty ones.
create function app.recording_limit_bytes() returns bigint language sql immutable parallel safe
as $$ select 209715200::bigint $$;

-- Returns the open recording of the turn or session, or creates one. An open recording of another media type is
-- discarded first. With `p_restart`, an open recording that has parts is discarded too, because the new bytes would not
-- continue the stored ones.
create function app.create_recording(p_turn_id uuid, p_kind text, p_media_type text, p_restart boolean)
returns table (outcome text, recording_id uuid, stored_parts integer[], limit_bytes bigint)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  turn public.result_question;
  wants_video boolean := p_media_type like 'video/%';
  allowed text;
  current public.recording;
begin
  if not app.is_attempt_running(r) then
    return query select 'not_running', null::uuid, null::integer[], null::bigint;
    return;
  end if;
  if now() > r.deadline_at + interval '30 seconds' then
    return query select 'late', null::uuid, null::integer[], null::bigint;
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
  if current.id is not null and (current.media_type <> p_media_type or p_restart and current.parts > 0) then
    update public.recording c set state = 'discarded', work_at = now() where c.id = current.id;
    current := null;
  end if;
  if app.recorded_bytes(r) >= app.recording_limit_bytes() or (
    select count(*) from public.recording c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
  ) >= 300 then
    return query select 'full', null::uuid, null::integer[], null::bigint;
    return;
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
  ), app.recording_limit_bytes() - app.recorded_bytes(r);
end
$$;

-- The API calls this function before it puts the bytes of a part into the object store, which it may do only if the
-- outcome is `missing`. Afterwards it calls the function again with `p_is_put`, which records the part. The second call
-- decides which bytes are used, because two requests may send the same part.
create function app.store_recording_part(
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
    when app.recorded_bytes(r) + p_bytes > app.recording_limit_bytes() then 'full'
    when p_is_put then 'stored'
    else 'missing' end, current.path;
  if p_is_put and stored is null and current.state = 'open'
    and app.recorded_bytes(r) + p_bytes <= app.recording_limit_bytes() then
    insert into public.recording_part (merchant_id, environment, recording_id, part, bytes, sha256)
      values (current.merchant_id, current.environment, current.id, p_part, p_bytes, p_sha256);
    update public.recording c set parts = c.parts + 1, bytes = c.bytes + p_bytes,
      first_part_at = coalesce(c.first_part_at, now()), work_at = now() + interval '24 hours'
      where c.id = current.id;
  end if;
end
$$;

-- Returns what is needed to complete a recording, and its upload state. `max_seconds` is the limit of its turn. It is
-- null for a question with 0 seconds, because nothing could be recorded within that limit.
create function app.find_recording(p_recording_id uuid)
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

-- Completes an upload whose content has the type `p_verified_type`, or discards the upload if the type is null. Returns
-- false if the recording is not open, or if it does not have exactly the parts 1 to `p_parts`.
create function app.end_recording(p_recording_id uuid, p_parts integer, p_duration_ms integer, p_verified_type text)
returns boolean
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
  return found;
end
$$;

-- Makes a recording visible to readers of the result by storing its path. The path of an answer's recording is stored
-- in the answer. The path of a session or introduction is stored in the current attempt, or in the history if the
-- attempt has moved there. Each reload of the page begins another recording of the session; the largest one is shown.
create function app.show_recording(p_recording_id uuid) returns void
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
      set recording_local_path = current.path, recording_is_video = current.media_type like 'video/%'
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
create function app.set_recording_stored(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.recording c set state = 'stored', stored_at = now() where c.id = p_recording_id and c.state = 'completed';
  if found then
    perform app.show_recording(p_recording_id);
  end if;
end
$$;

-- Rejects an answer whose recording is not complete or belongs to another turn. Otherwise makes the recording visible.
create function app.use_recording() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.recording c where c.merchant_id = new.merchant_id and c.id = new.recording_id
    and c.turn_id = new.id and c.state in ('completed', 'stored');
  if not found then
    raise exception 'recording_id is not a completed recording of this turn' using errcode = 'PA422', column = 'recording_id';
  end if;
  perform app.show_recording(new.recording_id);
  return null;
end
$$;
create trigger result_question_recorded after update of recording_id on result_question
  for each row when (new.recording_id is not null and old.recording_id is distinct from new.recording_id)
  execute function app.use_recording();

revoke execute on function app.is_attempt_running(public.interview_result),
  app.began_in_time(public.interview_result, public.recording),
  app.upload_state(public.interview_result, public.recording), app.recorded_bytes(public.interview_result),
  app.recording_limit_bytes() from public;
grant execute on function app.is_attempt_running(public.interview_result),
  app.began_in_time(public.interview_result, public.recording),
  app.upload_state(public.interview_result, public.recording), app.recorded_bytes(public.interview_result),
  app.recording_limit_bytes() to app_definer;
grant execute on function app.create_recording(uuid, text, text, boolean),
  app.store_recording_part(uuid, integer, integer, bytea, boolean), app.find_recording(uuid),
  app.end_recording(uuid, integer, integer, text) to app_link;
grant execute on function app.set_recording_stored(uuid) to app_worker;
alter function app.create_recording(uuid, text, text, boolean) owner to app_definer;
alter function app.store_recording_part(uuid, integer, integer, bytea, boolean) owner to app_definer;
alter function app.find_recording(uuid) owner to app_definer;
alter function app.end_recording(uuid, integer, integer, text) owner to app_definer;
alter function app.show_recording(uuid) owner to app_definer;
alter function app.set_recording_stored(uuid) owner to app_definer;
alter function app.use_recording() owner to app_definer;
