import type { InvitationType } from '../contracts/user-rows';
import { findAccounts, insertAccess, insertAccounts } from '../../db/accounts';
import type { AccountRow } from '../../db/accounts';
import type { Transaction } from '../../db/scope';

export type AccountType = Exclude<InvitationType, 'candidate'>;
/** One person to be invited to the dashboard or the coaching portal; each e-mail once. */
export type AccountWanted = { email: string; email_key: string; name: string | null; type: AccountType };

export type AccountOutcome = { profile_id: string | null; result: string; isMailed: boolean };

const coachingTypes = new Set<InvitationType>(['user', 'mentor']);
export const isCoaching = (type: InvitationType) => coachingTypes.has(type);

/**
 * Invites people by e-mail key: makes pending accounts, and gives those who have one elsewhere access to this merchant
 * (spec/decisions.md section 4). An account is never changed by it.
 */
export async function inviteAccounts(
  trx: Transaction,
  wanted: AccountWanted[],
  settings: { force: boolean; language: string },
): Promise<Map<string, AccountOutcome>> {
  if (wanted.length === 0) return new Map();
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
  const strangers = wanted.flatMap(({ email_key, type }) => {
    const account = known.get(email_key);
    return account && !made.has(email_key) && isStranger(account)
      ? [{ profile_id: account.profile_id, role: type }]
      : [];
  });
  const granted = new Set(
    strangers.length === 0
      ? []
      : (await trx.rows<{ profile_id: string }>(insertAccess(strangers))).map(({ profile_id }) => profile_id),
  );
  return new Map(
    wanted.map(({ email_key, type }): [string, AccountOutcome] => {
      const profileId = made.get(email_key);
      if (profileId !== undefined)
        return [email_key, { profile_id: profileId, result: 'Invited', isMailed: true }];
      return [email_key, judgeKnown(known.get(email_key), type, granted, settings.force)];
    }),
  );
}

const isStranger = (account: AccountRow) =>
  !account.is_home && !account.has_access && !account.is_admin && !account.is_disabled;

async function findByKey(trx: Transaction, wanted: AccountWanted[]): Promise<Map<string, AccountRow>> {
  const rows = await trx.rows<AccountRow>(findAccounts(wanted.map(({ email_key }) => email_key)));
  return new Map(rows.map((row) => [row.email_key, row]));
}

function judgeKnown(
  account: AccountRow | undefined,
  type: AccountType,
  granted: ReadonlySet<string>,
  force: boolean,
): AccountOutcome {
  if (!account)
    return { profile_id: null, result: 'Error: the invitation met another one, try again', isMailed: false };
  const { profile_id } = account;
  if (account.is_disabled)
    return { profile_id: null, result: 'Error: the account of this email is disabled', isMailed: false };
  // Admins are everywhere; who they are is not told.
  if (account.is_admin) return { profile_id: null, result: 'Activated', isMailed: false };
  if (granted.has(profile_id))
    return {
      profile_id,
      result: isCoaching(type) ? 'CoachingAccessAdded' : 'SubMerchantAdded',
      isMailed: true,
    };
  if (account.is_active) return { profile_id, result: 'Activated', isMailed: false };
  return { profile_id, result: force ? 'Invited' : 'Skipped', isMailed: force };
}
