import { columnsOf } from '../platform/columns';
import type { AccountLink } from '../platform/link-tokens';
import type { Statement } from '../platform/statement';
import type { LanguageCode, Role } from '../platform/vocabulary';

/** What a call that sends invitations must know about the account of a team member or learner. */
export type AccountRow = {
  email_key: string;
  profile_id: string;
  is_admin: boolean;
  /** True if the account's home is the caller's merchant. */
  is_home: boolean;
  /** The role at the caller's merchant. Null if the person has no access to that merchant. */
  role: string | null;
  is_active: boolean;
  /** True if the platform disabled the account everywhere. */
  is_disabled: boolean;
  /** True if an owner of the caller's merchant disabled the account there. */
  is_disabled_here: boolean;
  /**
   * True if an owner of the caller's merchant has ever withdrawn the person's access, even if the person was invited
   * again later.
   */
  was_withdrawn: boolean;
};

/** Finds accounts with these addresses on the whole platform. */
export const findAccounts = (emailKeys: string[]): Statement<AccountRow> => ({
  name: 'find_accounts',
  text: 'select * from app.find_accounts($1)',
  values: [emailKeys],
});

type NewAccount = { role: string; email: string; email_key: string; name: string | null };

/**
 * Creates pending accounts, in sorted order so that concurrent calls cannot deadlock. Returns only the accounts that
 * this call created, not those that a concurrent call created first.
 */
export const insertAccounts = (
  people: NewAccount[],
  language: string,
): Statement<{ email_key: string; profile_id: string }> => ({
  name: 'insert_accounts',
  text: `
    insert into profile (role, email, email_key, name, platform_language_code)
    select role, email, email_key, name, $5
    from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as person (role, email, email_key, name)
    order by email_key on conflict do nothing returning id as profile_id, email_key`,
  values: [...columnsOf(people, 'role', 'email', 'email_key', 'name'), language],
});

/**
 * Gives accounts whose home is another merchant access to the caller's merchant. `name` is the name that the caller's
 * merchant uses for the person. Returns the accounts that did not have access before.
 */
export const insertAccess = (
  people: { profile_id: string; role: string; name: string | null }[],
): Statement<{ profile_id: string }> => ({
  name: 'insert_access',
  text: `
    insert into merchant_access (profile_id, role, name)
    select profile_id, role, name from unnest($1::uuid[], $2::text[], $3::text[]) as person (profile_id, role, name)
    order by profile_id on conflict do nothing returning profile_id`,
  values: columnsOf(people, 'profile_id', 'role', 'name'),
});

/**
 * Restores the access of people whose home is the caller's merchant and whose access was withdrawn. Only owners and
 * admins may do this.
 */
export const restoreAccess = (
  people: { profile_id: string; role: string; name: string | null }[],
): Statement<{ profile_id: string }> => ({
  name: 'readmit_people',
  text: 'select profile_id from app.readmit_people($1, $2, $3) as again (profile_id)',
  values: columnsOf(people, 'profile_id', 'role', 'name'),
});

export type InvitedAccount = {
  merchant_name: string;
  portal_domain: string | null;
  start_directory: string | null;
  /** True if the account's home is the merchant that sent the invitation. */
  is_home: boolean;
  /**
   * The role at the merchant that sent the invitation. Null if the person has no access, or if the link is no longer
   * valid because the merchant withdrew the person's access.
   */
  role: Role | null;
  platform_language_code: LanguageCode;
  is_active: boolean;
  is_disabled: boolean;
};

/** Finds the account that an invitation link names, and its access to the merchant that sent the invitation. */
export const findInvitedAccount = ({
  profileId,
  merchantId,
  generation,
}: AccountLink): Statement<InvitedAccount> => ({
  name: 'find_invited_account',
  text: `
    select m.name as merchant_name, m.portal_domain, m.start_directory, home.is_home,
      case
        when app.invitation_generation(p.id, m.id) <> $3 then null when home.is_home then p.role else a.role
      end as role,
      p.platform_language_code,
      p.activated_at is not null as is_active,
      p.disabled_at is not null or case when home.is_home then p.home_disabled_at else a.disabled_at end is not null
        as is_disabled
    from profile p
    cross join merchant m
    cross join lateral (
      select p.merchant_id is not distinct from m.id and p.home_withdrawn_at is null as is_home
    ) home
    left join merchant_access a on a.profile_id = p.id and a.merchant_id = m.id
    where p.id = $1 and m.id = $2`,
  values: [profileId, merchantId, generation],
});

/**
 * Accepts the merchant's invitation. `is_accepted` is false when an invitation was accepted earlier or the merchant
 * has withdrawn the person's access. The merchant whose invitation is accepted first becomes the account's home.
 */
export const acceptInvitation = ({
  profileId,
  merchantId,
  generation,
}: AccountLink): Statement<{ is_accepted: boolean }> => ({
  text: 'select app.accept_invitation($1, $2, $3) as is_accepted',
  values: [profileId, merchantId, generation],
});

/** Returns those of the given addresses that are test recipients of the caller's merchant. */
export const findTestRecipients = (emailKeys: string[]): Statement<{ email_key: string }> => ({
  name: 'find_test_recipients',
  text: `
    select wanted.email_key from merchant m cross join unnest($1::text[]) as wanted (email_key)
    where m.id = app.merchant_id() and app.is_test_recipient(m.test_recipients, wanted.email_key)`,
  values: [emailKeys],
});
