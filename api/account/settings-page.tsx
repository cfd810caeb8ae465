import type { VNode } from 'preact';
import { z } from 'zod';
import { boundedText } from '../platform/text/bounded-text';
import { ApiError } from '../platform/operation/api-error';
import { recordAct } from '../../db/platform/audit';
import { findDirectoryOwner } from '../../db/catalogue/public';
import {
  provePortalDomain,
  readMerchantSettings,
  updateMerchantSettings,
} from '../../db/account/merchant-settings';
import type { MerchantSettings, StoredSettings } from '../../db/account/merchant-settings';
import { Submit } from '../platform/site/buttons';
import { Facts, Panel } from '../platform/site/elements';
import { Checkbox, Form, TextArea, TextField } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { parseForm } from '../platform/site/parse-form';
import { isReserved, PortalDomain, PortalDomainPanel } from './portal-domain';
import { RetentionFields, retentionFacts, retentionForm, retentionNames } from './retention-fields';
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
        'must be a catalogue ID of lowercase letters, digits, - and _',
      ),
    ),
    reports_enabled: z.boolean(),
    mail_next_step: z.boolean(),
    test_recipients: testRecipients,
    ...retentionForm,
  })
  .refine(
    ({ reminder_days: first, final_reminder_days: final }) =>
      first === null || final === null || final > first,
    { path: ['final_reminder_days'], error: 'must be later than the first reminder' },
  );

/** Adds the page with the merchant settings, which only an owner can change. */
export function addSettingsPage(site: Site, { database, portalDomains }: ConsoleDeps): void {
  const read = async (visit: Visit): Promise<StoredSettings> => {
    const [settings] = await database.query(visit.caller(), readMerchantSettings);
    if (!settings) throw new ApiError(404, 'There is no such merchant');
    return settings;
  };

  site.page('console-settings', '/settings', async (visit) => {
    const settings = await read(visit);
    return isOwner(visit) ? ownersPage(settings) : settingsPage(<SettingsFacts settings={settings} />);
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
        mail_next_step: text('mail_next_step') === 'on',
        test_recipients: text('test_recipients'),
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
            422,
            'portal_domain is reserved for the platform. Use a host name of your own domain',
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
                422,
                'start_directory must be the ID of a directory in your catalogue. Create it first',
                'start_directory',
              );
          await trx.count(updateMerchantSettings(value));
          await trx.count(recordAct('merchant-settings-update', visit.merchant.id, changesOf(before, value)));
        });
      } catch (failure) {
        const error = toFormError(failure);
        if (error) return refuse(error);
        throw failure;
      }
      return { goTo: '/settings', flash: 'Settings saved.' };
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
        ownersPage(settings, new ApiError(422, message, 'portal_domain'));
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
      if (!proven)
        return refuse('Someone changed the portal domain in the meantime. Review it and try again');
      return { goTo: '/settings', flash: `${domain} is verified. Your portal is live there.` };
    },
    { roles: ownerRoles },
  );
}

const ownersPage = (settings: StoredSettings, error?: ApiError): Page =>
  settingsPage(
    <SettingsForm settings={shownOf(settings)} />,
    error?.status,
    <PortalDomainPanel settings={settings} error={error} />,
  );

const settingsPage = (content: VNode, status = 200, before?: VNode): Page => ({
  title: 'Settings',
  at: '/settings',
  status,
  content: (
    <>
      {before}
      <Panel>{content}</Panel>
    </>
  ),
});

/** Converts a database error that the form cannot prevent to an API error. */
function toFormError(failure: unknown): ApiError | undefined {
  if (failure instanceof ApiError) return failure;
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  if (code === '22023')
    return new ApiError(422, 'time_zone is not supported. Choose another one', 'time_zone');
  return undefined;
}

/** Returns the changes for the audit log. For a list, such as people's addresses, only the length is recorded. */
function changesOf(before: MerchantSettings | undefined, after: MerchantSettings): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
  );
}

const SettingsFacts = ({ settings }: { settings: StoredSettings }): VNode => (
  <Facts
    entries={[
      ['Portal domain', <PortalDomain {...settings} />],
      ['Time zone', settings.time_zone],
      ['First reminder', inDays(settings.reminder_days)],
      ['Final reminder', inDays(settings.final_reminder_days)],
      ['Start directory', settings.start_directory],
      ['Custom reports', settings.reports_enabled ? 'On' : 'Off'],
      ['Mail about the next step', settings.mail_next_step ? 'On' : 'Off'],
      ['Test recipients', settings.test_recipients.join(', ') || null],
      ...retentionFacts(settings),
    ]}
  />
);

const inDays = (count: number | null) => (count === null ? 'Off' : `${count} days after the invitation`);

const shownOf = (settings: MerchantSettings): Shown => ({
  ...settings,
  test_recipients: settings.test_recipients.join('\n'),
});

type Switch = 'reports_enabled' | 'mail_next_step';
type Shown = Record<Exclude<keyof MerchantSettings, Switch>, string | number | null> &
  Record<Switch, boolean>;

const controls = [
  'portal_domain',
  'time_zone',
  'reminder_days',
  'final_reminder_days',
  'start_directory',
  'test_recipients',
  ...retentionNames,
];

function SettingsForm({ settings, error }: { settings: Shown; error?: ApiError }): VNode {
  const named = (name: Exclude<keyof MerchantSettings, Switch>) => ({
    name,
    value: String(settings[name] ?? ''),
  });
  return (
    <Form path="/settings" names={controls} error={error}>
      <TextField
        {...named('portal_domain')}
        label="Portal domain"
        maxlength={253}
        hint="The host name of your portal, like jobs.example.com. Verify it to go live."
      />
      <TextField
        {...named('time_zone')}
        label="Time zone"
        list="zones"
        hint="Pages show times in this time zone, and daily counts start at its midnight."
      />
      <TextField
        {...named('reminder_days')}
        label="First reminder"
        type="number"
        hint="1 to 90 days after the invitation. Leave empty for none."
      />
      <TextField
        {...named('final_reminder_days')}
        label="Final reminder"
        type="number"
        hint="1 to 90 days after the invitation. Leave empty for none."
      />
      <TextField
        {...named('start_directory')}
        label="Start directory"
        maxlength={200}
        hint="The catalogue ID of the directory that your portal opens with. Leave empty for none."
      />
      <TextArea
        {...named('test_recipients')}
        label="Test recipients"
        rows={4}
        maxlength={25_000}
        hint="Outside production, invitations are emailed only to these addresses. One per line; *@example.com allows a whole domain."
      />
      <RetentionFields settings={settings} />
      <Checkbox name="reports_enabled" label="Custom reports" isChecked={settings.reports_enabled} />
      <Checkbox
        name="mail_next_step"
        label="Mail candidates the next step of a position when they are advanced"
        isChecked={settings.mail_next_step}
      />
      <datalist id="zones">
        {[...zones].map((zone) => (
          <option value={zone} />
        ))}
      </datalist>
      <Submit>Save changes</Submit>
    </Form>
  );
}
