import type { Statement } from '../platform/statement';

export type MerchantSettings = {
  /** What the merchant asks for; served once it is verified. */
  portal_domain: string | null;
  /** IANA name. */
  time_zone: string;
  /** Days after the invitation; null is off. */
  reminder_days: number | null;
  final_reminder_days: number | null;
  /** Catalogue id. */
  start_directory: string | null;
  reports_enabled: boolean;
  /** Addresses, or `*@domain`, that get mails of invitations outside production; as `emailKey` writes them. */
  test_recipients: string[];
};

export type StoredSettings = MerchantSettings & {
  /** `portal_domain` once it is verified; null before. */
  verified_domain: string | null;
  portal_domain_challenge: string;
};

/** Settings of the caller's merchant. */
export const readMerchantSettings: Statement<StoredSettings> = {
  name: 'read_merchant_settings',
  text: `
    select portal_domain_claim as portal_domain, portal_domain as verified_domain, portal_domain_challenge,
      time_zone, start_directory, reports_enabled, test_recipients,
      (extract(epoch from reminder_after) / 86400)::float8 as reminder_days,
      (extract(epoch from final_reminder_after) / 86400)::float8 as final_reminder_days
    from merchant where id = app.merchant_id()`,
};

/** Another portal domain is not verified. Fails with 22023 where Postgres does not know the time zone. */
export const updateMerchantSettings = (settings: MerchantSettings): Statement => ({
  text: `
    update merchant set portal_domain_claim = $1, time_zone = $2, start_directory = $3, reports_enabled = $4,
      reminder_after = make_interval(days => $5), final_reminder_after = make_interval(days => $6),
      test_recipients = $7
    where id = app.merchant_id() and now() at time zone $2 is not null`,
  values: [
    settings.portal_domain,
    settings.time_zone,
    settings.start_directory,
    settings.reports_enabled,
    settings.reminder_days,
    settings.final_reminder_days,
    settings.test_recipients,
  ],
});

/** The caller's merchant has proven this domain; `{proven}` is false where it asks for another one by now. */
export const provePortalDomain = (domain: string): Statement<{ proven: boolean }> => ({
  text: 'select app.prove_portal_domain($1) as proven',
  values: [domain],
});
