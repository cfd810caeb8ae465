import type { InvitationType } from '../contracts/user-rows';
import { isCoaching } from '../contracts/vocabulary';
import { findAccounts, insertAccess, insertAccounts } from '../../db/accounts';
import type { AccountRow } from '../../db/accounts';
import type { Transaction } from '../../db/scope';
import { failed, told } from './invite-candidates';
import type { Invited, Result } from './invite-candidates';

export type AccountType = Exclude<InvitationType, 'candidate'>;
/** One person to be invited to the dashboard or the coaching portal; each e-mail once. */
export type AccountWanted = { email: string; email_key: string; name: string | null; type: AccountType };

/**
 * Invites people to the dashboard or the portal: makes pending accounts, and gives those who have one elsewhere access to
 * this merchant (spec/decisions.md section 4). An account is never changed by it. Answers in the order of `wanted`.
 */
export async function inviteAccounts(
  trx: Transaction,
  wanted: AccountWanted[],
  settings: { force: boolean; language: string },
): Promise<Invited[]> {
  if (wanted.length === 0) return [];
  let known = await findByKey(trx, wanted);
  const unknown = wanted.filter(({ email_key }) => !known.has(email_key));
  const made = new Map<string, string>();
  if (unknown.length > 0) {
    const rows = unknown.map(({ type, ...person }) => ({ ...person, role: type }));
    for (const { email_key, profile_id } of await trx.rows<{ email_key: string; profile_id: string }>(
      insertAccounts(rows, settings.language),
    ))
      made.set(email_key, profile_id);
    // Whom another call made meanwhile has an account now, perhaps at another merchant.
    if (made.size < unknown.length) known = await findByKey(trx, wanted);
  }
  const strangers = wanted.flatMap(({ email_key, type, name }) => {
    const account = known.get(email_key);
    return account && !made.has(email_key) && isStranger(account)
      ? [{ profile_id: account.profile_id, role: type, name }]
      : [];
  });
  const granted = new Set(
    strangers.length === 0
      ? []
      : (await trx.rows<{ profile_id: string }>(insertAccess(strangers))).map(({ profile_id }) => profile_id),
  );
  return wanted.map(({ email_key, type }) => {
    const profileId = made.get(email_key);
    return profileId === undefined
      ? judgeKnown(known.get(email_key), type, granted, settings.force)
      : mailed(profileId, type, 'Invited');
  });
}

const isStranger = (account: AccountRow) =>
  account.role === null && !account.is_admin && !account.is_disabled;

async function findByKey(trx: Transaction, wanted: AccountWanted[]): Promise<Map<string, AccountRow>> {
  const rows = await trx.rows<AccountRow>(findAccounts(wanted.map(({ email_key }) => email_key)));
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
