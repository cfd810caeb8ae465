import type { Statement } from './scope';

export type MerchantSettings = {
  portal_domain: string | null;
  /** IANA name. */
  time_zone: string;
  /** Days after the invitation; null is off. */
  reminder_days: number | null;
  final_reminder_days: number | null;
  /** Catalogue id. */
  start_directory: string | null;
  reports_enabled: boolean;
};

/** Settings of the caller's merchant. */
export const readMerchantSettings: Statement = {
  name: 'read_merchant_settings',
  text: `
    select portal_domain, time_zone, start_directory, reports_enabled,
      (extract(epoch from reminder_after) / 86400)::float8 as reminder_days,
      (extract(epoch from final_reminder_after) / 86400)::float8 as final_reminder_days
    from merchant where id = app.merchant_id()`,
};

/** Fails with 22023 where Postgres does not know the time zone, with 23505 where another merchant has the domain. */
export const updateMerchantSettings = (settings: MerchantSettings): Statement => ({
  text: `
    update merchant set portal_domain = $1, time_zone = $2, start_directory = $3, reports_enabled = $4,
      reminder_after = make_interval(days => $5), final_reminder_after = make_interval(days => $6)
    where id = app.merchant_id() and now() at time zone $2 is not null`,
  values: [
    settings.portal_domain,
    settings.time_zone,
    settings.start_directory,
    settings.reports_enabled,
    settings.reminder_days,
    settings.final_reminder_days,
  ],
});
