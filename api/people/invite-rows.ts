import { emailKey } from '../../db/people/email-key';
import { recordAuditEntries } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { auditEntriesOf } from './invitation-audit';
import { inviteAccounts } from './invite-accounts';
import type { AccountRequest } from './invite-accounts';
import { failedRow, inviteCandidates, succeededRow } from './invite-candidates';
import type { CandidateRequest, Invited } from './invite-candidates';
import { openMailLimit } from './mail-limit';
import { queueMails } from './queue-mails';
import { recordInvitations } from './record-invitations';
import type { InvitationOutcome } from './record-invitations';
import type { InvitationRow } from './user-rows';

/** What all rows of a call have in common. */
type Invitation = {
  force_invite: boolean;
  platform_language_code: LanguageCode;
  message_from_recruiter?: string | undefined;
};

/**
 * Invites the people of these rows and queues their emails. Adds the outcome of each row to `outcomes`, by the index of the
 * row; a row that is undefined has its outcome already. `isOwner` is true if the caller may invite owners and people whose
 * access was withdrawn, and `perDay` limits the account invitations of a merchant in 24 hours.
 */
export async function inviteRows(
  trx: Transaction,
  input: Invitation,
  rows: (InvitationRow | undefined)[],
  outcomes: Map<number, Invited>,
  { isOwner, perDay }: { isOwner: boolean; perDay: number },
): Promise<void> {
  const sorted = sortOut(rows, isOwner, outcomes);
  await inviteAll(trx, input, sorted, outcomes, { isOwner, perDay });
  await recordInvitations(
    trx,
    rows.flatMap((row, index) => (row ? toInvitation(input, row, outcomes.get(index)) : [])),
  );
}

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
    const { email, name, type, interview_id, external_id, phone } = row;
    const email_key = emailKey(email);
    const identity = type === 'candidate' ? `${interview_id} ${email_key}` : email_key;
    if (type === 'merchant_owner' && !isOwner) {
      // The person is not marked as seen (`met`), because a later row may invite the same person with another role.
      outcomes.set(
        index,
        failedRow({ code: 'owner_required', error: 'Only an owner can invite a merchant_owner.' }),
      );
      continue;
    }
    if (met.has(identity)) outcomes.set(index, succeededRow('Skipped'));
    else if (type === 'candidate' && interview_id !== null)
      sorted.candidates.push({ index, email, email_key, name, interview_id, external_id, phone });
    else if (type !== 'candidate') sorted.accounts.push({ index, email, email_key, name, type });
    met.add(identity);
  }
  return sorted;
}

async function inviteAll(
  trx: Transaction,
  input: Invitation,
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
  { platform_language_code: language }: Invitation,
  row: InvitationRow,
  outcome: Invited | undefined,
): InvitationOutcome {
  return {
    type: row.type,
    code: outcome?.code ?? 'error',
    email: row.email,
    channel: 'email',
    enrolment_id: outcome?.profile_interview_id ?? null,
    profile_id: outcome?.profile_id ?? null,
    language,
    is_test: false,
    scope: outcome?.scope,
  };
}
