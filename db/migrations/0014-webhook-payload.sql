-- `revision` orders the webhook bodies of one result. `updated_at` cannot, because it is the start of a transaction,
-- and a transaction that starts earlier can change the result later.
alter table interview_result add column revision integer not null default 1;

create function app.touch_interview_result() returns trigger language plpgsql
as $$
begin
  new.updated_at := now();
  new.revision := old.revision + 1;
  return new;
end
$$;
drop trigger interview_result_touch on interview_result;
create trigger interview_result_touch before update on interview_result
  for each row execute function app.touch_interview_result();
