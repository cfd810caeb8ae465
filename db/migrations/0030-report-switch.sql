-- The account switch of reports is merchant.reports_enabled, which the settings page sets. Nothing reads custom_reports of 0026
-- any more; it stays until no process of the release before runs.
grant select (reports_enabled) on merchant to app_service;
