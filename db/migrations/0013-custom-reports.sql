-- Nothing reads this column: `reports_enabled` is the switch.
alter table merchant drop column custom_reports;
