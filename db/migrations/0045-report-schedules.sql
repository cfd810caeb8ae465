-- Limits the schedules of reports, and deletes their old runs (docs/reports.md#deliveries).

-- Counts the active schedules of the caller's merchant in all environments, including those that the caller does not
-- see. Until the transaction ends, no other transaction can count them, so two callers cannot both add the last
-- schedule that the limit allows.
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

-- The worker deletes runs, and the mails of a run are deleted with it.
create policy report_delivery_worker_delete on report_delivery for delete to app_worker using (true);
grant delete on report_delivery to app_worker;
alter table report_mail
  drop constraint report_mail_merchant_id_delivery_id_fkey,
  add constraint report_mail_merchant_id_delivery_id_fkey foreign key (merchant_id, delivery_id)
    references report_delivery (merchant_id, id) on delete cascade;
create index report_delivery__created_at on report_delivery (created_at);
create index report_delivery__id on report_delivery (id) where ended_at is null;
