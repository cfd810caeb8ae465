-- An answer whose recording began before the deadline may be uploaded and given for 10 more minutes.

create function app.is_uploading_answer(r public.interview_result) returns boolean language sql stable
as $$
  select exists (
    select from public.recording c
    join public.result_question q on q.merchant_id = c.merchant_id and q.id = c.turn_id
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt
      and c.state in ('open', 'completed', 'stored') and q.answered_at is null
  )
$$;
revoke execute on function app.is_uploading_answer(public.interview_result) from public;
grant execute on function app.is_uploading_answer(public.interview_result) to app_definer;

-- As in 0041, but waits for recordings of unanswered turns.
set local role app_definer;
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
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds'
        and (u.deadline_at < now() - interval '10 minutes' or not app.is_uploading_answer(u))
      order by u.deadline_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    closed := closed + 1;
  end loop;
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.last_active_at < now() - interval '60 minutes'
      order by u.last_active_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The candidate did nothing for an hour.', r.last_active_at);
    closed := closed + 1;
  end loop;
  return closed;
end
$$;
set local role app_owner;
