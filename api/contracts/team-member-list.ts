import { z } from 'zod';
import { defineOperation } from './operation';
import { teamManagers, teamRoles } from './team-roles';
import { pagination, paging, text, timestamp } from './vocabulary';

export const teamStates = ['invited', 'active', 'disabled'] as const;
export type TeamState = (typeof teamStates)[number];

const member = z
  .object({
    profile_id: z.string().meta({ description: 'Id of the person, for `team-member-update`.' }),
    name: z.string().nullable().meta({ description: 'Name of the person; null when nobody gave one.' }),
    email: z.string().meta({ description: 'E-mail address that was invited.' }),
    role: z
      .enum(teamRoles)
      .meta({ description: 'Role at this merchant. A person may have another role elsewhere.' }),
    state: z.enum(teamStates).meta({
      description:
        '`invited`: no invitation was accepted yet. `active`: the person may sign in. `disabled`: the person is shut out of this merchant.',
    }),
    is_home: z.boolean().meta({
      description:
        'True where the account belongs to this merchant, false where it belongs to another one and has access here.',
    }),
    invited_at: timestamp.meta({ description: 'When the person was invited or added.' }),
    accepted_at: timestamp
      .nullable()
      .meta({ description: 'When the account was activated; null while it is pending.' }),
    disabled_at: timestamp
      .nullable()
      .meta({ description: 'Since when the person is disabled; null when it is not.' }),
    last_sign_in_at: timestamp.nullable().meta({
      description:
        "Last sign-in to the console in the credential's environment; null when there was none, and for people whose account belongs to another merchant.",
    }),
  })
  .meta({ id: 'TeamMember' });

export const teamMemberList = defineOperation({
  name: 'team-member-list',
  method: 'GET',
  tag: 'People',
  summary: 'List the people of the account and what each may do',
  description: `Lists team members and coaching users of the merchant, pending invitations included: owners first, then by role
and name. Candidates and platform admins are not listed. Owners and platform admins only; a service key gets a 403, because
changes of the team are made by people.`,
  roles: teamManagers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({
    role: z.enum(teamRoles).optional().meta({ description: 'Only people with this role.' }),
    state: z.enum(teamStates).optional().meta({ description: 'Only people in this state.' }),
    filter_text: text(200)
      .optional()
      .meta({ description: 'Only people whose name or e-mail address contains this text, in any case.' }),
    ...paging,
  }),
  example: { state: 'active' },
  reply: z.object({ data: z.array(member), pagination }),
  statuses: [],
});
