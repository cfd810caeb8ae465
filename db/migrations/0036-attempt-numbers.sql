-- The highest number of an attempt that was erased from the history, because no later attempt may have its number.
alter table interview_result add column erased_attempt integer not null default 0;
-- Whether a recruiter ended the attempt, by deciding about the submitted one or by reopening it.
alter table interview_result_attempt add column is_cut_off boolean not null default false;
-- Attempts that were never submitted are erased earlier than others.
create index interview_result_attempt__merchant_id_reopened_at_attempt
  on interview_result_attempt (merchant_id, reopened_at, attempt) where fields ->> 'status' = 'draft' and not is_open;

alter table interview_result no force row level security, disable trigger user;
alter table interview_result_attempt no force row level security;
alter table credit_entry no force row level security;
alter table unpaid_attempt no force row level security;
alter table report_attempt no force row level security;
-- Numbers of attempts that were erased are known only from their charges.
update interview_result r set erased_attempt = c.attempt
  from (
    select result_id, max(attempt) as attempt from (
      select result_id, attempt from credit_entry where attempt > 1
      union all
      select result_id, attempt from unpaid_attempt where attempt > 1
    ) paid group by result_id
  ) c
  where r.id = c.result_id and r.attempt < c.attempt;
-- An attempt that is open has no row in reports until it ends.
delete from report_attempt p using interview_result_attempt a
  where a.is_open and p.merchant_id = a.merchant_id and p.result_id = a.result_id and p.attempt = a.attempt;
alter table interview_result force row level security, enable trigger user;
alter table interview_result_attempt force row level security;
alter table credit_entry force row level security;
alter table unpaid_attempt force row level security;
alter table report_attempt force row level security;

drop function if exists app.close_as_due(interview_result);
drop function if exists app.close_due_attempts(integer);
