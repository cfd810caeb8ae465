-- The live conversation (docs/live.md).

-- Returns when the upload of an open recording ends if it gets no further part: after 15 minutes if its answer was given live,
-- because the scoring waits for it.
create or replace function app.upload_ends_at(c public.recording) returns timestamptz language sql stable
as $$
  select now() + case when c.draft is not null then interval '15 minutes' when c.is_kept then interval '24 hours'
    else interval '1 hour' end
$$;
grant execute on function app.upload_ends_at(recording) to app_definer;

set local role app_definer;

-- Returns what the live process has to know about the attempt of the link, or no row if the link cannot write to a running
-- attempt whose questions are spoken. The notification ends earlier connections of the attempt, in whichever process. The
-- lock keeps the times of two connections in the order of their notifications.
create or replace function app.begin_live()
returns table (merchant_id uuid, interview_id uuid, result_id uuid, attempt integer, time_factor double precision,
  conversation_speed text, interview_type text, language text, begun_at double precision)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  now_ms double precision := extract(epoch from clock_timestamp()) * 1000;
begin
  if not app.is_attempt_running(r) then
    return;
  end if;
  return query
    select r.merchant_id, r.interview_id, r.id, r.attempt, coalesce(e.time_factor, 1)::float8, i.interview_conversation_speed,
      i.type, coalesce(r.consent_language, i.platform_language_code), now_ms
    from public.interview i
    join public.interview_template t on t.id = i.interview_template_id and t.type like 'interactive%'
    left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where i.merchant_id = r.merchant_id and i.id = r.interview_id;
  if found then
    perform pg_catalog.pg_notify('live_begun', r.id || ' ' || r.attempt || ' ' || now_ms);
  end if;
end
$$;
grant execute on function app.begin_live() to app_link;

-- Stores what the live process heard of an answer with the recording that is still being uploaded. Does nothing if the
-- recording is not open, or belongs to another turn.
create or replace function app.set_draft(p_turn_id uuid, p_recording_id uuid, p_draft text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  if app.is_attempt_running(r) then
    update public.recording c set draft = p_draft
      where c.merchant_id = r.merchant_id and c.id = p_recording_id and c.turn_id = p_turn_id and c.result_id = r.id
        and c.attempt = r.attempt and c.state = 'open';
  end if;
end
$$;
grant execute on function app.set_draft(uuid, uuid, text) to app_link;

-- Returns the turn of a recording whose answer was given live and is not transcribed yet, or no row.
create or replace function app.find_live_turn(p_recording_id uuid) returns table (result_id uuid, attempt integer, turn_id uuid)
language sql stable security definer set search_path = ''
as $$
  select q.result_id, q.attempt, q.id
  from app.link_result() r
  join public.recording c on c.merchant_id = r.merchant_id and c.id = p_recording_id and c.result_id = r.id
    and c.draft is not null
  join public.result_question q on q.merchant_id = c.merchant_id and q.id = c.turn_id and q.recording_id = c.id
    and q.transcript_status = 'pending'
$$;
grant execute on function app.find_live_turn(uuid) to app_link;

-- Opens an answered turn again, because the candidate goes on talking, and removes the turn that was asked after it. The
-- outcome is `final` if that is too late: the recording is complete, the next turn is answered or its recording complete, or the
-- attempt has ended. It is also `final` if the model has been called too often: each answer that is taken back has cost a
-- decision, and each question of a visitor a reply. A visit has twice as many replies as questions at most. The questions of
-- visitors are not recorded.
create or replace function app.withdraw_turn(p_turn_id uuid, out outcome text, out attempt jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  t public.result_question;
  following public.result_question;
begin
  outcome := 'final';
  if app.link_rights(r) = 'none' then
    return;
  end if;
  select q.* into t from public.result_question q
    left join public.recording c on c.merchant_id = q.merchant_id and c.id = q.recording_id
    where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id and q.attempt = r.attempt
      and case when r.is_visit then q.answer_kind = 'text' and q.mode = 'voice'
        else q.answer_kind = 'recording' and c.state = 'open' end
      and case when r.is_visit then 2 * app.most_questions(true) else 500 end > (
        select count(*) from public.model_call m
        where m.merchant_id = r.merchant_id and m.created_at >= r.started_at and m.result_id = r.id
          and m.purpose not in ('listening', 'transcription', 'speech')
      );
  select * into following from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.after_turn = p_turn_id;
  if app.is_attempt_running(r) and t.id is not null and following.id is not null and following.answered_at is null
    and not exists (
      select from public.recording c where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
        and c.turn_id = following.id and c.state in ('completed', 'stored')
    ) then
    update public.recording c set state = 'discarded', work_at = now()
      where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.turn_id = following.id
        and c.state = 'open';
    delete from public.result_question q where q.id = following.id;
    update public.attempt_plan p set stopped_after = null, stopped_because = null
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt and p.stopped_after = t.place;
    update public.result_question q set answer_kind = null, answer = null, answered_at = null, recording_id = null,
      transcript_status = null, duration = null where q.id = t.id;
    update public.recording c set draft = null where c.merchant_id = t.merchant_id and c.id = t.recording_id;
    update public.recording c set work_at = app.upload_ends_at(c) where c.merchant_id = t.merchant_id and c.id = t.recording_id;
    outcome := 'withdrawn';
  end if;
  attempt := app.show_result(r.id);
end
$$;
grant execute on function app.withdraw_turn(uuid) to app_link;

-- Records in the ledger of model calls how long the provider listened to the attempt of the link.
create or replace function app.record_listening(
  p_result_id uuid, p_attempt integer, p_model text, p_listened_ms integer, p_cost_usd numeric
) returns void language sql security definer set search_path = ''
as $$
  insert into public.model_call (merchant_id, interview_id, purpose, result_id, attempt, prompt_version, model, duration_ms,
    outcome, cost_usd)
  select r.merchant_id, r.interview_id, 'listening', r.id, p_attempt, 'listening-1', p_model, p_listened_ms, 'accepted',
    p_cost_usd
  from app.link_result() r where r.id = p_result_id
$$;
grant execute on function app.record_listening(uuid, integer, text, integer, numeric) to app_link;

reset role;
