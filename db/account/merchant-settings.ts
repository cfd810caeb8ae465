import type { Statement } from '../platform/statement';
import type { Environment } from '../platform/vocabulary';

export type MerchantSettings = {
  /** The domain that the merchant asked for. The portal is available at this domain once the domain is verified. */
  portal_domain: string | null;
  /** An IANA time zone name. */
  time_zone: string;
  /** How many days after the invitation the reminder is sent. Null turns the reminder off. */
  reminder_days: number | null;
  final_reminder_days: number | null;
  /** The id of the directory with which the merchant's portal starts. */
  start_directory: string | null;
  reports_enabled: boolean;
  /** The environments in which agents may work for the merchant. */
  agent_environments: Environment[];
  /** The hosts whose agents people may connect. An empty list allows any. */
  agent_hosts: string[];
  /** If true, a candidate whom a recruiter advances gets a mail with the link to the next step of the position. */
  mail_next_step: boolean;
  /** If true, the candidate of a result that is reopened gets a mail with a new link. */
  mail_reopened: boolean;
  /**
   * Addresses, or `*@domain` for all addresses of a domain, that may receive invitation mails outside production.
   * They have the form that `emailKey` returns.
   */
  test_recipients: string[];
  /** The contact for candidates' questions about their data. The privacy notice shows it. */
  privacy_contact: string | null;
  /** How many days recordings, drafts, and results (transcripts and scores) are kept. */
  recording_retention_days: number;
  draft_retention_days: number;
  result_retention_days: number;
  /** The color of buttons and links on the merchant's pages: `#` and six hexadecimal digits in lower case. */
  accent_color: string | null;
};

export type StoredSettings = MerchantSettings & {
  /** Equal to `portal_domain` once the domain is verified, null before. */
  verified_domain: string | null;
  portal_domain_challenge: string;
  /** The path of the logo in the object store. */
  logo_path: string | null;
};

export const readMerchantSettings: Statement<StoredSettings> = {
  name: 'read_merchant_settings',
  text: `
    select portal_domain_claim as portal_domain, portal_domain as verified_domain, portal_domain_challenge,
      time_zone, start_directory, reports_enabled, mail_next_step, mail_reopened, test_recipients,
      privacy_contact, agent_environments, agent_hosts, recording_retention_days, draft_retention_days, result_retention_days, accent_color, logo_path,
      (extract(epoch from reminder_after) / 86400)::float8 as reminder_days,
      (extract(epoch from final_reminder_after) / 86400)::float8 as final_reminder_days
    from merchant where id = app.merchant_id()`,
};

/** Finds the verified portal domain of the caller's merchant. */
export const findPortalDomain: Statement<{ portal_domain: string | null }> = {
  name: 'find_portal_domain',
  text: 'select portal_domain from merchant where id = app.merchant_id()',
};

/**
 * Stores the settings. A new portal domain counts as unverified until `provePortalDomain` is called. Fails with
 * SQLSTATE 22023 when Postgres does not know the time zone.
 */
export const updateMerchantSettings = (settings: MerchantSettings): Statement => ({
  text: `
    update merchant set portal_domain_claim = $1, time_zone = $2, start_directory = $3, reports_enabled = $4,
      reminder_after = make_interval(days => $5), final_reminder_after = make_interval(days => $6),
      test_recipients = $7, recording_retention_days = $8, draft_retention_days = $9, result_retention_days = $10,
      mail_next_step = $11, privacy_contact = $12, mail_reopened = $13, accent_color = $14, agent_environments = $15,
      agent_hosts = $16
    where id = app.merchant_id() and now() at time zone $2 is not null`,
  values: [
    settings.portal_domain,
    settings.time_zone,
    settings.start_directory,
    settings.reports_enabled,
    settings.reminder_days,
    settings.final_reminder_days,
    settings.test_recipients,
    settings.recording_retention_days,
    settings.draft_retention_days,
    settings.result_retention_days,
    settings.mail_next_step,
    settings.privacy_contact,
    settings.mail_reopened,
    settings.accent_color,
    settings.agent_environments,
    settings.agent_hosts,
  ],
});

/** Stores the path of the logo, or null for none, and returns the path that was stored before. */
export const setLogo = (path: string | null): Statement<{ old_path: string | null }> => ({
  text: `
    with before as (select id, logo_path from merchant where id = app.merchant_id() for update)
    update merchant m set logo_path = $1 from before where m.id = before.id returning before.logo_path as old_path`,
  values: [path],
});

/**
 * Records that the caller's merchant controls this domain. `proven` is false when the merchant's settings now name
 * another domain.
 */
export const provePortalDomain = (domain: string): Statement<{ proven: boolean }> => ({
  text: 'select app.prove_portal_domain($1) as proven',
  values: [domain],
});
