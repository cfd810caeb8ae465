import type { Statement } from '../platform/statement';
import type { Environment, Role } from '../platform/vocabulary';
import type { DaySumsState } from './day-sums';
import { findReport, findSavedFilters, isPlanUnlimited } from './reports';
import type { StoredReport } from './reports';

/** If the sums of more days than this are out of date, it is faster to compute everything from the attempts. */
const maxChangedDays = 100;

/** The data that a report run needs about the caller and the caller's merchant. */
export type RunSettings = {
  merchant_id: string;
  environment: Environment;
  /** `service` for a service key. */
  role: Role | 'service';
  profile_id: string | null;
  /** The positions that a restricted hiring manager may see. Null for all other callers. */
  position_ids: string | null;
  reports_enabled: boolean;
  time_zone: string | null;
  /** True if the plan of the account charges nothing, so that it has no dataset of credits. */
  is_unlimited: boolean;
  /** A text that changes with every change to the data that the merchant's reports read. */
  state: string;
  /** The sums by day. Null if there are none, if the caller cannot read them or if too many of them are out of date. */
  rollup: DaySumsState | null;
};

export const findRunSettings: Statement<RunSettings> = {
  name: 'find_run_settings',
  text: `
    select m.id as merchant_id, app.environment() as environment, app.caller_role() as role, app.profile_id() as profile_id,
      nullif(current_setting('app.position_ids', true), '') as position_ids,
      m.reports_enabled, m.time_zone, ${isPlanUnlimited} as is_unlimited, c.state,
      case when r.until is not null and cardinality(c.days) <= ${maxChangedDays} then json_build_object(
        'time_zone', r.time_zone, 'until', r.until, 'changed_days', c.days
      ) end as rollup
    from merchant m
    left join report_rollup r on r.merchant_id = m.id and r.environment = app.environment()
    cross join lateral (
      select count(*) || '/' || coalesce(sum(c.id), 0) as state,
        coalesce(array_agg(distinct (c.attempt_instant at time zone r.time_zone)::date) filter (
          where c.attempt_environment = app.environment() and (c.attempt_instant at time zone r.time_zone)::date < r.until
        ), '{}') as days
      from report_change c where c.merchant_id = app.merchant_id()
    ) c
    where m.id = app.merchant_id()`,
};

/**
 * The settings for running a stored report. The fields of the report are null if the report does not exist or the
 * caller may not see it.
 */
export type StoredRunSettings = RunSettings & {
  [Field in keyof StoredReport]: StoredReport[Field] | null;
} & { saved_filters: unknown };

/** Returns the settings for running this report, the report, and the filters that the caller saved for it. */
export const findStoredRun = (id: string): Statement<StoredRunSettings> => ({
  name: 'find_stored_run',
  text: `
    select s.*, r.*, f.filters as saved_filters from (${findRunSettings.text}) s
    left join (${findReport(id).text}) r on true left join (${findSavedFilters(id).text}) f on true`,
  values: [id],
});
