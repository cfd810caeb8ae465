import type { EnrolmentScope } from '../../db/people/enrolments';
import type { NewMail } from '../../db/people/mails';
import type { Transaction } from '../../db/platform/database';
import type { RowCode } from '../platform/operation/error-codes';
import {
  externalIdTakenError,
  findScopes,
  noInvitationsLeftError,
  lockAndReadCandidates,
  reserveUpTo,
  storePeople,
  checkAcceptsCandidates,
} from './enrol';
import { planEnrolments } from './enrolment-plan';
import type { EnrolmentRequest } from './enrolment-plan';
import { mailLimitError } from './mail-limit';
import type { MailLimit } from './mail-limit';
import { phoneError } from './phone-error';
import { createMailableCheck, notATestRecipientError } from './test-recipients';
import type { CandidateRow } from './user-rows';
import type { RowError } from './validate-row';

/** The outcome of a row of `invite-users`: its result, the person that it refers to, and the mail to send. */
export type Invited = {
  result: string;
  code: RowCode;
  profile_id: string | null;
  profile_interview_id: string | null;
  mail?: NewMail;
  /** The interview or position that a candidate was to be invited to. */
  scope?: EnrolmentScope;
};
/** The codes of results that are not errors. */
const codes = {
  Invited: 'invited',
  Activated: 'activated',
  SubMerchantAdded: 'sub_merchant_added',
  CoachingAccessAdded: 'coaching_access_added',
  Skipped: 'skipped',
} as const;
export type InviteResult = keyof typeof codes;

const noPerson = { profile_id: null, profile_interview_id: null };
/** Returns the outcome of a row that succeeded, without the ids of a person. */
export const succeededRow = (result: InviteResult): Invited => ({ result, code: codes[result], ...noPerson });
/** Returns the outcome of a row that failed. */
export const failedRow = ({ code, error }: RowError): Invited => ({
  result: `Error: ${error}`,
  code,
  ...noPerson,
});

/**
 * A candidate to invite to one interview or position. A call has at most one for each pair of address and interview.
 */
export type CandidateRequest = CandidateRow & { email_key: string; interview_id: string };
type Decided = { row: EnrolmentRequest; outcome?: undefined } | { row?: undefined; outcome: Invited };
type Book = ReturnType<typeof planEnrolments>;

/**
 * Enrolls and invites candidates within the budget and the mail limit (docs/people.md#invitations). Candidates who
 * have begun their interview are skipped. Candidates who were already invited are also skipped, unless `force` is
 * true. Returns outcomes in the order of `wanted`.
 */
export async function inviteCandidates(
  trx: Transaction,
  wanted: CandidateRequest[],
  { force, language, mails }: { force: boolean; language: string; mails: MailLimit },
): Promise<Invited[]> {
  if (wanted.length === 0) return [];
  const scopes = await findScopes(trx, [...new Set(wanted.map(({ interview_id }) => interview_id))]);
  const mayMail = await createMailableCheck(
    trx,
    wanted.map(({ email_key }) => email_key),
  );
  const validated = wanted.map((row): Decided => {
    if (!mayMail(row.email_key)) return { outcome: failedRow(notATestRecipientError) };
    const { scope, error } = checkAcceptsCandidates(scopes.get(row.interview_id));
    if (!scope) return { outcome: failedRow(error) };
    const wrong = phoneError(row.phone, scope);
    return wrong ? { outcome: failedRow(wrong) } : { row: { ...row, scope } };
  });
  const rows = validated.flatMap(({ row }) => row ?? []);
  const book = planEnrolments(rows.length === 0 ? [] : await lockAndReadCandidates(trx, rows), scopes);
  const claimed = new Set<string>();
  const decided = validated.map((one): Decided => {
    if (!one.row) return one;
    const { scope, external_id } = one.row;
    const claim = `${scope.scope_id} ${external_id}`;
    if (book.isAmbiguous(one.row) || (external_id !== null && claimed.has(claim)))
      return { outcome: failedRow(externalIdTakenError) };
    claimed.add(claim);
    return decide(one.row, book, force, mails);
  });

  let left = await reserveUpTo(trx, decided.filter(({ row }) => row !== undefined).length);
  const people = decided.map(({ row }) => (row && left-- > 0 ? book.apply(row) : undefined));
  const invited = new Set(people.flatMap((person) => person ?? []));
  const stored = await storePeople(trx, [...invited], invited, { language, source: 'invited' });
  return decided.map((one, index) => {
    const scope = scopes.get(wanted[index]?.interview_id ?? '');
    const ofScope = scope ? { scope } : {};
    if (one.outcome) return { ...one.outcome, ...ofScope };
    const person = people[index];
    const own = person && stored.get(person);
    if (!own) return { ...failedRow(noInvitationsLeftError), ...ofScope };
    const { profile_id, enrolment_id } = own;
    return {
      ...succeededRow('Invited'),
      profile_id,
      profile_interview_id: enrolment_id,
      mail: { kind: 'candidate_invitation', profile_id, enrolment_id },
      ...ofScope,
    };
  });
}

function decide(row: EnrolmentRequest, book: Book, force: boolean, mails: MailLimit): Decided {
  const known = book.find(row)?.known;
  if (!known || !(known.has_begun || (known.invited_at && !force)))
    return mails.take(row.email_key) ? { row } : { outcome: failedRow(mailLimitError) };
  const result = known.has_begun ? 'Activated' : 'Skipped';
  return {
    outcome: { ...succeededRow(result), profile_id: known.profile_id, profile_interview_id: known.id },
  };
}
