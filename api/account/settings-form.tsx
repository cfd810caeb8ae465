import type { VNode } from 'preact';
import type { MerchantSettings, StoredSettings } from '../../db/account/merchant-settings';
import { environments } from '../../db/platform/vocabulary';
import type { Environment } from '../../db/platform/vocabulary';
import type { ApiError } from '../platform/operation/api-error';
import { Submit } from '../platform/site/buttons';
import { Facts } from '../platform/site/elements';
import { Checkbox, Form, TextArea, TextField } from '../platform/site/form';
import { timeZones } from './merchant-fields';
import { PortalDomain } from './portal-domain';
import { RetentionFields, retentionFacts, retentionNames } from './retention-fields';

/** Shows the settings to people who cannot change them. */
export const SettingsFacts = ({ settings }: { settings: StoredSettings }): VNode => (
  <Facts
    entries={[
      ['Portal domain', <PortalDomain {...settings} />],
      ['Time zone', settings.time_zone],
      ['First reminder', inDays(settings.reminder_days)],
      ['Final reminder', inDays(settings.final_reminder_days)],
      ['Start directory', settings.start_directory],
      ['Custom reports', settings.reports_enabled ? 'On' : 'Off'],
      ['Mail about the next step', settings.mail_next_step ? 'On' : 'Off'],
      ['Mail about another attempt', settings.mail_reopened ? 'On' : 'Off'],
      ['Agents', settings.agent_environments.join(', ') || 'Off'],
      ['Agents of', settings.agent_hosts.join(', ') || 'Any host'],
      ['Test recipients', settings.test_recipients.join(', ') || null],
      ['Privacy contact', settings.privacy_contact],
      ['Accent color', settings.accent_color],
      ...retentionFacts(settings),
    ]}
  />
);

const inDays = (count: number | null) => (count === null ? 'Off' : `${count} days after the invitation`);

/** Returns the stored settings as the form shows them. */
export const toFormValues = (settings: MerchantSettings): Shown => ({
  ...settings,
  test_recipients: settings.test_recipients.join('\n'),
  agent_hosts: settings.agent_hosts.join('\n'),
});

type Switch = 'reports_enabled' | 'mail_next_step' | 'mail_reopened';
type Other = Switch | 'agent_environments';
type Shown = Record<Exclude<keyof MerchantSettings, Other>, string | number | null> &
  Record<Switch, boolean> & { agent_environments: readonly Environment[] };

const controls = [
  'portal_domain',
  'time_zone',
  'reminder_days',
  'final_reminder_days',
  'start_directory',
  'test_recipients',
  'agent_hosts',
  'privacy_contact',
  'accent_color',
  ...retentionNames,
];

/** Shows the form of the settings. `error` describes what is wrong with the values that the owner sent. */
export function SettingsForm({ settings, error }: { settings: Shown; error?: ApiError }): VNode {
  const named = (name: Exclude<keyof MerchantSettings, Other>) => ({
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
      <TextField
        {...named('privacy_contact')}
        label="Privacy contact"
        maxlength={200}
        hint="Whom candidates ask about their data: an email address, an https address or a postal address. The privacy notice shows it."
      />
      <TextField
        {...named('accent_color')}
        label="Accent color"
        maxlength={7}
        hint="The color of buttons and links that candidates and learners see, like #1a56c4. It is made darker or lighter where it would be hard to read. Leave empty for the usual blue."
      />
      <RetentionFields settings={settings} />
      <Checkbox name="reports_enabled" label="Custom reports" isChecked={settings.reports_enabled} />
      <Checkbox
        name="mail_next_step"
        label="Mail candidates the next step of a position when they are advanced"
        isChecked={settings.mail_next_step}
      />
      <Checkbox
        name="mail_reopened"
        label="Mail candidates when they may try again: their result is reopened, or attempts are left"
        isChecked={settings.mail_reopened}
      />
      <TextArea
        {...named('agent_hosts')}
        label="Hosts of agents"
        rows={2}
        maxlength={13_000}
        hint="Whose agents people may connect, such as claude.ai. One host per line. Leave empty for any."
      />
      {environments.map((each) => (
        <Checkbox
          name={`agents_${each}`}
          label={`Let agents work in ${each}, with the rights of the person or key that connects them`}
          isChecked={settings.agent_environments.includes(each)}
        />
      ))}
      <datalist id="zones">
        {[...timeZones].map((zone) => (
          <option value={zone} />
        ))}
      </datalist>
      <Submit>Save changes</Submit>
    </Form>
  );
}
