-- Stores the counts of merchant-status, so that its calls do not count rows (docs/account.md#account-status). Changes
-- insert rows instead of updating a counter, so writers never wait for each other.

-- Returns the metrics that count a result in this state.
create or replace function app.result_metrics(
  p_status text, p_interview_status text, p_processing_status text, p_go_next_round boolean
) returns setof text
language sql immutable parallel safe
as $$
  select metric from (values
    ('results', true),
    ('undecided', p_status = 'active' and p_processing_status = 'completed'
      and p_interview_status in ('completed', 'completed, stopped early') and p_go_next_round is null),
    ('ongoing', p_interview_status = 'started')
  ) as m (metric, counts) where counts
$$;
grant execute on function app.result_metrics(text, text, text, boolean) to app_user, app_service, app_definer;

set local role app_definer;

-- Counts new candidates.
create or replace function app.count_enrolments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, quarter, value)
    select merchant_id, environment, 'candidates', scope_id, date_bin('15 minutes', created_at, '2000-01-01Z'), count(*)
    from added group by 1, 2, 4, 5;
  return null;
end
$$;

-- Counts new results. The quarter is set only for new results, and tests and visits are not counted. A result of a position
-- is counted for the position and, as `step_results`, for its interview.
create or replace function app.count_results() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, quarter, value)
    select r.merchant_id, r.environment, m.metric, coalesce(e.scope_id, r.interview_id),
      case when m.metric = 'results' then date_bin('15 minutes', r.created_at, '2000-01-01Z') end, count(*)
    from added r left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
      r.recruiter_go_next_round) as m (metric)
    where not r.is_test and not r.is_visit group by 1, 2, 3, 4, 5
    union all
    select r.merchant_id, r.environment, 'step_results', r.interview_id, null, count(*)
    from added r join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where not r.is_test and e.position_id is not null group by 1, 2, 4;
  return null;
end
$$;

-- Counts changes of all results except tests and visits. A candidate's result is counted for the interview or position of
-- the candidate's enrolment. It is a row trigger, because Postgres would copy every changed row for a statement trigger,
-- even if no count changes.
create or replace function app.count_changed_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, value)
    select new.merchant_id, new.environment, m.metric, coalesce(e.scope_id, r.interview_id), sum(r.sign)
    from (values
      (1, new.interview_id, new.enrolment_id, new.is_test, new.status, new.interview_status, new.processing_status,
        new.recruiter_go_next_round),
      (-1, old.interview_id, old.enrolment_id, old.is_test, old.status, old.interview_status, old.processing_status,
        old.recruiter_go_next_round)
    ) as r (sign, interview_id, enrolment_id, is_test, status, interview_status, processing_status,
      recruiter_go_next_round)
    left join public.enrolment e on e.merchant_id = new.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
      r.recruiter_go_next_round) as m (metric)
    where not r.is_test and not new.is_visit group by 3, 4 having sum(r.sign) <> 0;
  return null;
end
$$;

reset role;

-- Computes the counts of `account_count` from the rows that a restricted person can see, and returns no rows for other
-- people. The function runs with the rights of its caller, so the policies decide which rows it sees.
create or replace function app.count_positions() returns table (metric text, scope_id uuid, quarter timestamptz, value bigint)
language plpgsql stable
as $$
begin
  if app.position_ids() is null then
    return;
  end if;
  return query
    select 'candidates', e.scope_id, e.created_at, 1::bigint from enrolment e
    union all
    select m.metric, coalesce(e.scope_id, r.interview_id), case when m.metric = 'results' then r.created_at end, 1::bigint
    from interview_result r left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status, r.recruiter_go_next_round)
      as m (metric)
    where not r.is_test and not r.is_visit
    union all
    select 'step_results', r.interview_id, null, 1::bigint
    from interview_result r join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where not r.is_test and e.position_id is not null;
end
$$;
grant execute on function app.count_positions() to app_user, app_service;

create or replace trigger enrolment_count after insert on enrolment referencing new table as added
  for each statement execute function app.count_enrolments();
create or replace trigger interview_result_count_added after insert on interview_result referencing new table as added
  for each statement execute function app.count_results();
create or replace trigger interview_result_count_changed after update on interview_result
  for each row when (
    (old.interview_id, old.enrolment_id, old.is_test, old.status, old.interview_status, old.processing_status,
      old.recruiter_go_next_round)
    is distinct from (new.interview_id, new.enrolment_id, new.is_test, new.status, new.interview_status,
      new.processing_status, new.recruiter_go_next_round)
  ) execute function app.count_changed_result();
