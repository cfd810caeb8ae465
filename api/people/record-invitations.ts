import type { EnrolmentScope } from '../../db/people/enrolments';
import { insertInvitations, invitationResults } from '../../db/people/invitations';
import type { InvitationResult, NewInvitation } from '../../db/people/invitations';
import type { Transaction } from '../../db/platform/database';
import { linkLifetimeMs } from '../../db/platform/link-tokens';
import { availableUntil } from '../platform/text/available-until';
import type { StoredPerson } from './enrol';

/** The outcome of one row of a call. `scope` is the interview or position that the row is for. */
export type InvitationOutcome = Pick<
  NewInvitation,
  'type' | 'channel' | 'enrolment_id' | 'profile_id' | 'language' | 'is_test'
> & { code: string; email: string | null; scope: EnrolmentScope | undefined };

/** The outcome of a row of job-interview-register-users. */
export const registrationOutcome = (
  { send_email, is_test }: { send_email: boolean; is_test: boolean },
  scope: EnrolmentScope,
  stored: StoredPerson | undefined,
  { code, email }: { code: string | undefined; email: string | null },
): InvitationOutcome => ({
  type: 'candidate',
  code: stored ? 'invited' : (code ?? 'error'),
  email,
  channel: send_email ? 'email' : 'link',
  enrolment_id: stored?.enrolment_id ?? null,
  profile_id: stored?.profile_id ?? null,
  language: scope.platform_language_code,
  is_test,
  scope,
});

/**
 * Records the rows of a call for reports and for the list of invitations. Only failed rows have an address, because
 * nothing else says whom they were for. Callers leave out malformed rows, which would otherwise count as failed
 * invitations in reports forever.
 */
export async function recordInvitations(
  trx: Transaction,
  outcomes: readonly InvitationOutcome[],
): Promise<void> {
  if (outcomes.length > 0) await trx.count(insertInvitations(outcomes.map(toInvitation)));
}

function toInvitation({ code, email, scope, ...outcome }: InvitationOutcome): NewInvitation {
  const result = isResult(code) ? code : 'error';
  const isSent = result !== 'error' && result !== 'skipped' && result !== 'activated';
  return {
    ...outcome,
    result,
    code: result === 'error' ? code : null,
    email: result === 'error' ? email : null,
    interview_id: scope?.interview_id ?? null,
    position_id: scope?.position_id ?? null,
    expires_at: isSent
      ? (availableUntil(scope?.interview_available_till ?? null) ?? new Date(Date.now() + linkLifetimeMs))
      : null,
  };
}

const isResult = (code: string): code is InvitationResult =>
  invitationResults.some((result) => result === code);
