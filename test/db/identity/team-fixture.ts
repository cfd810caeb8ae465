import { inviteAccounts } from '../../../api/people/invite-accounts';
import type { AccountType } from '../../../api/people/invite-accounts';
import { openMailLimit } from '../../../api/people/mail-limit';
import { acceptInvitation } from '../../../db/identity/accounts';
import { changeTeamMember } from '../../../db/identity/team';
import type { TeamChange, TeamMemberOutcome } from '../../../db/identity/team';
import type { Database, Requester } from '../../../db/platform/database';
import { roles } from '../../../db/platform/vocabulary';
import type { Environment, Role } from '../../../db/platform/vocabulary';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';

/*
 * Helpers for tests of a person's rights at a merchant. The rights depend on the home merchant of the account, on the
 * account's access to the merchant, and on who opened the session.
 */

export let database: TestDatabase;
export let api: Database;
export let worker: Database;

/** Creates a database before the tests of the file that calls this function, and drops it after them. */
export function useTeamDatabase(): void {
  beforeAll(async () => {
    database = await createDatabase();
    [api, worker] = [openTestDatabase(database.apiUrl, 5), openTestDatabase(database.workerUrl, 1)];
  });
}

export const { main, other, sub } = merchants;
let count = 0;
export type Person = { id: string; email: string };

/** Creates a person whose home merchant has this id. The account is pending if `accepted` is false. */
export async function makePerson(merchantId: string, role: Role, { accepted = true } = {}): Promise<Person> {
  const email = `person-${(count += 1)}@example.com`;
  const [row] = await database.rows<{ id: string }>(
    `insert into profile (merchant_id, role, email, email_key, activated_at)
     values ($1, $2, $3, $3, case when $4 then now() end) returning id`,
    [merchantId, role, email, accepted],
  );
  return { id: row?.id ?? '', email };
}
export const giveAccess = (id: string, merchantId: string, role: string, name: string | null = null) =>
  database.rows('insert into merchant_access (merchant_id, profile_id, role, name) values ($1, $2, $3, $4)', [
    merchantId,
    id,
    role,
    name,
  ]);
export const placesOf = async (id: string) => {
  const [home] = await database.rows(
    `select merchant_id, role, activated_at is not null as is_active, home_withdrawn_at is not null as is_withdrawn
     from profile where id = $1`,
    [id],
  );
  const access = await database.rows(
    'select merchant_id, role from merchant_access where profile_id = $1 order by merchant_id',
    [id],
  );
  return { home, access };
};
export const accept = (profileId: string, merchantId: string, generation = 0) =>
  api.write({ kind: 'sign_in' }, async (trx) => {
    const [row] = await trx.rows<{ is_accepted: boolean }>(
      acceptInvitation({ profileId, merchantId, generation }),
    );
    return row?.is_accepted;
  });

export const ownerOf: Record<string, string> = {
  [main.id]: people.merchant_owner.id,
  [other.id]: people.other_merchant_owner.id,
};

/**
 * Creates a session of the person. If `boundTo` is a merchant, the session is bound to it and was opened by
 * `openedBy`, by default the owner of that merchant.
 */
export async function sessionOf(
  id: string,
  {
    boundTo = null,
    asked = null,
    openedBy = ownerOf[boundTo ?? ''] ?? null,
  }: { boundTo?: string | null; asked?: string | null; openedBy?: string | null } = {},
): Promise<Extract<Requester, { kind: 'user_session' }>> {
  const [row] = await database.rows<{ session_id: string; role: Role; merchant_id: string | null }>(
    `with opened as (
       insert into session (profile_id, environment, bound_merchant_id, opened_by)
       values ($1, 'production', $2, $3) returning id
     )
     select opened.id as session_id, p.role, p.merchant_id from opened, profile p where p.id = $1`,
    [id, boundTo, openedBy],
  );
  if (!row) throw new Error('there is no such person');
  return {
    kind: 'user_session',
    sessionId: row.session_id,
    profileId: id,
    role: row.role,
    homeMerchantId: row.merchant_id,
    environment: 'production' as Environment,
    askedMerchantId: asked,
    roles,
    needsMerchant: true,
  };
}
export const scopeOf = async (caller: Requester) => {
  const scope = await api.read(caller, (trx) => trx.scope());
  return [scope.merchant_id, scope.role];
};
export const change = (caller: Requester, id: string, what: Partial<TeamChange>) =>
  api.write(caller, async (trx) => {
    const [row] = await trx.rows<TeamMemberOutcome>(
      changeTeamMember(id, { role: null, disabled: null, withdraw: false, ...what }),
    );
    return row?.outcome;
  });
/** Invites a person to the merchant of the caller. */
export const invite = (caller: Requester, { email }: Person, type: AccountType, isOwner = true) =>
  api.write(caller, async (trx) => {
    const mails = await openMailLimit(trx, [email]);
    const settings = { force: false, language: 'en', perDay: 1_000, isOwner, mails };
    const [row] = await inviteAccounts(trx, [{ email, email_key: email, name: 'New name', type }], settings);
    return row;
  });
export const ended = { code: 'PA401' };
export const refused = { code: 'PA403' };
/** Waits until a call of the database function with this name waits for a lock. */
export const waitForLock = (name: string) =>
  waitFor(`a call of ${name} to wait`, async () => {
    const waiting = await database.rows(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'
         and datname = current_database() and pid <> pg_backend_pid()`,
      [name],
    );
    return waiting.length > 0;
  });
