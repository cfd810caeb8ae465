import { emailKey } from '../../db/people/email-key';
import type { EnrolmentScope } from '../../db/people/enrolments';
import type { Transaction } from '../../db/platform/database';
import { mapInTurns } from '../platform/operation/map-in-turns';
import { externalIdTakenError, noInvitationsLeftError } from './enrol';
import { planEnrolments } from './enrolment-plan';
import type { EnrolmentRequest, PlannedCandidate } from './enrolment-plan';
import { mailLimitError, openMailLimit } from './mail-limit';
import { phoneError } from './phone-error';
import { createMailableCheck, notATestRecipientError } from './test-recipients';
import { candidateRow } from './user-rows';
import type { CandidateRow } from './user-rows';
import { validateRow } from './validate-row';
import type { RowError, ValidatedRow } from './validate-row';

/** The outcome of a row: the person to register, or the row's error. */
export type RowOutcome = { row?: CandidateRow; person?: PlannedCandidate; failed?: RowError };

const storedKeys = new Set(Object.keys(candidateRow.shape));

/**
 * Validates each row. With `send_email`, it also checks that the address may receive email and has not reached the
 * limit of emails in 24 hours.
 */
export async function validateRows(
  trx: Transaction,
  scope: EnrolmentScope,
  { users, send_email }: { users: unknown[]; send_email: boolean },
): Promise<ValidatedRow<CandidateRow>[]> {
  const validated = await mapInTurns(users, (sent): ValidatedRow<CandidateRow> => {
    const one = validateRow(sent, candidateRow, storedKeys);
    const wrong = one.row && phoneError(one.row.phone, scope);
    return wrong ?? one;
  });
  if (!send_email) return validated;
  const keyOf = ({ row }: ValidatedRow<CandidateRow>) => (row ? emailKey(row.email) : '');
  const keys = validated.map(keyOf);
  const mails = await openMailLimit(trx, keys);
  const mayMail = await createMailableCheck(trx, keys);
  return validated.map((one) => {
    if (!one.row) return one;
    if (!mayMail(keyOf(one))) return notATestRecipientError;
    // Each row is checked against the limit separately, without counting the other rows of this call. An address gets
    // only one email of this call, even if several rows contain it.
    return mails.isReached(keyOf(one)) ? mailLimitError : one;
  });
}

/** Merges the rows into at most `limit` people. The rows of further people fail, because no invitations are left. */
export function planRows(
  scope: EnrolmentScope,
  known: Parameters<typeof planEnrolments>[0],
  validated: ValidatedRow<unknown>[],
  wanted: (EnrolmentRequest | undefined)[],
  limit: number,
): { people: PlannedCandidate[]; outcomes: RowOutcome[] } {
  const book = planEnrolments(known, new Map([[scope.scope_id, scope]]));
  const people = new Set<PlannedCandidate>();
  const outcomes = wanted.map((row, index): RowOutcome => {
    const failed = validated[index];
    if (!row) return failed?.error === undefined ? {} : { failed };
    if (book.isAmbiguous(row)) return { failed: externalIdTakenError };
    const person = book.find(row);
    if (people.size >= limit && !(person && people.has(person))) return { failed: noInvitationsLeftError };
    const applied = book.apply(row);
    people.add(applied);
    return { row, person: applied };
  });
  return { people: [...people], outcomes };
}
