-- Lets the worker delete old runs of scheduled reports with their mails (docs/reports.md#deliveries).

create policy report_delivery_worker_delete on report_delivery for delete to app_worker using (true);
grant delete on report_delivery to app_worker;
-- The mails of a run are deleted with it.
alter table report_mail
  drop constraint report_mail_merchant_id_delivery_id_fkey,
  add constraint report_mail_merchant_id_delivery_id_fkey foreign key (merchant_id, delivery_id)
    references report_delivery (merchant_id, id) on delete cascade;
create index report_delivery__created_at on report_delivery (created_at);
create index report_delivery__id on report_delivery (id) where ended_at is null;
