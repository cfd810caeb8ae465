-- Makes changes of results cheaper. Postgres compares the columns in a trigger's `when` without calling the trigger's
-- function, so a change of other columns calls none.

-- A result fires an event only if a watched field changes (docs/webhooks.md#how-a-delivery-begins).
set local role app_definer;
grant execute on function app.announce_result() to app_owner;
set local role app_owner;
drop trigger interview_result_announce on interview_result;
create trigger interview_result_announce_added after insert on interview_result
  for each row execute function app.announce_result();
create trigger interview_result_announce_changed after update on interview_result
  for each row when (
    (old.status, old.processing_status, old.interview_status, old.score, old.ai_analysis_recruiter_score,
      old.ai_analysis_recruiter, old.ai_analysis_recruiter_why_hire, old.ai_analysis_recruiter_why_not_hire,
      old.recruiter_go_next_round, old.pdf_export_url)
    is distinct from (new.status, new.processing_status, new.interview_status, new.score, new.ai_analysis_recruiter_score,
      new.ai_analysis_recruiter, new.ai_analysis_recruiter_why_hire, new.ai_analysis_recruiter_why_not_hire,
      new.recruiter_go_next_round, new.pdf_export_url)
  ) execute function app.announce_result();

-- `queue_deliveries` now runs with the rights of its caller. Only `announce_result` and `release_held_results` call it,
-- and they already run as app_definer with an empty search path. Setting the role and the search path again takes
-- longer than the rest of the call.
set local role app_definer;
revoke execute on function app.announce_result() from app_owner;
alter function app.queue_deliveries(uuid, text, text, uuid, text[]) security invoker reset search_path;
set local role app_owner;

-- Counts changed results with a row trigger. For a statement trigger, Postgres would copy every changed row, even if no
-- count changes.
create function app.count_changed_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, value)
    select new.merchant_id, new.environment, m.metric, coalesce(e.scope_id, r.interview_id), sum(r.sign)
    from (values
      (1, new.interview_id, new.enrolment_id, new.is_test, new.status, new.interview_status, new.processing_status,
        new.recruiter_go_next_round, new.charge),
      (-1, old.interview_id, old.enrolment_id, old.is_test, old.status, old.interview_status, old.processing_status,
        old.recruiter_go_next_round, old.charge)
    ) as r (sign, interview_id, enrolment_id, is_test, status, interview_status, processing_status, recruiter_go_next_round,
      charge)
    left join public.enrolment e on e.merchant_id = new.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
      r.recruiter_go_next_round, r.charge) as m (metric)
    where not r.is_test group by 3, 4 having sum(r.sign) <> 0;
  return null;
end
$$;
drop trigger interview_result_count_changed on interview_result;
create trigger interview_result_count_changed after update on interview_result
  for each row when (
    (old.interview_id, old.enrolment_id, old.is_test, old.status, old.interview_status, old.processing_status,
      old.recruiter_go_next_round, old.charge)
    is distinct from (new.interview_id, new.enrolment_id, new.is_test, new.status, new.interview_status,
      new.processing_status, new.recruiter_go_next_round, new.charge)
  ) execute function app.count_changed_result();
alter function app.count_changed_result() owner to app_definer;
set local role app_definer;
create or replace function app.count_results() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, quarter, value)
    select r.merchant_id, r.environment, m.metric, coalesce(e.scope_id, r.interview_id),
      case when m.metric = 'results' then date_bin('15 minutes', r.created_at, '2000-01-01Z') end, count(*)
    from added r left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
      r.recruiter_go_next_round, r.charge) as m (metric)
    where not r.is_test group by 1, 2, 3, 4, 5;
  return null;
end
$$;
set local role app_owner;
