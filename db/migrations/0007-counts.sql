-- Stores the counts of merchant-status, so that its calls do not count rows (docs/account.md#account-status). Changes
-- insert rows instead of updating a counter, so writers never wait for each other.

-- The current count of an interview or position is the sum of the rows with its `scope_id`, so reads can leave out
-- archived definitions. The rows with a `quarter` show what was added in that quarter of an hour. They can be summed up
-- by day, because days begin at a full quarter of an hour in every time zone. A new row can have both columns. The
-- cleanup job folds new rows: it adds their values to the `folded` rows of the scope and of the quarter.
create table account_count (
  -- Each connection reserves 100 ids at a time, so that writers seldom wait for the sequence.
  id bigint generated always as identity (cache 100) primary key,
  -- The table has no foreign keys and few checks, because only the triggers below add rows and checks would slow down
  -- every write.
  merchant_id uuid not null,
  environment text not null,
  metric text not null,
  scope_id uuid,
  quarter timestamptz,
  value bigint not null,
  folded boolean not null default false, -- true if the cleanup job made this row as the sum of other rows
  check (scope_id is not null or quarter is not null),
  check (not folded or scope_id is null or quarter is null)
);
-- Each index covers either folded or unfolded rows, so that an insert changes few indexes.
create unique index account_count__merchant_id_environment_metric_scope_id_quarter
  on account_count (merchant_id, environment, metric, scope_id, quarter) nulls not distinct where folded;
create index account_count__merchant_id_environment on account_count (merchant_id, environment) where not folded;
create index account_count__quarter on account_count (quarter) where folded;

alter table account_count enable row level security, force row level security;
create policy account_count_caller_select on account_count for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select on account_count to app_user, app_service;
create policy account_count_worker_select on account_count for select to app_worker using (true);
create policy account_count_worker_insert on account_count for insert to app_worker with check (true);
create policy account_count_worker_update on account_count for update to app_worker using (true);
create policy account_count_worker_delete on account_count for delete to app_worker using (true);
grant select, insert, update (value), delete on account_count to app_worker;
create policy account_count_definer_insert on account_count for insert to app_definer with check (true);
grant insert on account_count to app_definer;

create function app.count_enrolments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.account_count (merchant_id, environment, metric, scope_id, quarter, value)
    select merchant_id, environment, 'candidates', scope_id, date_bin('15 minutes', created_at, '2000-01-01Z'), count(*)
    from added group by 1, 2, 4, 5;
  return null;
end
$$;
create trigger enrolment_count after insert on enrolment referencing new table as added
  for each statement execute function app.count_enrolments();
alter function app.count_enrolments() owner to app_definer;

-- Returns the metrics that count a result in this state.
create function app.result_metrics(
  p_status text, p_interview_status text, p_processing_status text, p_go_next_round boolean, p_charge text
) returns setof text
language sql immutable parallel safe
as $$
  select metric from (values
    ('results', true),
    ('undecided', p_status = 'active' and p_processing_status = 'completed'
      and p_interview_status in ('completed', 'completed, stopped early') and p_go_next_round is null),
    ('ongoing', p_interview_status = 'started'),
    ('without_credits', p_charge = 'unpaid')
  ) as m (metric, counts) where counts
$$;
grant execute on function app.result_metrics(text, text, text, boolean, text) to app_definer;

-- Counts changes of all results except tests. A candidate's result is counted for the interview or position of the
-- candidate's enrolment. The quarter is set only for new results.
grant select (scope_id) on enrolment to app_definer;
create function app.count_results() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.account_count (merchant_id, environment, metric, scope_id, quarter, value)
      select r.merchant_id, r.environment, m.metric, coalesce(e.scope_id, r.interview_id),
        case when m.metric = 'results' then date_bin('15 minutes', r.created_at, '2000-01-01Z') end, count(*)
      from added r left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
        r.recruiter_go_next_round, r.charge) as m (metric)
      where not r.is_test group by 1, 2, 3, 4, 5;
  else
    insert into public.account_count (merchant_id, environment, metric, scope_id, value)
      select r.merchant_id, r.environment, m.metric, coalesce(e.scope_id, r.interview_id), sum(r.sign)
      from (
        select 1 as sign, merchant_id, environment, interview_id, enrolment_id, is_test, status, interview_status,
          processing_status, recruiter_go_next_round, charge from added
        union all
        select -1, merchant_id, environment, interview_id, enrolment_id, is_test, status, interview_status,
          processing_status, recruiter_go_next_round, charge from removed
      ) r left join public.enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status,
        r.recruiter_go_next_round, r.charge) as m (metric)
      where not r.is_test group by 1, 2, 3, 4 having sum(r.sign) <> 0;
  end if;
  return null;
end
$$;
create trigger interview_result_count_added after insert on interview_result referencing new table as added
  for each statement execute function app.count_results();
create trigger interview_result_count_changed after update on interview_result
  referencing new table as added old table as removed
  for each statement execute function app.count_results();
alter function app.count_results() owner to app_definer;

-- These indexes make the counts of active definitions fast.
create index interview__merchant_id_environment on interview (merchant_id, environment) where status = 'active';
create index position__merchant_id_environment on position (merchant_id, environment) where status = 'active';
