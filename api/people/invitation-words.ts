import type { ListedInvitation } from '../../db/people/invitation-list';
import { errorCodes, rowErrorCodes } from '../platform/operation/error-codes';

/** The results of invitations that did not fail, by the value that is stored. */
const results = {
  invited: 'Invited',
  activated: 'Activated',
  sub_merchant_added: 'SubMerchantAdded',
  coaching_access_added: 'CoachingAccessAdded',
  skipped: 'Skipped',
} as const;

const meanings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(errorCodes).map(([code, { meaning }]) => [code, meaning])),
  ...rowErrorCodes,
};

const failure = ({ code }: ListedInvitation): string =>
  meanings[code ?? ''] ?? 'The row could not be processed.';

/** The `result` of an invitation, as in `invite-users`. Reminders have none. */
export function invitationResultText(row: ListedInvitation): string | null {
  if (row.result === 'error') return `Error: ${failure(row)}`;
  if (row.result !== null) return results[row.result];
  // Only calls of a merchant store a result. The platform itself invites to the next step and after a reopened result.
  return row.kind?.endsWith('invitation') ? 'Invited' : null;
}

/** Says why a mail did not arrive, or returns null if it may have. */
export function mailErrorOf(row: ListedInvitation, environment: string): string | null {
  const { mail_status, state, last_error, bounce_reason } = row;
  if (mail_status === 'bounced')
    return `The recipient's mail server did not accept the mail${bounce_reason ? `: ${bounce_reason}` : '.'}`;
  if (mail_status === 'rejected') return `The mail provider did not accept the mail${because(last_error)}`;
  if (mail_status === 'queued' && last_error !== null)
    return `The last attempt failed, and the mail will be tried again${because(last_error)}`;
  if (mail_status !== 'failed') return null;
  if (state === 'gave_up') return `The mail could not be sent for 24 hours${because(last_error)}`;
  return state === 'withdrawn'
    ? `Withdrawn before it was sent: ${withdrawal(row, environment)}`
    : failure(row);
}

const because = (error: string | null): string => (error === null ? '.' : `: ${error}.`);

function withdrawal({ kind, is_readdressed }: ListedInvitation, environment: string): string {
  if (is_readdressed) return "the candidate's address was changed.";
  if (kind === 'team_invitation' || kind === 'coaching_invitation')
    return environment === 'production'
      ? "the person's access was withdrawn."
      : "the person's access was withdrawn, or the address is not a test recipient.";
  if (!kind?.endsWith('_invitation')) return 'the candidate no longer needed it.';
  return 'the address is not a test recipient.';
}
