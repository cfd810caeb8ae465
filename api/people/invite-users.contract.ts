import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { invitationRow, rowCode, rowsOf } from './user-rows';
import { languageCode, optional, text, withDefault, writers } from '../platform/operation/vocabulary';

const maybe = (description: string) => z.string().nullable().meta({ description });

export const inviteUsers = defineOperation({
  name: 'invite-users',
  method: 'POST',
  tag: 'People',
  summary: 'Invite team members, coaching users and candidates by e-mail',
  description: `Invites people by e-mail: team members to the dashboard, learners and mentors to the coaching portal, and candidates to an interview or
position. The reply has one entry for each row of \`users\`, in the same order, with one of these values of \`result\`:

- \`Invited\`: the invitation is new, or is sent again.
- \`Activated\`: the person is active here already, or the candidate has begun the interview; no e-mail is sent. An invitation never changes a role.
- \`SubMerchantAdded\`, \`CoachingAccessAdded\`: the person has an account at another merchant and now has access to this one too.
- \`Skipped\`: the person was invited before and has not accepted yet, and \`force_invite\` is false; or is in an earlier row of this call.
- \`Error: …\`: this row was not invited; the others were.

Each candidate invitation, new or sent again, takes one of the account's invitations (\`merchant-status\`); when none is left, the row is
\`Error: No invitations left in this period\`. Invitations of team members and coaching users are free in production. In the other environments every
invitation counts and only test recipients are invited (see [Environments]({origin}/docs/environments)). A person gets at most five invitation e-mails of a
merchant in 24 hours, as a candidate, team member or learner: further rows have the code \`invitation_limit_reached\`. Only an owner or a platform admin can
invite a \`merchant_owner\`, or a person whom an owner withdrew from the team; a service key cannot. The reply waits until the rows are stored; the e-mails follow and are tried for 24 hours. Candidates who do not begin are
reminded if the account has reminders turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  row: invitationRow,
  input: z.object({
    users: rowsOf('InvitationRow'),
    force_invite: withDefault(z.boolean(), false).meta({
      description: 'True sends the invitation again to people who have not accepted theirs yet.',
    }),
    platform_language_code: withDefault(languageCode, 'en').meta({
      description: 'The language of the e-mails, and of the accounts that are created.',
    }),
    message_from_recruiter: optional(text(4000)).meta({
      description: 'A text of yours in the e-mail, at most 4,000 characters.',
    }),
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
        email: maybe('E-mail address, as it was sent.'),
        name: maybe('Name, as it was sent.'),
        type: maybe('What the person was invited as.'),
        interview_id: maybe('The interview or position, as it was sent.'),
        result: z.string().meta({
          description: 'What became of the row: see the list above.',
          examples: ['Invited'],
        }),
        code: rowCode,
        profile_id: maybe('Id of the person; null when nobody was invited.'),
        profile_interview_id: maybe(
          'Id of the enrolment of a candidate, as results and webhooks name it; null for everybody else.',
        ),
      })
      .meta({ id: 'InvitationResult', description: 'What became of a row.' }),
  ),
  replyExample: [
    {
      email: 'ann@example.com',
      name: 'Ann Lee',
      type: 'merchant',
      interview_id: null,
      result: 'Invited',
      code: 'invited',
      profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
      profile_interview_id: null,
    },
    {
      email: 'bo@example.com',
      name: null,
      type: 'candidate',
      interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
      result: 'Invited',
      code: 'invited',
      profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b2',
      profile_interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b3',
    },
  ],
  statuses: [],
});
export type InviteUsers = z.output<(typeof inviteUsers)['input']>;
export type InvitationResult = z.input<(typeof inviteUsers)['reply']>[number];
