-- Redefines the function of 0060: it locks the recording. Otherwise, a recording that is stored while its turn is answered
-- is never shown, because neither transaction sees the change of the other.
set local role app_definer;
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
set local role app_owner;
