-- Counts the schedules of a merchant, which are limited (docs/reports.md#deliveries).

-- Counts the active schedules of the caller's merchant in all environments, including those that the caller does not see.
-- Until the transaction ends, nobody else can count them, so two callers cannot both add the last one.
create function app.count_report_schedules() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('report schedules ' || app.merchant_id(), 0));
  return (
    select count(*)
    from public.report_schedule s
    join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
    where s.merchant_id = app.merchant_id() and s.stopped_at is null and r.archived_at is null
  );
end
$$;
grant execute on function app.count_report_schedules() to app_user;
alter function app.count_report_schedules() owner to app_definer;
