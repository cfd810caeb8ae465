-- How attempts end that their candidates do not end (docs/taking.md#ends).

-- Ends a running attempt if it is due. Returns 1 if it was, otherwise 0.
create or replace function app.close_as_due(r public.interview_result) returns integer language plpgsql
as $$
declare
  reason text := app.due_end(r);
begin
  if reason = 'technical_error' then
    perform app.end_attempt(r, 'failed', reason, app.waits_since(r));
    perform app.queue_retry_mail(r);
  elsif reason is not null then
    perform app.close_attempt(r, reason, case reason when 'left' then r.last_active_at else r.deadline_at end);
  end if;
  return (reason is not null)::integer;
end
$$;
grant execute on function app.close_as_due(interview_result) to app_definer;

set local role app_definer;

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

-- For the worker: closes attempts that are due (`app.due_end`), and returns how many it closed. An attempt that was begun
-- after a submit also ends if it is not submitted within two days. Skips attempts that another transaction has locked.
-- Attempts are closed in the order of their merchants, so that two workers lock credit accounts in the same order and do not
-- deadlock.
create or replace function app.close_due_attempts(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  closed integer := 0;
begin
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds' and app.due_end(u) is not null
      order by u.deadline_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    closed := closed + app.close_as_due(r);
  end loop;
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.last_active_at < now() - interval '30 minutes' and app.due_end(u) is not null
      order by u.last_active_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    closed := closed + app.close_as_due(r);
  end loop;
  for r in
    select due.* from (
      select u.* from public.interview_result_attempt a
      join public.interview_result u on u.merchant_id = a.merchant_id and u.id = a.result_id
      cross join lateral jsonb_populate_record(null::public.interview_result, a.fields) f
      where a.is_open and case when f.interview_status = 'started'
        then app.due_end(f) is not null else f.ended_at < now() - interval '48 hours' end
      limit p_limit for update of u skip locked
    ) due order by due.merchant_id, due.id
  loop
    -- What was read before the lock of the result can be out of date.
    r := app.current_attempt(r);
    if r.interview_status = 'started' then
      closed := closed + app.close_as_due(r);
    elsif r.ended_at < now() - interval '48 hours' then
      perform app.leave_attempt(r);
      closed := closed + 1;
    end if;
  end loop;
  return closed;
end
$$;
grant execute on function app.close_due_attempts(integer) to app_worker;

reset role;
