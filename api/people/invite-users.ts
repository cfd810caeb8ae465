import { z } from 'zod';
import type { Role } from '../../db/platform/vocabulary';
import { defineOperation } from '../platform/operation/define-operation';
import { dryRun } from '../platform/operation/dry-run';
import { mapInTurns } from '../platform/operation/map-in-turns';
import {
  languageCode,
  optionalField,
  text,
  fieldWithDefault,
  writers,
} from '../platform/operation/vocabulary';
import { failedRow } from './invite-candidates';
import type { Invited } from './invite-candidates';
import { inviteRows } from './invite-rows';
import { dryRunField, invitationRow, rowCode, userRowsSchema } from './user-rows';
import type { InvitationRow } from './user-rows';
import { validateRow, sentTextOf } from './validate-row';

const maybe = (description: string) => z.string().nullable().meta({ description });

const inputSchema = z.object({
  users: userRowsSchema('InvitationRow'),
  force_invite: fieldWithDefault(z.boolean(), false).meta({
    description: 'True sends the invitation again to people who have not accepted theirs yet.',
  }),
  platform_language_code: fieldWithDefault(languageCode, 'en').meta({
    description: 'The language of the emails, and of the accounts that are created.',
  }),
  message_from_recruiter: optionalField(text(4000)).meta({
    description: 'Your own text for the email, at most 4,000 characters.',
  }),
  dry_run: dryRunField,
});

const replySchema = z.array(
  z
    .object({
      email: maybe('Email address, as it was sent.'),
      name: maybe('Name, as it was sent.'),
      type: maybe('What the person was invited as.'),
      interview_id: maybe('The interview or position, as it was sent.'),
      result: z.string().meta({
        description: 'The outcome of the row: see the list above.',
        examples: ['Invited'],
      }),
      code: rowCode,
      profile_id: maybe('Id of the person. Null if no person was invited, and in a dry run.'),
      profile_interview_id: maybe(
        'Id of the enrolment of a candidate, as in results and webhooks. Null for other people, and in a dry run.',
      ),
    })
    .meta({ id: 'InvitationResult', description: 'The outcome of a row.' }),
);

type InvitationResult = z.input<typeof replySchema>[number];

const shownKeys = new Set(['email', 'name', 'type', 'interview_id', 'external_id', 'phone']);

export const inviteUsers = defineOperation({
  name: 'invite-users',
  method: 'POST',
  tag: 'People',
  summary: 'Invite team members, coaching users and candidates by email',
  description: `Invites people by email: team members to the dashboard, learners and mentors to the coaching portal, and candidates to an interview or
position. The reply has one entry for each row of \`users\`, in the same order, with one of these values of \`result\`:

- \`Invited\`: a new invitation is sent, or an earlier one is sent again.
- \`Activated\`: the person is already active here, or the candidate has begun the interview. No email is sent. An invitation never changes a role.
- \`SubMerchantAdded\`, \`CoachingAccessAdded\`: the person has an account at another merchant and now has access to this one too.
- \`Skipped\`: the person has an open invitation and \`force_invite\` is false, or the person is in an earlier row of this call.
- \`Error: …\`: the person of this row was not invited. Other rows are not affected.

Each candidate invitation, new or sent again, uses one invitation of the account's budget (\`merchant-status\`). If none is left, the row is
\`Error: No invitations left in this period\`. Invitations of team members and coaching users do not count in production. In other environments every
invitation counts, and only test recipients can be invited (see [Environments]({origin}/docs/environments)). A person gets at most five invitation emails of a
merchant in 24 hours, as a candidate, team member or learner: further rows have the code \`invitation_limit_reached\`. Only an owner or a platform admin can
invite a \`merchant_owner\`, or a person whom an owner withdrew from the team; a service key cannot. The call returns when the rows are stored. Emails are sent afterwards and are retried for 24 hours. Candidates who do not
begin get reminders if the account has them turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  row: invitationRow,
  input: inputSchema,
  example: {
    users: [
      { email: 'ann@example.com', name: 'Ann Lee', type: 'merchant' },
      { email: 'bo@example.com', type: 'candidate', interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
    ],
    message_from_recruiter: 'We look forward to meeting you.',
  },
  reply: replySchema,
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
  /** Invites people and queues their emails (docs/people.md#invitations). */
  async handle({ input, caller, write }, { database, bulk, accountInvitationsPerDay }) {
    const { merchant_id } = await database.read(caller, (trx) => trx.merchantScope());
    const run: typeof write = (work) => (input.dry_run ? dryRun(database, caller, work) : write(work));
    return bulk(merchant_id, input.users.length, () =>
      run(async (trx) => {
        const rows = await mapInTurns(input.users, (sent) => validateRow(sent, invitationRow, shownKeys));
        const outcomes = new Map<number, Invited>();
        for (const [index, row] of rows.entries())
          if (row.error !== undefined) outcomes.set(index, failedRow(row));
        const isOwner = mayInviteOwners((await trx.scope()).role);
        const goodRows = rows.map(({ row }) => row);
        await inviteRows(trx, input, goodRows, outcomes, { isOwner, perDay: accountInvitationsPerDay });
        return mapInTurns(input.users, (sent, index) =>
          toReply(input, sent, goodRows[index], outcomes.get(index)),
        );
      }),
    );
  },
});

/**
 * Returns true if a caller with this role may invite owners and people whose access was withdrawn. Service keys may
 * not, because a stolen key could otherwise be used to invite an owner.
 */
const mayInviteOwners = (role: Role | 'service' | undefined): boolean =>
  role === 'merchant_owner' || role === 'admin';

function toReply(
  { dry_run }: z.output<typeof inputSchema>,
  sent: unknown,
  row: InvitationRow | undefined,
  outcome: Invited | undefined,
): InvitationResult {
  if (!outcome) throw new Error('a row was left without a result');
  return {
    email: row?.email ?? sentTextOf(sent, 'email'),
    name: row ? row.name : sentTextOf(sent, 'name'),
    type: row?.type ?? sentTextOf(sent, 'type'),
    interview_id: row ? row.interview_id : sentTextOf(sent, 'interview_id'),
    result: outcome.result,
    code: outcome.code,
    profile_id: dry_run ? null : outcome.profile_id,
    profile_interview_id: dry_run ? null : outcome.profile_interview_id,
  };
}
