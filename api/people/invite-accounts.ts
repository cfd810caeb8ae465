import type { InvitationType } from './user-rows';
import { isCoaching } from '../platform/operation/vocabulary';
import { findAccounts, insertAccess, insertAccounts, lockAccountInvitations } from '../../db/identity/public';
import type { AccountRow } from '../../db/identity/public';
import type { Transaction } from '../../db/platform/scope';
import { noInvitationsLeft, reserve } from './enrol';
import { failed, told } from './invite-candidates';
import type { Invited, Result } from './invite-candidates';
import type { RowError } from './judge-row';
import { findMailable, notATestRecipient } from './test-recipients';

export type AccountType = Exclude<InvitationType, 'candidate'>;
/** One person to be invited to the dashboard or the coaching portal; each e-mail once. */
export type AccountWanted = { email: string; email_key: string; name: string | null; type: AccountType };

/** Mails of account invitations that a merchant may send to one person in 24 hours. */
const mailsPerPerson = 5;

export type InvitationSettings = {
  force: boolean;
  language: string;
  /** Account invitations that a merchant may mail in 24 hours, in production. */
  perDay: number;
};

/**
 * Invites people to the console or the portal (docs/people.md#invitations): creates accounts, or gives people with an account
 * elsewhere access. Returns outcomes in the order of `wanted`.
 */
export async function inviteAccounts(
  trx: Transaction,
  wanted: AccountWanted[],
  settings: InvitationSettings,
): Promise<Invited[]> {
  if (wanted.length === 0) return [];
  const lock = await trx.one(lockAccountInvitations);
  let known = await findByKey(trx, wanted);
  const refusals = await refuse(trx, wanted, known, { ...settings, mailed: lock.mailed });
  const allowed = wanted.filter(({ email_key }) => !refusals.has(email_key));
  const unknown = allowed.filter(({ email_key }) => !known.has(email_key));
  const made = new Map<string, string>();
  if (unknown.length > 0) {
    const rows = unknown.map(({ type, ...person }) => ({ ...person, role: type }));
    for (const { email_key, profile_id } of await trx.rows(insertAccounts(rows, settings.language)))
      made.set(email_key, profile_id);
    // Whom another merchant's call made meanwhile has an account now.
    if (made.size < unknown.length) known = await findByKey(trx, wanted);
  }
  const strangers = allowed.flatMap(({ email_key, type, name }) => {
    const account = known.get(email_key);
    return account && !made.has(email_key) && isStranger(account)
      ? [{ profile_id: account.profile_id, role: type, name }]
      : [];
  });
  const granted = new Set(
    strangers.length === 0
      ? []
      : (await trx.rows(insertAccess(strangers))).map(({ profile_id }) => profile_id),
  );
  return wanted.map(({ email_key, type }) => {
    const refusal = refusals.get(email_key);
    if (refusal) return failed(refusal);
    const profileId = made.get(email_key);
    return profileId === undefined
      ? judgeKnown(known.get(email_key), type, granted, settings.force)
      : mailed(profileId, type, 'Invited');
  });
}

/** Those who may not be mailed: no test recipients, mailed often enough, or beyond the budget. */
async function refuse(
  trx: Transaction,
  wanted: AccountWanted[],
  known: ReadonlyMap<string, AccountRow>,
  { force, perDay, mailed: already }: InvitationSettings & { mailed: number },
): Promise<Map<string, RowError>> {
  const refusals = new Map<string, RowError>();
  const mayMail = await findMailable(
    trx,
    wanted.map(({ email_key }) => email_key),
  );
  const toMail = wanted.filter((row) => {
    const account = known.get(row.email_key);
    const isOften = (account?.mails_today ?? 0) >= mailsPerPerson;
    if (!needsMail(account, row.type, force)) return false;
    if (!mayMail(row.email_key)) refusals.set(row.email_key, notATestRecipient);
    else if (isOften) refusals.set(row.email_key, mailedOften);
    return !refusals.has(row.email_key);
  });
  const isProduction = (await trx.scope()).environment === 'production';
  const left = isProduction ? Math.max(0, perDay - already) : await reserve(trx, toMail.length);
  for (const { email_key } of toMail.slice(left))
    refusals.set(email_key, isProduction ? dayIsFull(perDay) : noInvitationsLeft);
  return refusals;
}

const mailedOften: RowError = {
  code: 'invitation_limit_reached',
  error: `this person got ${mailsPerPerson} invitations in the last 24 hours, try again later`,
};
const dayIsFull = (perDay: number): RowError => ({
  code: 'invitation_limit_reached',
  error: `the account sent ${perDay} invitations to team and coaching in the last 24 hours, try again later`,
});

/** True where the row leads to a mail if nothing else is against it. */
function needsMail(account: AccountRow | undefined, type: AccountType, force: boolean): boolean {
  if (!account) return true;
  if (account.is_admin || account.is_disabled || account.is_disabled_here) return false;
  return account.role === null || (!account.is_active && force && account.role === type);
}

const isStranger = (account: AccountRow) =>
  account.role === null && !account.is_admin && !account.is_disabled;

async function findByKey(trx: Transaction, wanted: AccountWanted[]): Promise<Map<string, AccountRow>> {
  const rows = await trx.rows(findAccounts(wanted.map(({ email_key }) => email_key)));
  return new Map(rows.map((row) => [row.email_key, row]));
}

function judgeKnown(
  account: AccountRow | undefined,
  type: AccountType,
  granted: ReadonlySet<string>,
  force: boolean,
): Invited {
  if (!account)
    return failed({ code: 'concurrent_change', error: 'the invitation met another one, try again' });
  const { profile_id, role } = account;
  // One answer for admins and disabled strangers: it must not tell who the platform's admins are.
  if (account.is_admin || (account.is_disabled && role === null))
    return failed({ code: 'not_invitable', error: 'this person cannot be invited' });
  if (account.is_disabled || account.is_disabled_here)
    return failed({ code: 'account_disabled', error: 'the account of this email is disabled' });
  // Somebody who was withdrawn here comes back as a new member does.
  if (granted.has(profile_id) && account.is_home) return mailed(profile_id, type, 'Invited');
  if (granted.has(profile_id))
    return mailed(profile_id, type, isCoaching(type) ? 'CoachingAccessAdded' : 'SubMerchantAdded');
  if (account.is_active) return { ...told('Activated'), profile_id };
  if (!force) return { ...told('Skipped'), profile_id };
  if (role !== type)
    return failed({
      code: 'role_conflict',
      error: `this person is invited as ${role} already, which an invitation does not change`,
    });
  return mailed(profile_id, type, 'Invited');
}

const mailed = (profile_id: string, type: AccountType, result: Result): Invited => ({
  ...told(result),
  profile_id,
  mail: {
    kind: isCoaching(type) ? 'coaching_invitation' : 'team_invitation',
    profile_id,
    enrolment_id: null,
  },
});
