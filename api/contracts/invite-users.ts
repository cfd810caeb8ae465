import { z } from 'zod';
import { defineOperation } from './operation';
import { invitationRow, rowsOf } from './user-rows';
import { languageCode, optional, text, withDefault, writers } from './vocabulary';

export const inviteUsers = defineOperation({
  name: 'invite-users',
  method: 'POST',
  tag: 'People',
  summary: 'Invite team members, coaching users and candidates by e-mail',
  description: `Each row of \`users\` is judged alone and answered at its place. \`type\` is \`merchant_owner\`, \`merchant\`,
\`merchant_selection\` (dashboard), \`user\` (default), \`mentor\` (coaching portal) or \`candidate\`, which needs \`interview_id\` (an
interview definition or a position). \`result\`:

- \`Invited\`: new, or sent again.
- \`Activated\`: the person is active here already; no mail. An invitation never changes anybody's role, pending or not.
- \`SubMerchantAdded\`, \`CoachingAccessAdded\`: the person has its account at another merchant and got access to this one.
- \`Skipped\`: invited before and still pending, and \`force_invite\` is false; or the same person earlier in this call.
- \`Error: …\`: this row was not invited, the others were.

Candidate invitations, new or sent again, each take one of the account's budget (\`merchant-status\`); rows beyond it are
\`Error: No invitations left in this period\`. A candidate who has begun the interview is \`Activated\`. Only an owner, an admin
or a service key invites a \`merchant_owner\`. The reply waits until the rows are stored; mails follow, tried for 24 hours, and
candidates who do not begin are reminded as the account is set. \`platform_language_code\` is the language of the mails and of
the profiles that are made.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  input: z.object({
    users: rowsOf(invitationRow),
    force_invite: withDefault(z.boolean(), false),
    platform_language_code: withDefault(languageCode, 'en'),
    message_from_recruiter: optional(text(4000)),
  }),
  example: {
    users: [
      { email: 'ann@example.com', name: 'Ann Lee', type: 'merchant' },
      { email: 'bo@example.com', type: 'candidate', interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
    ],
    message_from_recruiter: 'We look forward to meeting you.',
  },
  reply: z.array(
    z
      .object({
        email: z.string().nullable(),
        name: z.string().nullable(),
        type: z.string().nullable(),
        interview_id: z.string().nullable(),
        result: z.string().meta({ examples: ['Invited'] }),
        profile_id: z.string().nullable(),
        profile_interview_id: z.string().nullable().meta({ description: 'Of candidates: the enrolment.' }),
      })
      .meta({ id: 'InvitationResult' }),
  ),
  statuses: [409],
});
export type InviteUsers = z.output<(typeof inviteUsers)['input']>;
export type InvitationResult = z.input<(typeof inviteUsers)['reply']>[number];
