-- Records changes of the audit log and of reports.

set local role app_definer;

-- Actions on what all environments share are in the log of each of them.
create or replace function app.sync_audit_entries() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('audit_entry', merchant_id, case when not is_of_account then environment end, array_agg(id::text))
    from added where merchant_id is not null group by merchant_id, case when not is_of_account then environment end;
  return null;
end
$$;

create or replace function app.sync_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('report', new.merchant_id, null, array[new.id::text]);
  return null;
end
$$;

create or replace function app.sync_report_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('report', new.merchant_id, null, array[new.report_id::text]);
  return null;
end
$$;

reset role;

create or replace trigger audit_entry_sync after insert on audit_entry referencing new table as added
  for each statement execute function app.sync_audit_entries();
create or replace trigger report_sync after insert or update on report
  for each row execute function app.sync_report();
create or replace trigger report_version_sync after insert on report_version
  for each row execute function app.sync_report_version();
