import type { VNode } from 'preact';
import { teamRoles } from '../../db/identity/team';
import type { TeamRole } from '../../db/identity/team';
import { languageCodes, languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { inviteUsers } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Panel } from '../platform/site/elements';
import { SelectField, Form, TextField } from '../platform/site/form';
import { FormId, formKey } from '../platform/site/form-id';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { sentText } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';

const names = ['email', 'name', 'type', 'platform_language_code'] as const;
/** What was entered, and why it was rejected. */
export type RejectedInvite = { entered: Readonly<Record<string, string>>; error: ApiError };

/** Adds the action that invites a person to the team. */
export function addTeamInvite(
  site: Site,
  deps: ConsoleDeps,
  render: (visit: ConsoleVisit, rejected: RejectedInvite) => Promise<Page>,
): void {
  site.post(
    'console-team-invite',
    '/team/invite',
    async (visit, sent) => {
      const entered = Object.fromEntries(names.map((name) => [name, sentText(sent, name)]));
      const { email = '', name = '', type = '', platform_language_code } = entered;
      const { reply, error } = await callOperation(
        deps,
        visit,
        inviteUsers,
        {
          // A missing type would be a coaching user.
          users: [{ email, name, type: type as TeamRole }],
          platform_language_code: platform_language_code as LanguageCode,
        },
        { key: formKey(sent) },
      );
      if (error) return render(visit, { entered, error });
      const [row] = reply;
      const flash = flashes[row?.code ?? '']?.(email);
      if (flash !== undefined) return { goTo: '/team', flash };
      const sentence = sentences[row?.code ?? ''] ?? row?.result.replace(/^Error: /, '') ?? '';
      return render(visit, { entered, error: new ApiError('invalid_value', sentence, 'email') });
    },
    { roles: ownerRoles },
  );
}

const hasAccess = (email: string) => `${email} has access now, with the account at another merchant.`;
const flashes: Partial<Record<string, (email: string) => string>> = {
  invited: (email) => `Invitation to ${email} queued.`,
  sub_merchant_added: hasAccess,
  coaching_access_added: hasAccess,
};
const sentences: Partial<Record<string, string>> = {
  activated: 'This person has access already. Change the role in the list.',
  skipped: 'This person was invited already. To send another invitation, withdraw the first one.',
};

/** The form that invites a person to the team. */
export function TeamInvite({ rejected }: { rejected: RejectedInvite | undefined }): VNode {
  const value = (name: (typeof names)[number], otherwise = '') => rejected?.entered[name] ?? otherwise;
  return (
    <Panel title="Invite a person">
      <Form path="/team/invite" names={names} error={rejected?.error}>
        <FormId />
        <TextField name="email" label="Email" type="email" value={value('email')} maxlength={254} required />
        <TextField name="name" label="Name" value={value('name')} maxlength={200} />
        <SelectField
          name="type"
          label="Role"
          options={teamRoles.map((role) => ({ value: role, label: roleNames[role] ?? role }))}
          value={value('type', 'merchant')}
        />
        <SelectField
          name="platform_language_code"
          label="Language of the mail"
          options={languageCodes.map((code) => ({ value: code, label: languages[code].name }))}
          value={value('platform_language_code', 'en')}
        />
        <Submit>Invite</Submit>
      </Form>
    </Panel>
  );
}
