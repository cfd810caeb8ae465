-- Owners turn reports on and off with merchant.reports_enabled, which the settings page sets. Nothing reads
-- custom_reports of 0026 any more; the column stays while processes of the previous release can still run.
grant select (reports_enabled) on merchant to app_service;
