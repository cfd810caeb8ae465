import type { LanguageCode, Role } from '../platform/vocabulary';
import { columnsOf } from '../platform/columns';
import type { AccountLink } from '../platform/link-tokens';
import type { Statement } from '../platform/statement';

/** An account of the dashboard or the coaching portal, as an invitation has to know it. */
export type AccountRow = {
  email_key: string;
  profile_id: string;
  is_admin: boolean;
  /** Its own merchant is the caller's. */
  is_home: boolean;
  /** At the caller's merchant, by its home or by its access; null: none. */
  role: string | null;
  is_active: boolean;
  /** Everywhere, by the platform. */
  is_disabled: boolean;
  /** At the caller's merchant, by its owners. */
  is_disabled_here: boolean;
  /** An owner of the caller's merchant withdrew the person's invitation or access, maybe before the present one. */
  was_withdrawn: boolean;
};

/** Accounts of these addresses on the whole platform. */
export const findAccounts = (emailKeys: string[]): Statement<AccountRow> => ({
  name: 'find_accounts',
  text: 'select * from app.find_accounts($1)',
  values: [emailKeys],
});

export type NewAccount = { role: string; email: string; email_key: string; name: string | null };

/** Makes pending accounts, sorted; answers those that nobody made meanwhile. */
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

/** Gives accounts of other merchants access, under the name this merchant gave; returns those that did not have it. */
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

/** Makes people who were withdrawn from their home, the caller's merchant, members again; for owners and admins only. */
export const readmitPeople = (
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
  /** Its own merchant is the one that invited it. */
  is_home: boolean;
  /** What it may do at the merchant that invited it; null without access, and for a link of before a withdrawal. */
  role: Role | null;
  platform_language_code: LanguageCode;
  is_active: boolean;
  is_disabled: boolean;
};

/** The account that an invitation's link names, as it stands with the merchant that invited it. */
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
 * Accepts that merchant's invitation; `is_accepted` is false where one was accepted before, or the merchant does not let
 * the person in. The merchant whose invitation is accepted first becomes the home of the account.
 */
export const acceptInvitation = ({
  profileId,
  merchantId,
  generation,
}: AccountLink): Statement<{ is_accepted: boolean }> => ({
  text: 'select app.accept_invitation($1, $2, $3) as is_accepted',
  values: [profileId, merchantId, generation],
});

/** Which of the addresses the caller's merchant lists as test recipients. */
export const findTestRecipients = (emailKeys: string[]): Statement<{ email_key: string }> => ({
  name: 'find_test_recipients',
  text: `
    select wanted.email_key from merchant m cross join unnest($1::text[]) as wanted (email_key)
    where m.id = app.merchant_id() and app.is_test_recipient(m.test_recipients, wanted.email_key)`,
  values: [emailKeys],
});
