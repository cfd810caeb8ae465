import { z } from 'zod';
import { boundedText } from '../platform/text/bounded-text';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { ApiError } from '../platform/operation/api-error';
import { recordAct } from '../../db/platform/audit';
import { findDirectoryOwner } from '../../db/catalogue/public';
import {
  provePortalDomain,
  readMerchantSettings,
  updateMerchantSettings,
} from '../../db/account/merchant-settings';
import type { MerchantSettings, StoredSettings } from '../../db/account/merchant-settings';
import { checkbox, facts, postForm } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import type { Page } from '../platform/site/layout';
import { parseForm } from '../platform/site/parse-form';
import { isReserved, portalDomainPanel, portalDomainState } from './portal-domain';
import { testRecipients } from '../people/public';
import { textOf } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { isOwner, ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const host = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
const blankIsNull = (text: string) => (text === '' ? null : text);
const line = (shape: z.ZodType<string, string>) =>
  boundedText(1_000).transform(blankIsNull).pipe(shape.nullable());
const days = boundedText(20)
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(z.int().min(1).max(90).nullable());

const form = z
  .object({
    portal_domain: line(
      boundedText(253).toLowerCase().regex(host, 'must be a host name like jobs.example.com'),
    ),
    time_zone: boundedText(100).refine(
      (zone) => zones.has(zone),
      'must be an IANA time zone like Europe/Amsterdam',
    ),
    reminder_days: days,
    final_reminder_days: days,
    start_directory: line(
      boundedText(200).regex(
        /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
        'must be a catalogue id: small letters, digits, - and _',
      ),
    ),
    reports_enabled: z.boolean(),
    test_recipients: testRecipients,
  })
  .refine(
    ({ reminder_days: first, final_reminder_days: final }) =>
      first === null || final === null || final > first,
    { path: ['final_reminder_days'], error: 'must be more than reminder_days' },
  );

/** Adds the page of the merchant settings that an owner controls. */
export function addSettingsPage(site: Site, { database, portalDomains }: ConsoleDeps): void {
  const read = async (visit: Visit): Promise<StoredSettings> => {
    const [settings] = await database.query(visit.caller(), readMerchantSettings);
    if (!settings) throw new ApiError(404, 'There is no such merchant');
    return settings;
  };

  site.page('console-settings', '/settings', async (visit) => {
    const settings = await read(visit);
    return isOwner(visit) ? ownersPage(visit, settings) : settingsPage(settingsFacts(settings));
  });

  site.act(
    'console-settings-update',
    '/settings',
    async (visit, sent) => {
      const text = (name: string) => textOf(sent, name);
      const entered = {
        portal_domain: text('portal_domain'),
        time_zone: text('time_zone'),
        reminder_days: text('reminder_days'),
        final_reminder_days: text('final_reminder_days'),
        start_directory: text('start_directory'),
        reports_enabled: text('reports_enabled') === 'on',
        test_recipients: text('test_recipients'),
      };
      const { value, error } = parseForm(form, entered);
      const refuse = (fault: ApiError): Page =>
        settingsPage(settingsForm(visit, entered, fault), fault.status);
      if (error) return refuse(error);
      if (value.portal_domain !== null && isReserved(value.portal_domain, portalDomains.reserved))
        return refuse(
          new ApiError(
            422,
            'portal_domain is reserved for the platform: use a host name of your own domain',
            'portal_domain',
          ),
        );
      try {
        await database.write(visit.caller(ownerRoles), async (trx) => {
          const before = await trx.one(readMerchantSettings);
          const start = value.start_directory;
          // A start directory that was already set may stay, so that the other settings can still be saved.
          if (start !== null && start !== before.start_directory)
            if ((await trx.rows(findDirectoryOwner(start))).length === 0)
              throw new ApiError(
                422,
                'start_directory must be the id of a directory of your catalogue: create it first',
                'start_directory',
              );
          await trx.count(updateMerchantSettings(value));
          await trx.count(recordAct('merchant-settings-update', visit.merchant.id, changesOf(before, value)));
        });
      } catch (failure) {
        const fault = toFault(failure);
        if (fault) return refuse(fault);
        throw failure;
      }
      return { goTo: '/settings', flash: 'The settings are saved.' };
    },
    { roles: ownerRoles },
  );

  site.act(
    'console-settings-verify-domain',
    '/settings/verify-domain',
    async (visit) => {
      const settings = await read(visit);
      const { portal_domain: domain, portal_domain_challenge: challenge } = settings;
      const refuse = (message: string): Page =>
        ownersPage(visit, settings, new ApiError(422, message, 'portal_domain'));
      if (domain === null) return refuse('Save a portal domain first');
      // The domain may have been reserved since it was saved.
      if (isReserved(domain, portalDomains.reserved)) return refuse(`${domain} is reserved for the platform`);
      const problem = await portalDomains.challenge(domain, challenge);
      if (problem !== null) return refuse(problem);
      const proven = await database.write(visit.caller(ownerRoles), async (trx) => {
        const row = await trx.maybeOne(provePortalDomain(domain));
        if (row?.proven)
          await trx.count(recordAct('portal-domain-verify', visit.merchant.id, { portal_domain: domain }));
        return row?.proven === true;
      });
      if (!proven) return refuse('The portal domain was changed at the same time. Look at it and try again');
      return { goTo: '/settings', flash: `${domain} is verified. Your portal is served there.` };
    },
    { roles: ownerRoles },
  );
}

const ownersPage = (visit: Visit, settings: StoredSettings, fault?: ApiError): Page => ({
  ...settingsPage(settingsForm(visit, shownOf(settings)), fault?.status),
  content: html`${portalDomainPanel(visit, settings, fault)}
    <section class="panel">${settingsForm(visit, shownOf(settings))}</section>`,
});

const settingsPage = (content: Html, status = 200): Page => ({
  title: 'Settings',
  key: 'settings',
  status,
  content: html`<section class="panel">${content}</section>`,
});

/** Maps a database error that the form cannot foresee to an API error. */
function toFault(failure: unknown): ApiError | undefined {
  if (failure instanceof ApiError) return failure;
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  if (code === '22023') return new ApiError(422, 'time_zone is not known, choose another', 'time_zone');
  return undefined;
}

/** The changes for the audit log. It records only the number of people's addresses, not the addresses. */
function changesOf(before: MerchantSettings | undefined, after: MerchantSettings): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
  );
}

const settingsFacts = (settings: StoredSettings): Html =>
  facts([
    ['Portal domain', portalDomainState(settings)],
    ['Time zone', settings.time_zone],
    ['Reminder after', inDays(settings.reminder_days)],
    ['Final reminder after', inDays(settings.final_reminder_days)],
    ['Start directory', settings.start_directory],
    ['Custom reports', settings.reports_enabled ? 'on' : 'off'],
    ['Test recipients', settings.test_recipients.join(', ') || null],
  ]);

const inDays = (count: number | null) => (count === null ? 'off' : `${count} days`);

const shownOf = (settings: MerchantSettings): Shown => ({
  ...settings,
  test_recipients: settings.test_recipients.join('\n'),
});

type Shown = Record<Exclude<keyof MerchantSettings, 'reports_enabled'>, string | number | null> & {
  reports_enabled: boolean;
};

const controls = [
  'portal_domain',
  'time_zone',
  'reminder_days',
  'final_reminder_days',
  'start_directory',
  'test_recipients',
];

function settingsForm(visit: Visit, settings: Shown, fault?: ApiError): Html {
  const value = (name: Exclude<keyof MerchantSettings, 'reports_enabled'>) => String(settings[name] ?? '');
  const row = (
    name: Exclude<keyof MerchantSettings, 'reports_enabled'>,
    label: string,
    hint: string,
    more: { type?: string; list?: string; maxlength?: number } = {},
  ) => fields.text(name, label, value(name), { ...more, hint });
  const fields = formFields(controls, fault);
  return html`${fields.summary}
  ${postForm(
    visit,
    '/settings',
    html`${row(
        'portal_domain',
        'Portal domain',
        'The host name of your portal, like jobs.example.com. It is served once you have verified it.',
        {
          maxlength: 253,
        },
      )}
      ${row('time_zone', 'Time zone', 'Days begin at midnight there.', { list: 'zones' })}
      ${row('reminder_days', 'Reminder', 'Days after the invitation, 1 to 90; empty: off.', { type: 'number' })}
      ${row('final_reminder_days', 'Final reminder', 'Days after the invitation; empty: off.', { type: 'number' })}
      ${row(
        'start_directory',
        'Start directory',
        'Catalogue id that your portal begins with; empty: its root.',
        {
          maxlength: 200,
        },
      )}
      ${fields.area('test_recipients', 'Test recipients', value('test_recipients'), {
        rows: 4,
        maxlength: 25_000,
        hint: 'Invitations outside production are mailed to these addresses only, one per line; *@example.com stands for a whole domain.',
      })}
      ${checkbox('reports_enabled', 'Custom reports', settings.reports_enabled)}
      <datalist id="zones">${[...zones].map((zone) => html`<option value="${zone}"></option>`)}</datalist>
      <div><button>Save</button></div>`,
  )}`;
}
