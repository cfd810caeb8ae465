-- How attempts end that their candidates do not end (docs/taking.md#ends).

-- Ends the current attempt of a result if it is due (`app.due_end`), and returns whether it was. An attempt that was begun
-- after a submit also ends if it is not submitted within two days.
create or replace function app.close_if_due(p_result public.interview_result) returns boolean language plpgsql
as $$
declare
  r public.interview_result := app.current_attempt(p_result);
  reason text := case when r.interview_status = 'started' then app.due_end(r) end;
begin
  if reason = 'technical_error' then
    perform app.end_attempt(r, 'failed', reason, app.waits_since(r));
    perform app.queue_retry_mail(r);
  elsif reason is not null then
    perform app.close_attempt(r, reason, case reason when 'left' then r.last_active_at else r.deadline_at end);
  elsif r.attempt <> p_result.attempt and r.ended_at < now() - interval '48 hours' then
    perform app.leave_attempt(r);
  else
    return false;
  end if;
  return true;
end
$$;
grant execute on function app.close_if_due(interview_result) to app_definer;

set local role app_definer;

-- For the worker, before it writes the first scores of a submitted attempt: fails the attempt if all its answers to scored
-- questions are lost because of the platform, and returns whether they are. None of them has words, or a recording to
-- listen to, and the sound of at least one was deleted before it could be transcribed.
create or replace function app.fail_unheard(p_result_id uuid, p_attempt integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  update public.interview_result u set status = 'draft', processing_status = null, interview_status = 'failed',
      ai_completion_reason = 'technical_error', is_successful = false, submitted_at = null
    where u.id = p_result_id and u.attempt = p_attempt and u.processing_status = 'processing' and u.decided_at is null
      and exists (
        select from public.attempt_plan p
        where p.merchant_id = u.merchant_id and p.result_id = u.id and p.attempt = u.attempt and p.lost_answers > 0
      )
      and (
        select bool_or(q.transcript_status = 'failed') and bool_and(coalesce(q.answer, q.recording_local_path, '') = '')
        from public.attempt_step s
        join public.result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
          and q.attempt = s.attempt and q.place = s.place and q.is_answer
        where s.merchant_id = u.merchant_id and s.result_id = u.id and s.attempt = u.attempt and s.is_scored
      )
    returning * into r;
  if r.id is null then
    return false;
  end if;
  perform app.refund_result(r.id, r.attempt);
  -- Another attempt can have begun meanwhile.
  if (app.current_attempt(r)).attempt = r.attempt then
    perform app.queue_retry_mail(r);
  end if;
  return true;
end
$$;
grant execute on function app.fail_unheard(uuid, integer) to app_worker;

-- Records that the object store rejects a recording, unless it has done so since its last part (`app.waits_since`).
create or replace function app.refuse_recording(p_recording_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  update public.recording c set refused_at = now()
    where c.merchant_id = r.merchant_id and c.id = p_recording_id and c.result_id = r.id and c.attempt = r.attempt
      and c.state = 'open' and c.refused_at is null and app.upload_state(r, c) = 'open';
end
$$;
grant execute on function app.refuse_recording(uuid) to app_link;

-- For the worker: closes attempts that are due (`app.close_if_due`), except those of the results in `p_except`. Returns how
-- many it closed, and the results whose attempts it failed to close, with the code of the error. Skips attempts that another
-- transaction has locked. Attempts are closed in the order of their merchants, so that two workers lock credit accounts in
-- the same order and do not deadlock.
create or replace function app.close_due_attempts(p_limit integer, p_except uuid[] default '{}', out closed integer, out failed jsonb)
language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  r public.interview_result;
begin
  closed := 0;
  failed := '[]';
  for due in
    select d.merchant_id, d.id from (
      select u.merchant_id, u.id from public.interview_result u
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds' and app.due_end(u) is not null
        and u.id <> all (p_except)
      order by u.deadline_at limit p_limit for update skip locked
    ) d
    union
    select d.merchant_id, d.id from (
      select u.merchant_id, u.id from public.interview_result u
      where u.interview_status = 'started' and u.last_active_at < now() - interval '30 minutes' and app.due_end(u) is not null
        and u.id <> all (p_except)
      order by u.last_active_at limit p_limit for update skip locked
    ) d
    union
    select d.merchant_id, d.id from (
      select u.merchant_id, u.id from public.interview_result_attempt a
      join public.interview_result u on u.merchant_id = a.merchant_id and u.id = a.result_id
      cross join lateral jsonb_populate_record(null::public.interview_result, a.fields) f
      where a.is_open and u.id <> all (p_except) and case when f.interview_status = 'started'
        then app.due_end(f) is not null else f.ended_at < now() - interval '48 hours' end
      limit p_limit for update of u skip locked
    ) d
    order by 1, 2
  loop
    -- What was read before the lock can be out of date. An error undoes what was done to this attempt only.
    begin
      select * into r from public.interview_result u where u.merchant_id = due.merchant_id and u.id = due.id;
      closed := closed + app.close_if_due(r)::integer;
    exception when others then
      failed := failed || jsonb_build_object('result_id', due.id, 'code', sqlstate);
    end;
  end loop;
end
$$;
grant execute on function app.close_due_attempts(integer, uuid[]) to app_worker;

reset role;
