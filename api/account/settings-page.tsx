import type { VNode } from 'preact';
import { z } from 'zod';
import {
  provePortalDomain,
  readMerchantSettings,
  updateMerchantSettings,
} from '../../db/account/merchant-settings';
import type { MerchantSettings, StoredSettings } from '../../db/account/merchant-settings';
import { findDirectoryOwner } from '../../db/catalogue/public';
import { recordAuditEntry } from '../../db/platform/audit';
import { environments } from '../../db/platform/vocabulary';
import { testRecipients } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { Panel } from '../platform/site/elements';
import type { Page } from '../platform/site/layout';
import { numberOf, parseForm } from '../platform/site/parse-form';
import { sentText } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { isOwner, ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { boundedText } from '../platform/text/bounded-text';
import { accentPattern } from '../platform/text/brand';
import { oneLine } from '../platform/text/one-line';
import { addLogoActions, LogoPanel } from './logo-panel';
import { timeZone, toUnknownTimeZoneError } from './merchant-fields';
import { isReserved, PortalDomainPanel } from './portal-domain';
import { retentionForm } from './retention-fields';
import { SettingsFacts, SettingsForm, toFormValues } from './settings-form';

const host = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const blankIsNull = (text: string) => (text === '' ? null : text);
const line = (shape: z.ZodType<string, string>) =>
  boundedText(1_000).transform(blankIsNull).pipe(shape.nullable());
const days = boundedText(20)
  .transform((text) => (text === '' ? null : numberOf(text)))
  .pipe(z.int().min(1).max(90).nullable());

const form = z
  .object({
    portal_domain: line(
      boundedText(253).toLowerCase().regex(host, 'must be a host name like jobs.example.com'),
    ),
    time_zone: timeZone,
    reminder_days: days,
    final_reminder_days: days,
    start_directory: line(
      boundedText(200).regex(
        /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
        'must be a catalogue ID of lowercase letters, digits, - and _',
      ),
    ),
    reports_enabled: z.boolean(),
    mail_next_step: z.boolean(),
    mail_reopened: z.boolean(),
    agent_environments: z.array(z.enum(environments)),
    agent_hosts: boundedText(13_000)
      .transform((text) => text.toLowerCase().split(/\s+/).filter(Boolean))
      .pipe(z.array(boundedText(253).regex(host, 'must be host names like claude.ai, one per line')).max(50)),
    privacy_contact: line(boundedText(200).transform(oneLine)),
    test_recipients: testRecipients,
    accent_color: line(boundedText(7).toLowerCase().regex(accentPattern, 'must be a color like #1a56c4')),
    ...retentionForm,
  })
  .refine(
    ({ reminder_days: first, final_reminder_days: final }) =>
      first === null || final === null || final > first,
    { path: ['final_reminder_days'], error: 'must be later than the first reminder' },
  );

/** Adds the page with the merchant settings, which only an owner can change. */
export function addSettingsPage(site: Site, deps: ConsoleDeps): void {
  const { database, portalDomains } = deps;
  const read = async (visit: ConsoleVisit): Promise<StoredSettings> => {
    const [settings] = await database.query(visit.caller(), readMerchantSettings);
    if (!settings) throw new ApiError('not_found', 'There is no such merchant.');
    return settings;
  };

  site.page('console-settings', '/settings', async (visit) => {
    const settings = await read(visit);
    return isOwner(visit) ? ownersPage(settings) : settingsPage(<SettingsFacts settings={settings} />);
  });

  site.post(
    'console-settings-update',
    '/settings',
    async (visit, sent) => {
      const text = (name: string) => sentText(sent, name);
      const entered = {
        portal_domain: text('portal_domain'),
        time_zone: text('time_zone'),
        reminder_days: text('reminder_days'),
        final_reminder_days: text('final_reminder_days'),
        start_directory: text('start_directory'),
        reports_enabled: text('reports_enabled') === 'on',
        mail_next_step: text('mail_next_step') === 'on',
        mail_reopened: text('mail_reopened') === 'on',
        agent_environments: environments.filter((each) => text(`agents_${each}`) === 'on'),
        test_recipients: text('test_recipients'),
        agent_hosts: text('agent_hosts'),
        privacy_contact: text('privacy_contact'),
        accent_color: text('accent_color'),
        recording_retention_days: text('recording_retention_days'),
        draft_retention_days: text('draft_retention_days'),
        result_retention_days: text('result_retention_days'),
      };
      const { value, error } = parseForm(form, entered);
      const refuse = (error: ApiError): Page =>
        settingsPage(<SettingsForm settings={entered} error={error} />, error.status);
      if (error) return refuse(error);
      if (value.portal_domain !== null && isReserved(value.portal_domain, portalDomains.reserved))
        return refuse(
          new ApiError(
            'invalid_value',
            'This host name is reserved. Use a host name of your own domain.',
            'portal_domain',
          ),
        );
      try {
        await database.write(visit.caller(ownerRoles), async (trx) => {
          const before = await trx.one(readMerchantSettings);
          const start = value.start_directory;
          // A start directory that was already set may stay even if it no longer exists, so that the other settings can
          // be saved.
          if (start !== null && start !== before.start_directory)
            if ((await trx.rows(findDirectoryOwner(start))).length === 0)
              throw new ApiError(
                'invalid_value',
                'start_directory must be the ID of a directory in your catalogue. Create it first.',
                'start_directory',
              );
          await trx.count(updateMerchantSettings(value));
          await trx.count(
            recordAuditEntry('merchant-settings-update', visit.merchant.id, changesOf(before, value)),
          );
        });
      } catch (failure) {
        const error = toUnknownTimeZoneError(failure);
        if (error instanceof ApiError) return refuse(error);
        throw failure;
      }
      return { goTo: '/settings', flash: 'Settings saved.' };
    },
    { roles: ownerRoles },
  );

  addLogoActions(site, deps, async (visit, error) => ownersPage(await read(visit), { logo: error }));

  site.post(
    'console-settings-verify-domain',
    '/settings/verify-domain',
    async (visit) => {
      const settings = await read(visit);
      const { portal_domain: domain, portal_domain_challenge: challenge } = settings;
      const refuse = (message: string): Page =>
        ownersPage(settings, { domain: new ApiError('invalid_value', message, 'portal_domain') });
      if (domain === null) return refuse('Save a portal domain first.');
      // The domain may have been reserved since it was saved.
      if (isReserved(domain, portalDomains.reserved))
        return refuse(`${domain} is reserved for the platform. Save a host name of your own domain.`);
      const problem = await portalDomains.challenge(domain, challenge);
      if (problem !== null) return refuse(problem);
      const proven = await database.write(visit.caller(ownerRoles), async (trx) => {
        const row = await trx.maybeOne(provePortalDomain(domain));
        if (row?.proven)
          await trx.count(
            recordAuditEntry('portal-domain-verify', visit.merchant.id, { portal_domain: domain }),
          );
        return row?.proven === true;
      });
      if (!proven)
        return refuse('Someone changed the portal domain in the meantime. Review it and try again.');
      return { goTo: '/settings', flash: `${domain} is verified. Your portal is live there.` };
    },
    { roles: ownerRoles },
  );
}

/** The page with all forms, and the error of one of those besides the settings. */
const ownersPage = (settings: StoredSettings, error: { domain?: ApiError; logo?: ApiError } = {}): Page =>
  settingsPage(
    <SettingsForm settings={toFormValues(settings)} />,
    (error.domain ?? error.logo)?.status,
    <PortalDomainPanel settings={settings} error={error.domain} />,
    <LogoPanel logo={settings.logo_path} error={error.logo} />,
  );

const settingsPage = (content: VNode, status = 200, before?: VNode, after?: VNode): Page => ({
  title: 'Settings',
  at: '/settings',
  status,
  content: (
    <>
      {before}
      <Panel>{content}</Panel>
      {after}
    </>
  ),
});

/** Returns the changes for the audit log. Of people's addresses, only the number is recorded. */
function changesOf(before: MerchantSettings | undefined, after: MerchantSettings): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, name === 'test_recipients' ? after.test_recipients.length : value]),
  );
}
