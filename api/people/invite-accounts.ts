import { findAccounts, insertAccess, insertAccounts, restoreAccess } from '../../db/identity/public';
import type { AccountRow } from '../../db/identity/public';
import { countAccountInvitations } from '../../db/people/invitation-limits';
import type { InvitationType } from '../../db/people/vocabulary';
import type { Transaction } from '../../db/platform/database';
import { isCoaching } from '../platform/operation/vocabulary';
import { noInvitationsLeftError, reserveUpTo } from './enrol';
import { failedRow, succeededRow } from './invite-candidates';
import type { Invited, InviteResult } from './invite-candidates';
import { mailLimitError } from './mail-limit';
import type { MailLimit } from './mail-limit';
import { createMailableCheck, notATestRecipientError } from './test-recipients';
import type { RowError } from './validate-row';

export type AccountType = Exclude<InvitationType, 'candidate'>;
/** A person to invite to the dashboard or the coaching portal. A call has at most one for each email address. */
export type AccountRequest = { email: string; email_key: string; name: string | null; type: AccountType };

type InvitationSettings = {
  force: boolean;
  language: string;
  /** The most account invitations that a merchant in production may mail in 24 hours. */
  perDay: number;
  /** True if the caller may invite people whose access an owner withdrew. */
  isOwner: boolean;
  mails: MailLimit;
};

/**
 * Invites people to the console or the portal (docs/people.md#invitations). It creates accounts, or gives access to
 * people who have an account at another merchant. Returns outcomes in the order of `wanted`.
 */
export async function inviteAccounts(
  trx: Transaction,
  wanted: AccountRequest[],
  settings: InvitationSettings,
): Promise<Invited[]> {
  if (wanted.length === 0) return [];
  let known = await findByKey(trx, wanted);
  const errors = await findErrors(trx, wanted, known, settings);
  const allowed = wanted.filter(({ email_key }) => !errors.has(email_key));
  const unknown = allowed.filter(({ email_key }) => !known.has(email_key));
  const made = new Map<string, string>();
  if (unknown.length > 0) {
    const rows = unknown.map(({ type, ...person }) => ({ ...person, role: type }));
    for (const { email_key, profile_id } of await trx.rows(insertAccounts(rows, settings.language)))
      made.set(email_key, profile_id);
    // A concurrent call of another merchant may have created some of these accounts in the meantime.
    if (made.size < unknown.length) known = await findByKey(trx, wanted);
  }
  const outsiders = allowed.flatMap(({ email_key, type, name }) => {
    const account = known.get(email_key);
    return account && !made.has(email_key) && isOutsider(account)
      ? [{ profile_id: account.profile_id, role: type, name, is_home: account.is_home }]
      : [];
  });
  const granted = await admit(trx, outsiders);
  return wanted.map(({ email_key, type }) => {
    const error = errors.get(email_key);
    if (error) return failedRow(error);
    const profileId = made.get(email_key);
    return profileId === undefined
      ? validateKnown(known.get(email_key), type, granted, settings.force)
      : mailed(profileId, type, 'Invited');
  });
}

type Admitted = { profile_id: string; role: string; name: string | null; is_home: boolean };

/**
 * Gives people access to the merchant. If a person's account belongs to this merchant (`is_home`), the access that
 * was withdrawn is restored. Returns the ids of the people who had no access before.
 */
async function admit(trx: Transaction, people: Admitted[]): Promise<Set<string>> {
  const back = people.filter(({ is_home }) => is_home);
  const others = people.filter(({ is_home }) => !is_home);
  return new Set(
    [
      ...(back.length === 0 ? [] : await trx.rows(restoreAccess(back))),
      ...(others.length === 0 ? [] : await trx.rows(insertAccess(others))),
    ].map(({ profile_id }) => profile_id),
  );
}

/**
 * Returns the errors of people who may not be invited: an owner withdrew their access, they are not test recipients,
 * they got the maximum number of emails, or the budget is used up.
 */
async function findErrors(
  trx: Transaction,
  wanted: AccountRequest[],
  known: ReadonlyMap<string, AccountRow>,
  { force, perDay, isOwner, mails }: InvitationSettings,
): Promise<Map<string, RowError>> {
  const errors = new Map<string, RowError>();
  const mayMail = await createMailableCheck(
    trx,
    wanted.map(({ email_key }) => email_key),
  );
  const toMail = wanted.filter((row) => {
    const account = known.get(row.email_key);
    if (!needsMail(account, row.type, force)) return false;
    if (account && isOutsider(account) && account.was_withdrawn && !isOwner)
      errors.set(row.email_key, withdrawn);
    else if (!mayMail(row.email_key)) errors.set(row.email_key, notATestRecipientError);
    else if (!mails.take(row.email_key)) errors.set(row.email_key, mailLimitError);
    return !errors.has(row.email_key);
  });
  const isProduction = (await trx.scope()).environment === 'production';
  const left = isProduction ? await leftToday(trx, perDay) : await reserveUpTo(trx, toMail.length);
  for (const { email_key } of toMail.slice(left))
    errors.set(email_key, isProduction ? dayIsFull(perDay) : noInvitationsLeftError);
  return errors;
}

async function leftToday(trx: Transaction, perDay: number): Promise<number> {
  const { mailed: already } = await trx.one(countAccountInvitations);
  return Math.max(0, perDay - already);
}

const withdrawn: RowError = {
  code: 'owner_required',
  error: 'An owner withdrew this person, so only an owner can invite the person again.',
};
const dayIsFull = (perDay: number): RowError => ({
  code: 'invitation_limit_reached',
  error: `This merchant sent ${perDay} team and coaching invitations in the last 24 hours. Try again later.`,
});

/** Returns true if the invitation sends an email, provided that all other checks pass. */
function needsMail(account: AccountRow | undefined, type: AccountType, force: boolean): boolean {
  if (!account) return true;
  if (account.is_admin || account.is_disabled || account.is_disabled_here) return false;
  return account.role === null || (!account.is_active && force && account.role === type);
}

const isOutsider = (account: AccountRow) =>
  account.role === null && !account.is_admin && !account.is_disabled;

async function findByKey(trx: Transaction, wanted: AccountRequest[]): Promise<Map<string, AccountRow>> {
  const rows = await trx.rows(findAccounts(wanted.map(({ email_key }) => email_key)));
  return new Map(rows.map((row) => [row.email_key, row]));
}

function validateKnown(
  account: AccountRow | undefined,
  type: AccountType,
  granted: ReadonlySet<string>,
  force: boolean,
): Invited {
  if (!account)
    return failedRow({
      code: 'concurrent_change',
      error: 'Another call invited this person at the same time. Try again.',
    });
  const { profile_id, role } = account;
  // The result is the same for platform admins and for disabled people of other merchants, so that it does not reveal
  // who is an admin.
  if (account.is_admin || (account.is_disabled && role === null))
    return failedRow({ code: 'not_invitable', error: 'This person cannot be invited.' });
  if (account.is_disabled || account.is_disabled_here)
    return failedRow({ code: 'account_disabled', error: 'The account with this email is disabled.' });
  // The account belongs to this merchant, which had withdrawn its access. The person is invited like a new member.
  if (granted.has(profile_id) && account.is_home) return mailed(profile_id, type, 'Invited');
  if (granted.has(profile_id))
    return mailed(profile_id, type, isCoaching(type) ? 'CoachingAccessAdded' : 'SubMerchantAdded');
  if (account.is_active) return { ...succeededRow('Activated'), profile_id };
  if (!force) return { ...succeededRow('Skipped'), profile_id };
  if (role !== type)
    return failedRow({
      code: 'role_conflict',
      error: `This person was already invited as ${role}. An invitation cannot change a role.`,
    });
  return mailed(profile_id, type, 'Invited');
}

const mailed = (profile_id: string, type: AccountType, result: InviteResult): Invited => ({
  ...succeededRow(result),
  profile_id,
  mail: {
    kind: isCoaching(type) ? 'coaching_invitation' : 'team_invitation',
    profile_id,
    enrolment_id: null,
  },
});
