import { z } from 'zod';
import { emailKey } from '../../db/people/email-key';
import { recordAuditEntries } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import type { Role } from '../../db/platform/vocabulary';
import { defineOperation } from '../platform/operation/define-operation';
import { mapInTurns } from '../platform/operation/map-in-turns';
import { languageCode, optional, text, withDefault, writers } from '../platform/operation/vocabulary';
import { auditEntriesOf } from './invitation-audit';
import { inviteAccounts } from './invite-accounts';
import type { AccountRequest } from './invite-accounts';
import { failed, inviteCandidates, succeeded } from './invite-candidates';
import type { CandidateRequest, Invited } from './invite-candidates';
import { openMailLimit } from './mail-limit';
import { queueMails } from './queue-mails';
import { recordInvitations } from './record-invitations';
import type { InvitationOutcome } from './record-invitations';
import { invitationRow, rowCode, userRowsSchema } from './user-rows';
import type { InvitationRow } from './user-rows';
import { validateRow, textOf } from './validate-row';

const maybe = (description: string) => z.string().nullable().meta({ description });

const inputSchema = z.object({
  users: userRowsSchema('InvitationRow'),
  force_invite: withDefault(z.boolean(), false).meta({
    description: 'True sends the invitation again to people who have not accepted theirs yet.',
  }),
  platform_language_code: withDefault(languageCode, 'en').meta({
    description: 'The language of the emails, and of the accounts that are created.',
  }),
  message_from_recruiter: optional(text(4000)).meta({
    description: 'Your own text for the email, at most 4,000 characters.',
  }),
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
      profile_id: maybe('Id of the person. Null if no person was invited.'),
      profile_interview_id: maybe(
        'Id of the enrolment of a candidate, as in results and webhooks. Null for other people.',
      ),
    })
    .meta({ id: 'InvitationResult', description: 'The outcome of a row.' }),
);

type InviteUsers = z.output<typeof inputSchema>;
type InvitationResult = z.input<typeof replySchema>[number];

const shownKeys = new Set(['email', 'name', 'type', 'interview_id']);

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
    return bulk(merchant_id, input.users.length, () =>
      write(async (trx) => {
        const rows = await mapInTurns(input.users, (sent) => validateRow(sent, invitationRow, shownKeys));
        const outcomes = new Map<number, Invited>();
        for (const [index, row] of rows.entries())
          if (row.error !== undefined) outcomes.set(index, failed(row));
        const role = (await trx.scope()).role;
        const goodRows = rows.map(({ row }) => row);
        const isOwner = mayInviteOwners(role);
        const sorted = sortOut(goodRows, isOwner, outcomes);
        await inviteAll(trx, input, sorted, outcomes, { isOwner, perDay: accountInvitationsPerDay });
        await recordInvitations(
          trx,
          goodRows.flatMap((row, index) => (row ? toInvitation(input, row, outcomes.get(index)) : [])),
        );
        return mapInTurns(input.users, (sent, index) => toReply(sent, goodRows[index], outcomes.get(index)));
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

type SortedOut = {
  candidates: (CandidateRequest & { index: number })[];
  accounts: (AccountRequest & { index: number })[];
};

/**
 * Splits the valid rows into invitations of candidates and of accounts. Also sets the outcome of each row that
 * repeats a person, and of each row whose person the caller may not invite.
 */
function sortOut(
  rows: (InvitationRow | undefined)[],
  isOwner: boolean,
  outcomes: Map<number, Invited>,
): SortedOut {
  const met = new Set<string>();
  const sorted: SortedOut = { candidates: [], accounts: [] };
  for (const [index, row] of rows.entries()) {
    if (!row) continue;
    const { email, name, type, interview_id } = row;
    const email_key = emailKey(email);
    const identity = type === 'candidate' ? `${interview_id} ${email_key}` : email_key;
    if (type === 'merchant_owner' && !isOwner) {
      // The person is not marked as seen (`met`), because a later row may invite the same person with another role.
      outcomes.set(
        index,
        failed({ code: 'owner_required', error: 'Only an owner can invite a merchant_owner.' }),
      );
      continue;
    }
    if (met.has(identity)) outcomes.set(index, succeeded('Skipped'));
    else if (type === 'candidate' && interview_id !== null)
      sorted.candidates.push({ index, email, email_key, name, interview_id });
    else if (type !== 'candidate') sorted.accounts.push({ index, email, email_key, name, type });
    met.add(identity);
  }
  return sorted;
}

async function inviteAll(
  trx: Transaction,
  input: InviteUsers,
  { candidates, accounts }: SortedOut,
  outcomes: Map<number, Invited>,
  { isOwner, perDay }: { isOwner: boolean; perDay: number },
): Promise<void> {
  const mails = await openMailLimit(
    trx,
    [...candidates, ...accounts].map(({ email_key }) => email_key),
  );
  const { force_invite: force, platform_language_code: language } = input;
  const settings = { force, language, perDay, isOwner, mails };
  const invited = [
    ...(await inviteCandidates(trx, candidates, settings)),
    ...(await inviteAccounts(trx, accounts, settings)),
  ];
  for (const [place, { index }] of [...candidates, ...accounts].entries()) {
    const outcome = invited[place];
    if (outcome) outcomes.set(index, outcome);
  }
  const acts = auditEntriesOf([...candidates, ...accounts], invited);
  if (acts.length > 0) await trx.count(recordAuditEntries(acts));
  await queueMails(
    trx,
    {
      platform_language_code: input.platform_language_code,
      message_from_recruiter: input.message_from_recruiter?.trim() || null,
      hide_menu: false,
      hide_iframe: false,
      is_test: false,
    },
    invited.flatMap(({ mail }) => mail ?? []),
  );
}

function toInvitation(
  { platform_language_code: language }: InviteUsers,
  row: InvitationRow,
  outcome: Invited | undefined,
): InvitationOutcome {
  return {
    type: row.type,
    code: outcome?.code ?? 'error',
    channel: 'email',
    enrolment_id: outcome?.profile_interview_id ?? null,
    profile_id: outcome?.profile_id ?? null,
    language,
    is_test: false,
    scope: outcome?.scope,
  };
}

function toReply(
  sent: unknown,
  row: InvitationRow | undefined,
  outcome: Invited | undefined,
): InvitationResult {
  if (!outcome) throw new Error('a row was left without a result');
  return {
    email: row?.email ?? textOf(sent, 'email'),
    name: row ? row.name : textOf(sent, 'name'),
    type: row?.type ?? textOf(sent, 'type'),
    interview_id: row ? row.interview_id : textOf(sent, 'interview_id'),
    result: outcome.result,
    code: outcome.code,
    profile_id: outcome.profile_id,
    profile_interview_id: outcome.profile_interview_id,
  };
}
