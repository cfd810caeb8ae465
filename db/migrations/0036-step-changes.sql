-- Reports of positions read enrolment_step since 0034, so a change of that table must invalidate their cached results
-- (docs/reports.md#cache).
set local role app_definer;
grant execute on function app.report_input_changed() to app_owner;
set local role app_owner;
create trigger enrolment_step_report_changed after insert or update or delete on enrolment_step
  for each row execute function app.report_input_changed();
set local role app_definer;
revoke execute on function app.report_input_changed() from app_owner;
set local role app_owner;
