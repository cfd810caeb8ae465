import type { Role } from '../../db/platform/vocabulary';
import type { z } from 'zod';
import type { InvitationResult, inviteUsers, InviteUsers } from './invite-users.contract';
import { invitationRow } from './user-rows';
import type { InvitationRow } from './user-rows';
import { recordActs } from '../../db/platform/audit';
import { emailKey } from '../../db/people/email-key';
import type { Transaction } from '../../db/platform/scope';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { inviteAccounts } from './invite-accounts';
import type { AccountWanted } from './invite-accounts';
import { failed, inviteCandidates, told } from './invite-candidates';
import type { CandidateWanted, Invited } from './invite-candidates';
import { actsOf } from './invitation-acts';
import { judgeRow, textOf } from './judge-row';
import { openMailLimit } from './mail-limit';
import { mapInTurns } from '../platform/operation/map-in-turns';
import { queueMails } from './queue-mails';

type Contract = typeof inviteUsers;

const shownKeys = new Set(['email', 'name', 'type', 'interview_id']);

/** Invites people and queues their mails (docs/people.md#invitations). */
export const inviteUsersByMail: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }, { bulk, accountInvitationsPerDay }) =>
  bulk(input.users.length, () =>
    write(async (trx) => {
      const rows = await mapInTurns(input.users, (sent) => judgeRow(sent, invitationRow, shownKeys));
      const outcomes = new Map<number, Invited>();
      for (const [index, row] of rows.entries())
        if (row.error !== undefined) outcomes.set(index, failed(row));
      const role = (await trx.scope()).role;
      const goodRows = rows.map(({ row }) => row);
      const isOwner = mayInviteOwners(role);
      const sorted = sortOut(goodRows, isOwner, outcomes);
      await inviteAll(trx, input, sorted, outcomes, { isOwner, perDay: accountInvitationsPerDay });
      return mapInTurns(input.users, (sent, index) => toReply(sent, goodRows[index], outcomes.get(index)));
    }),
  );

/** Also whom owners withdrew. Service keys may not: whoever steals one could invite a person of their own as an owner. */
const mayInviteOwners = (role: Role | 'service' | undefined): boolean =>
  role === 'merchant_owner' || role === 'admin';

type SortedOut = {
  candidates: (CandidateWanted & { index: number })[];
  accounts: (AccountWanted & { index: number })[];
};

/** Sorts the good rows out by what they invite to; who came before in the call, and who may not be invited, is told. */
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
      // Not met: a later row may invite the same person to something else.
      outcomes.set(
        index,
        failed({ code: 'owner_required', error: 'only an owner may invite a merchant_owner' }),
      );
      continue;
    }
    if (met.has(identity)) outcomes.set(index, told('Skipped'));
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
  const acts = actsOf([...candidates, ...accounts], invited);
  if (acts.length > 0) await trx.count(recordActs(acts));
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
