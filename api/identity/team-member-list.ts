import { z } from 'zod';
import { listTeamMembers } from '../../db/identity/team';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { namedEnum } from '../platform/operation/named-enums';
import { openListPage, pageOf, paging, readPage } from '../platform/operation/page-cursor';
import { text, timestamp } from '../platform/operation/vocabulary';
import { teamManagers, teamRole } from './team-roles';

export const teamStates = ['invited', 'active', 'disabled'] as const;
const teamState = namedEnum('TeamState', teamStates, 'Where a person stands at this merchant.', {
  invited: 'No invitation was accepted yet.',
  active: 'The person can sign in.',
  disabled: 'The person is shut out of this merchant.',
});

const member = z
  .object({
    profile_id: z.string().meta({ description: 'Id of the person, for `team-member-update`.' }),
    name: z.string().nullable().meta({
      description:
        'Name of the person; null when nobody gave one. For people whose account belongs to another merchant, the name that this merchant gave.',
    }),
    email: z.string().meta({ description: 'Email address that was invited.' }),
    role: teamRole.meta({ description: 'Role at this merchant. A person may have another role elsewhere.' }),
    state: teamState,
    is_home: z.boolean().meta({
      description:
        'True where the account belongs to this merchant, false where it belongs to another one and has access here.',
    }),
    position_ids: z
      .array(z.string().meta({ description: 'Id of a position, or of an interview without one.' }))
      .nullable()
      .meta({
        description:
          "What a hiring manager sees in the credential's environment. Null: everything; always null for other roles.",
      }),
    invited_at: timestamp.meta({ description: 'When the person was invited or added.' }),
    accepted_at: timestamp.nullable().meta({
      description:
        'When the account was activated; null while it is pending. For people whose account belongs to another merchant, when they got access here.',
    }),
    disabled_at: timestamp
      .nullable()
      .meta({ description: 'Since when the person is disabled at this merchant; null when it is not.' }),
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
    role: teamRole.optional().meta({ description: 'Only people with this role.' }),
    state: teamState.optional().meta({ description: 'Only people in this state.' }),
    filter_text: text(200)
      .optional()
      .meta({ description: 'Only people whose name or email address contains this text, in any case.' }),
    ...paging,
  }),
  example: { state: 'active' },
  reply: pageOf(member),
  replyExample: {
    data: [
      {
        profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
        name: 'Ann Lee',
        email: 'ann@example.com',
        role: 'merchant',
        state: 'active',
        is_home: true,
        position_ids: null,
        invited_at: '2026-01-15T09:30:00.000Z',
        accepted_at: '2026-01-15T10:02:00.000Z',
        disabled_at: null,
        last_sign_in_at: '2026-01-16T08:00:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const { role, state, filter_text } = input;
    const filter = { roles: role ? [role] : null, state: state ?? null, text: filter_text ?? '' };
    const { place, reply } = openListPage(seal, 'team-member-list', input);
    const { rows, total } = await database.read(caller, (trx) =>
      readPage((limit, offset) => trx.rows(listTeamMembers(filter, limit, offset, place)), input),
    );
    return reply(rows, total);
  },
});

/** The team as `GET /sync` returns it. Teams are small, so all of it is read. */
export const mirroredTeam = defineMirrored({
  body: member,
  serviceKeys: false,
  async read(trx, ids) {
    const rows = await trx.rows(listTeamMembers({ roles: null, state: null, text: '' }, null, 0, null));
    return new Map(rows.filter((row) => ids.includes(row.profile_id)).map((row) => [row.profile_id, row]));
  },
});
