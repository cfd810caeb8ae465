import type { VNode } from 'preact';
import { languageCodes, languages } from '../../../db/platform/vocabulary';
import { HiddenFields } from '../../platform/site/buttons';
import { Checkbox, SelectField, TextArea } from '../../platform/site/form';
import { sentText } from '../../platform/site/site';
import type { RequestData } from '../../platform/site/site';

/** The settings that all people of a form share. An empty `platform_language_code` means the interview's language. */
export type InviteSettings = {
  interview_id: string;
  send_email: boolean;
  platform_language_code: string;
  message_from_recruiter: string;
};

export const settingNames = [
  'interview_id',
  'send_email',
  'platform_language_code',
  'message_from_recruiter',
] as const;

export const settingsOf = (sent: Pick<RequestData, 'form'>): InviteSettings => ({
  interview_id: sentText(sent, 'interview_id'),
  send_email: sentText(sent, 'send_email') !== '',
  platform_language_code: sentText(sent, 'platform_language_code'),
  message_from_recruiter: sentText(sent, 'message_from_recruiter'),
});

const languageOptions = [
  { value: '', label: 'Language of the interview' },
  ...languageCodes.map((value) => ({ value, label: languages[value].name })),
];

/** The fields of a form for the settings. */
export const InviteSettingsForm = (props: {
  settings: InviteSettings;
  interviews: readonly { value: string; label: string }[];
}): VNode => {
  const { settings, interviews } = props;
  return (
    <>
      <SelectField
        name="interview_id"
        label="Interview or position"
        options={interviews}
        value={settings.interview_id}
      />
      <Checkbox
        name="send_email"
        label="Send the link by email. Otherwise you get the links here."
        isChecked={settings.send_email}
      />
      <SelectField
        name="platform_language_code"
        label="Language of the mail"
        options={languageOptions}
        value={settings.platform_language_code}
      />
      <TextArea
        name="message_from_recruiter"
        label="Your message in the mail"
        value={settings.message_from_recruiter}
        rows={4}
        maxlength={4000}
      />
    </>
  );
};

/** The settings as hidden fields of the form that sends a checked list. */
export const HiddenSettings = ({
  settings: { send_email, ...texts },
}: {
  settings: InviteSettings;
}): VNode => <HiddenFields fields={{ ...texts, ...(send_email ? { send_email: 'on' } : {}) }} />;
