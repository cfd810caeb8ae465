-- Keeps `updated_at` of all tables that have it.

create or replace function app.touch_updated_at() returns trigger language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create or replace trigger interview_touch before update on interview
  for each row when (old.built_at is not null) execute function app.touch_updated_at();
create or replace trigger position_touch before update on position
  for each row execute function app.touch_updated_at();
create or replace trigger enrolment_touch before update on enrolment
  for each row execute function app.touch_updated_at();
create or replace trigger webhook_endpoint_touch before update on webhook_endpoint
  for each row when (
    (old.url, old.description, old.events, old.custom_headers_sealed, old.timeout_seconds, old.in_flight_limit, old.enabled,
      old.paused_reason, old.deleted_at)
    is distinct from (new.url, new.description, new.events, new.custom_headers_sealed, new.timeout_seconds,
      new.in_flight_limit, new.enabled, new.paused_reason, new.deleted_at)
  ) execute function app.touch_updated_at();
create or replace trigger catalogue_directory_touch before update on catalogue_directory
  for each row execute function app.touch_updated_at();
create or replace trigger report_touch before update on report for each row execute function app.touch_updated_at();
create or replace trigger report_schedule_touch before update of creator_id, every, format, block_id, recipients, stopped_at
  on report_schedule for each row execute function app.touch_updated_at();
create or replace trigger position_member_touch before update on position_member
  for each row execute function app.touch_updated_at();
