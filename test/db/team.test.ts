import { roles } from '../../api/contracts/vocabulary';
import type { Environment, Role } from '../../api/contracts/vocabulary';
import { acceptInvitation } from '../../db/accounts';
import { claimMails } from '../../db/mails';
import type { ClaimedMail } from '../../db/mails';
import { openPool } from '../../db/pool';
import { openDoors } from '../../db/scope';
import type { Database, Requester } from '../../db/scope';
import { requestSignIn } from '../../db/sign-in-links';
import { insertSession, listSessions, revokeSession } from '../../db/access';
import type { OpenSession } from '../../db/access';
import { refreshSession } from '../../db/sessions';
import { hashSecret } from '../../db/tokens';
import { changeTeamMember, listTeamMembers } from '../../db/team';
import type { TeamChange, TeamMember, TeamOutcome } from '../../db/team';
import { merchants, people } from '../../local/seed/accounts';
import { createDatabase } from '../harness/database';
import type { TestDatabase } from '../harness/database';
import { waitFor } from '../harness/wait-for';

/* What a person may do is decided per merchant: by the home of the account, by its access, and by who opened the session. */

let database: TestDatabase;
let api: Database;
let worker: Database;
beforeAll(async () => {
  database = await createDatabase();
  api = openDoors(
    openPool({ url: database.apiUrl, size: 5, applicationName: 'team', onIdleError: () => undefined }),
  );
  worker = openDoors(
    openPool({ url: database.workerUrl, size: 1, applicationName: 'team', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await Promise.all([api.close(), worker.close()]);
  await database.drop();
});

const { main, other, sub } = merchants;
let count = 0;
type Person = { id: string; email: string };

/** A person with a home, pending unless it is `accepted`. */
async function makePerson(merchantId: string, role: Role, { accepted = true } = {}): Promise<Person> {
  const email = `person-${(count += 1)}@example.com`;
  const [row] = await database.rows<{ id: string }>(
    `insert into profile (merchant_id, role, email, email_key, activated_at)
     values ($1, $2, $3, $3, case when $4 then now() end) returning id`,
    [merchantId, role, email, accepted],
  );
  return { id: row?.id ?? '', email };
}
const giveAccess = (id: string, merchantId: string, role: string, name: string | null = null) =>
  database.rows('insert into merchant_access (merchant_id, profile_id, role, name) values ($1, $2, $3, $4)', [
    merchantId,
    id,
    role,
    name,
  ]);
const placesOf = async (id: string) => {
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
const accept = (id: string, merchantId: string) =>
  api.asCaller({ kind: 'sign_in' }, 'write', async (trx) => {
    const [row] = await trx.rows<{ is_accepted: boolean }>(acceptInvitation(id, merchantId));
    return row?.is_accepted;
  });

const ownerOf: Record<string, string> = {
  [main.id]: people.merchant_owner.id,
  [other.id]: people.other_merchant_owner.id,
};

/** A session of the person as a caller; one that is bound to a merchant was opened by its owner, or by `openedBy`. */
async function sessionOf(
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
const scopeOf = async (caller: Requester) => {
  const scope = await api.asCaller(caller, 'read', (trx) => trx.scope);
  return [scope?.merchant_id, scope?.role];
};
const change = (caller: Requester, id: string, what: Partial<TeamChange>) =>
  api.asCaller(caller, 'write', async (trx) => {
    const [row] = await trx.rows<TeamOutcome>(
      changeTeamMember(id, { role: null, disabled: null, withdraw: false, ...what }),
    );
    return row?.outcome;
  });
const ended = { code: 'PA401' };
const refused = { code: 'PA403' };

describe('a session that somebody else opened', () => {
  it('reaches the opener’s merchant and its sub-merchants, and no merchant that comes later', async () => {
    const person = await makePerson(main.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id });
    const own = await sessionOf(person.id);
    expect(await scopeOf({ ...bound, askedMerchantId: other.id })).toEqual([main.id, 'merchant']);

    await giveAccess(person.id, other.id, 'merchant_owner');
    expect(await scopeOf({ ...own, askedMerchantId: other.id })).toEqual([other.id, 'merchant_owner']);
    // The bound session has one merchant still, so merchant_id is not looked at.
    expect(await scopeOf({ ...bound, askedMerchantId: other.id })).toEqual([main.id, 'merchant']);

    await giveAccess(person.id, sub.id, 'merchant_selection');
    expect(await scopeOf({ ...bound, askedMerchantId: sub.id })).toEqual([sub.id, 'merchant_selection']);
    await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(refused);
  });

  it('ends when the opener’s merchant lets the person in no more', async () => {
    const person = await makePerson(main.id, 'merchant');
    await giveAccess(person.id, other.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id });
    await database.rows('update profile set home_withdrawn_at = now() where id = $1', [person.id]);
    await expect(scopeOf(bound)).rejects.toMatchObject(ended);
    await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(ended);
  });
});

describe('a session whose opener is no longer in charge', () => {
  const refreshed = async (sessionId: string) => {
    const token = `rt_${sessionId}_${(count += 1)}`;
    await database.rows(
      `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '1 day')`,
      [hashSecret(token), sessionId],
    );
    return api.asCaller({ kind: 'sign_in' }, 'write', (trx) => refreshSession(trx, token));
  };

  it.each([
    ['demoted', `update profile set role = 'merchant' where id = $1`],
    ['disabled at the merchant', 'update profile set home_disabled_at = now() where id = $1'],
    ['removed', 'update profile set home_withdrawn_at = now() where id = $1'],
    ['disabled by the platform', 'update profile set disabled_at = now() where id = $1'],
  ])('is refused and cannot be refreshed: %s', async (_what, statement) => {
    const opener = await makePerson(main.id, 'merchant_owner');
    const person = await makePerson(main.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id, openedBy: opener.id });
    expect(await scopeOf(bound)).toEqual([main.id, 'merchant']);
    expect(await refreshed(bound.sessionId)).toMatchObject({ session_id: bound.sessionId });
    await database.rows(statement, [opener.id]);
    await expect(scopeOf(bound)).rejects.toMatchObject(ended);
    expect(await refreshed(bound.sessionId)).toBeUndefined();
  });

  it('lives on where an admin opened it', async () => {
    const person = await makePerson(main.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id, openedBy: people.admin.id });
    expect(await scopeOf(bound)).toEqual([main.id, 'merchant']);
  });

  it('is never opened while the opener is being demoted', async () => {
    const opener = await makePerson(main.id, 'merchant_owner');
    const person = await makePerson(main.id, 'merchant');
    const caller = await sessionOf(opener.id);
    const by = await sessionOf(people.merchant_owner.id);
    let opened: Promise<unknown[]> | undefined;
    await api.asCaller(by, 'write', async (trx) => {
      const demoted = { role: 'merchant' as const, disabled: null, withdraw: false };
      expect(await trx.rows(changeTeamMember(opener.id, demoted))).toMatchObject([{ outcome: 'changed' }]);
      opened = api.asCaller(caller, 'write', (rival) =>
        rival.rows(insertSession(person.id, 'rival', Buffer.from(opener.id))),
      );
      await waitFor('the rival to wait for the demotion', async () => {
        const waiting = await database.rows(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%open_session%'
             and datname = current_database()`,
        );
        return waiting.length > 0;
      });
    });
    expect(await opened).toEqual([]);
    expect(await database.rows('select from session where opened_by = $1', [opener.id])).toEqual([]);
  });
});

describe('the role of a request', () => {
  it('is the best one at any merchant where the home makes the person a learner only', async () => {
    const person = await makePerson(other.id, 'user');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([other.id, 'user']);
    await giveAccess(person.id, main.id, 'merchant');
    await giveAccess(person.id, sub.id, 'merchant_owner');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([sub.id, 'merchant_owner']);
    expect(await scopeOf(await sessionOf(person.id, { asked: main.id }))).toEqual([main.id, 'merchant']);
    expect(await scopeOf(await sessionOf(person.id, { asked: other.id }))).toEqual([other.id, 'user']);
  });

  it('is the home’s for everybody who works there', async () => {
    const person = await makePerson(main.id, 'merchant_selection');
    await giveAccess(person.id, other.id, 'merchant_owner');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([main.id, 'merchant_selection']);
  });

  it('skips a merchant where the person is disabled', async () => {
    const person = await makePerson(main.id, 'merchant_owner');
    await giveAccess(person.id, other.id, 'merchant');
    const session = await sessionOf(person.id);
    await database.rows('update profile set home_disabled_at = now() where id = $1', [person.id]);
    expect(await scopeOf(session)).toEqual([other.id, 'merchant']);
    await expect(scopeOf({ ...session, askedMerchantId: main.id })).rejects.toMatchObject(refused);
    await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [person.id]);
    await expect(scopeOf(session)).rejects.toMatchObject(ended);
  });
});

describe('accepting an invitation', () => {
  it('moves the home of an account that nobody had accepted to that merchant', async () => {
    const person = await makePerson(other.id, 'user', { accepted: false });
    await giveAccess(person.id, main.id, 'merchant_owner');
    expect(await accept(person.id, main.id)).toBe(true);
    expect(await placesOf(person.id)).toEqual({
      home: { merchant_id: main.id, role: 'merchant_owner', is_active: true, is_withdrawn: false },
      access: [{ merchant_id: other.id, role: 'user' }],
    });
    // Once: the second invitation finds an active account.
    expect(await accept(person.id, other.id)).toBe(false);
    expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id });
  });

  it('gives the profile the name of the accepted merchant, and leaves the other name to the merchant that gave it', async () => {
    const person = await makePerson(other.id, 'user', { accepted: false });
    await database.rows('update profile set name = $2 where id = $1', [person.id, 'Win a prize']);
    await giveAccess(person.id, main.id, 'merchant', 'Ada Low');
    await accept(person.id, main.id);
    const names = await database.rows(
      `select p.name, a.name as name_elsewhere from profile p join merchant_access a on a.profile_id = p.id
       where p.id = $1`,
      [person.id],
    );
    expect(names).toEqual([{ name: 'Ada Low', name_elsewhere: 'Win a prize' }]);
  });

  it('works where the first merchant has named the person as a recruiter', async () => {
    const person = await makePerson(other.id, 'merchant', { accepted: false });
    const named = await database.rows(
      `update interview set recruiter_profile_id = $2 where merchant_id = $1 returning id`,
      [other.id, person.id],
    );
    expect(named).not.toEqual([]);
    await giveAccess(person.id, main.id, 'merchant_selection');
    expect(await accept(person.id, main.id)).toBe(true);
    expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id });
  });

  it('fails for a merchant that did not invite, that withdrew, or where the person is disabled', async () => {
    const person = await makePerson(other.id, 'user', { accepted: false });
    expect(await accept(person.id, main.id)).toBe(false);
    await database.rows('update profile set home_disabled_at = now() where id = $1', [person.id]);
    expect(await accept(person.id, other.id)).toBe(false);
    await database.rows(
      'update profile set home_disabled_at = null, home_withdrawn_at = now() where id = $1',
      [person.id],
    );
    expect(await accept(person.id, other.id)).toBe(false);
    await giveAccess(person.id, main.id, 'merchant');
    await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [person.id]);
    expect(await accept(person.id, main.id)).toBe(false);
    expect((await placesOf(person.id)).home).toMatchObject({ is_active: false });
  });
});

describe('update_team_member', () => {
  const owner = () => sessionOf(people.merchant_owner.id);
  const isAlive = async ({ sessionId }: { sessionId: string }) =>
    (await database.rows('select from session where id = $1 and revoked_at is null', [sessionId])).length ===
    1;

  it('ends the person’s sessions at this merchant, and none that another merchant opened', async () => {
    const person = await makePerson(main.id, 'merchant');
    const here = [await sessionOf(person.id), await sessionOf(person.id, { boundTo: main.id })];
    const elsewhere = await sessionOf(person.id, { boundTo: other.id });
    expect(await change(await owner(), person.id, { role: 'merchant_selection' })).toBe('changed');
    expect(await Promise.all([...here, elsewhere].map(isAlive))).toEqual([false, false, true]);
    expect((await placesOf(person.id)).home).toMatchObject({ role: 'merchant_selection' });
  });

  it('ends the sessions that the person opened for others here, and tells how many live keys it created', async () => {
    const opener = await makePerson(main.id, 'merchant_owner');
    const person = await makePerson(main.id, 'merchant');
    const opened = await sessionOf(person.id, { boundTo: main.id, openedBy: opener.id });
    const theirs = await sessionOf(person.id, { boundTo: main.id });
    const elsewhere = await sessionOf(person.id, { boundTo: other.id, openedBy: opener.id });
    await database.rows(
      `insert into service_key (merchant_id, environment, hash, created_by, revoked_at)
       select $1, 'production', sha256(($2 || n)::bytea), $2::uuid, case when n = 2 then now() end
       from generate_series(1, 2) n`,
      [main.id, opener.id],
    );
    const [outcome] = await api.asCaller(await owner(), 'write', (trx) =>
      trx.rows<TeamOutcome>(changeTeamMember(opener.id, { role: null, disabled: null, withdraw: true })),
    );
    expect(outcome).toMatchObject({ outcome: 'changed', live_service_keys: 1 });
    expect(await Promise.all([opened, theirs, elsewhere].map(isAlive))).toEqual([false, true, true]);
  });

  it('of somebody who was disabled here before: leaves the sessions for other merchants, unseen and alive', async () => {
    const person = await makePerson(main.id, 'merchant');
    await giveAccess(person.id, other.id, 'merchant');
    expect(await change(await owner(), person.id, { disabled: true })).toBe('changed');
    const elsewhere = await sessionOf(person.id);
    const caller = await owner();
    const seen = await api.asCaller(caller, 'read', (trx) => trx.rows<OpenSession>(listSessions(1_000)));
    expect(seen.map(({ profile_id }) => profile_id)).not.toContain(person.id);
    const [revoked] = await api.asCaller(caller, 'write', (trx) =>
      trx.rows<{ is_revoked: boolean }>(revokeSession(elsewhere.sessionId)),
    );
    expect(revoked).toEqual({ is_revoked: false });
    for (const what of [{ disabled: false }, { disabled: true }])
      expect(await change(await owner(), person.id, what)).toBe('changed');
    const again = await sessionOf(person.id);
    expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
    expect(await isAlive(again)).toBe(true);
  });

  it('leaves sessions alone where nothing changes', async () => {
    const person = await makePerson(main.id, 'merchant');
    const session = await sessionOf(person.id);
    expect(await change(await owner(), person.id, { role: 'merchant', disabled: false })).toBe('unchanged');
    expect(await isAlive(session)).toBe(true);
  });

  it('takes this merchant from an operator of another one, on the next request', async () => {
    const operator = await makePerson(other.id, 'merchant');
    await giveAccess(operator.id, main.id, 'merchant');
    const session = await sessionOf(operator.id, { asked: main.id });
    expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
    expect(await change(await owner(), operator.id, { disabled: true })).toBe('changed');
    // It reaches one merchant now, so merchant_id is not looked at.
    expect(await scopeOf(session)).toEqual([other.id, 'merchant']);
    expect(await change(await owner(), operator.id, { disabled: false })).toBe('changed');
    expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
    expect(await change(await owner(), operator.id, { withdraw: true })).toBe('changed');
    expect(await scopeOf(session)).toEqual([other.id, 'merchant']);
    expect((await placesOf(operator.id)).access).toEqual([]);
  });

  it('of a person of its own: disabling and removing leave what it is elsewhere', async () => {
    const person = await makePerson(main.id, 'merchant');
    await giveAccess(person.id, other.id, 'merchant');
    for (const what of [{ disabled: true }, { disabled: false }, { withdraw: true }])
      expect(await change(await owner(), person.id, what)).toBe('changed');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([other.id, 'merchant']);
    expect(await change(await owner(), person.id, { role: 'merchant_owner' })).toBe('unknown');
  });

  it('withdraws a pending invitation: the mail is not sent, and another merchant’s invitation takes its place', async () => {
    const lonely = await makePerson(main.id, 'merchant', { accepted: false });
    const wanted = await makePerson(main.id, 'merchant', { accepted: false });
    await giveAccess(wanted.id, other.id, 'mentor');
    await database.rows(
      `with batch as (
         insert into invitation_batch (merchant_id, environment, platform_language_code)
         values ($1, 'production', 'en') returning id
       )
       insert into mail (merchant_id, environment, batch_id, kind, profile_id)
       select $1, 'production', id, 'team_invitation', $2 from batch`,
      [main.id, lonely.id],
    );
    for (const { id } of [lonely, wanted])
      expect(await change(await owner(), id, { withdraw: true })).toBe('changed');
    expect(await database.rows('select state from mail where profile_id = $1', [lonely.id])).toEqual([
      { state: 'withdrawn' },
    ]);
    expect(await placesOf(lonely.id)).toMatchObject({ home: { is_withdrawn: true } });
    expect(await accept(lonely.id, main.id)).toBe(false);
    expect(await placesOf(wanted.id)).toMatchObject({
      home: { merchant_id: other.id, role: 'mentor', is_withdrawn: false },
      access: [],
    });
    expect(await accept(wanted.id, other.id)).toBe(true);
  });

  it('knows nobody of another merchant, no candidate and no admin', async () => {
    const strangers = [people.other_merchant.id, people.candidate.id, people.admin.id, main.id];
    for (const id of strangers) expect(await change(await owner(), id, { disabled: true })).toBe('unknown');
  });

  it('is nobody’s but owners’ and admins’', async () => {
    for (const person of [people.merchant, people.merchant_selection])
      expect(await change(await sessionOf(person.id), people.user.id, { disabled: true })).toBe('unknown');
    const admin = await sessionOf(people.admin.id, { asked: main.id });
    expect(await change(admin, people.user.id, { disabled: true })).toBe('changed');
  });

  it('never takes the last owner who can sign in, also when two owners demote each other at once', async () => {
    const self = people.other_merchant_owner.id;
    await database.rows(`delete from merchant_access where merchant_id = $1 and role = 'merchant_owner'`, [
      other.id,
    ]);
    for (const what of [{ role: 'merchant' as const }, { disabled: true }, { withdraw: true }])
      expect(await change(await sessionOf(self), self, what)).toBe('last_owner');
    // Neither an invited nor a disabled owner counts.
    await makePerson(other.id, 'merchant_owner', { accepted: false });
    const shut = await makePerson(other.id, 'merchant_owner');
    expect(await change(await sessionOf(self), shut.id, { disabled: true })).toBe('changed');
    expect(await change(await sessionOf(self), self, { disabled: true })).toBe('last_owner');

    const second = await makePerson(main.id, 'merchant');
    await giveAccess(second.id, other.id, 'merchant_owner');
    const [one, two] = [await sessionOf(self), await sessionOf(second.id, { asked: other.id })];
    const outcomes = await Promise.all([
      change(one, second.id, { role: 'merchant' }),
      change(two, self, { role: 'merchant' }),
    ]);
    // Who is second is the last owner, or no owner any more when it is asked.
    expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1);
    const left = await database.rows(
      `select from profile where id = $1 and role = 'merchant_owner'
       union all select from merchant_access where merchant_id = $2 and role = 'merchant_owner'`,
      [self, other.id],
    );
    expect(left).toHaveLength(1);
  });
});

describe('list_team_members', () => {
  const listFor = async (caller: Requester, text: string) =>
    api.asCaller(caller, 'read', (trx) =>
      trx.rows<TeamMember>(listTeamMembers({ roles: null, state: null, text }, 10, 0)),
    );

  it('shows of people from elsewhere the name that this merchant gave, and dates of their access only', async () => {
    const person = await makePerson(other.id, 'merchant');
    await database.rows(`update profile set name = 'Elsewhere', activated_at = '2020-01-01' where id = $1`, [
      person.id,
    ]);
    await giveAccess(person.id, main.id, 'merchant');
    const caller = await sessionOf(people.merchant_owner.id);
    const [unnamed] = await listFor(caller, person.email);
    expect(unnamed).toMatchObject({ name: null, is_home: false, state: 'active', disabled_at: null });
    expect(unnamed?.accepted_at).toEqual(unnamed?.invited_at);
    expect(await listFor(caller, 'Elsewhere')).toEqual([]);
    await database.rows(`update merchant_access set name = 'Ann Lee' where profile_id = $1`, [person.id]);
    await database.rows('update profile set disabled_at = now() where id = $1', [person.id]);
    expect(await listFor(caller, 'ann lee')).toMatchObject([
      { profile_id: person.id, name: 'Ann Lee', state: 'active', disabled_at: null },
    ]);
  });

  it('shows nobody to callers other than owners and admins', async () => {
    for (const { id } of [people.merchant, people.merchant_selection])
      expect(await listFor(await sessionOf(id), '')).toEqual([]);
    expect(await listFor(await sessionOf(people.admin.id, { asked: main.id }), '')).not.toEqual([]);
  });
});

describe('a mail', () => {
  /** The one mail of a new batch of this merchant, as the worker claims it. */
  const claim = async (merchantId: string, profileId: string, interviewId: string | null = null) => {
    const [batch] = await database.rows<{ id: string }>(
      `with batch as (
         insert into invitation_batch (merchant_id, environment, platform_language_code)
         values ($1, 'production', 'en') returning id
       ), enrolled as (
         insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
         select $1, i.environment, i.id, $2, i.id || '@example.com', i.id || '@example.com'
         from interview i where i.id = $3 returning id
       )
       insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id)
       select $1, 'production', batch.id,
         case when enrolled.id is null then 'team_invitation' else 'candidate_invitation' end, $2, enrolled.id
       from batch left join enrolled on true returning batch_id as id`,
      [merchantId, profileId, interviewId],
    );
    const mails = await worker.asWorker((trx) => trx.rows<ClaimedMail>(claimMails(batch?.id ?? '', 5)));
    expect(mails).toHaveLength(1);
    return mails[0];
  };

  it('names a person as the merchant that sends it did, and never as another merchant did', async () => {
    const person = await makePerson(other.id, 'user', { accepted: false });
    await database.rows(`update profile set name = 'Win a prize' where id = $1`, [person.id]);
    await giveAccess(person.id, main.id, 'merchant');
    expect(await claim(main.id, person.id)).toMatchObject({ name: null });
    expect(await claim(other.id, person.id)).toMatchObject({ name: 'Win a prize' });
    await database.rows(`update merchant_access set name = 'Ann Lee' where profile_id = $1`, [person.id]);
    expect(await claim(main.id, person.id)).toMatchObject({ name: 'Ann Lee' });
  });

  it.each([
    ['disabled', 'update profile set home_disabled_at = now() where id = $1'],
    ['removed', 'update profile set home_withdrawn_at = now() where id = $1'],
    ['disabled by the platform', 'update profile set disabled_at = now() where id = $1'],
  ])('names the recruiter, and none who was %s', async (_what, statement) => {
    const recruiter = await makePerson(main.id, 'merchant');
    const [candidate, late] = [
      await makePerson(main.id, 'candidate'),
      await makePerson(main.id, 'candidate'),
    ];
    const [interview] = await database.rows<{ id: string }>(
      `update interview set recruiter_profile_id = $2
       where id = (
         select i.id from interview i where i.merchant_id = $1 and i.environment = 'production'
           and not exists (select from position_step s where s.interview_id = i.id) limit 1
       ) returning id`,
      [main.id, recruiter.id],
    );
    const id = interview?.id ?? '';
    expect(await claim(main.id, candidate.id, id)).toMatchObject({
      enrolment: { recruiter_email: recruiter.email },
    });
    await database.rows('delete from mail where profile_id = $1', [candidate.id]);
    await database.rows('delete from enrolment where profile_id = $1', [candidate.id]);
    await database.rows(statement, [recruiter.id]);
    expect(await claim(main.id, late.id, id)).toMatchObject({
      enrolment: { recruiter_name: null, recruiter_email: null },
    });
    await database.rows('delete from mail where profile_id = $1', [late.id]);
    await database.rows('delete from enrolment where profile_id = $1', [late.id]);
  });
});

describe('request_sign_in', () => {
  const ask = (email: string, environment: Environment) =>
    api.asCaller({ kind: 'sign_in' }, 'write', (trx) => trx.rows(requestSignIn(email, environment)));
  const links = async ({ id }: Person, environment: Environment) =>
    (
      await database.rows('select from sign_in_link where profile_id = $1 and environment = $2', [
        id,
        environment,
      ])
    ).length;
  const age = ({ id }: Person, minutes: number) =>
    database.rows(
      `update sign_in_link set created_at = created_at - $2 * interval '1 minute' where profile_id = $1`,
      [id, minutes],
    );

  it('counts each environment for itself', async () => {
    const person = await makePerson(main.id, 'merchant');
    for (let time = 0; time < 7; time++) await ask(person.email, 'demo');
    await ask(person.email, 'production');
    expect([await links(person, 'demo'), await links(person, 'production')]).toEqual([5, 1]);
  });

  it('beyond five in an hour mails one each ten minutes, and at once where the last link was used', async () => {
    const person = await makePerson(main.id, 'merchant');
    for (let time = 0; time < 7; time++) await ask(person.email, 'production');
    await age(person, 9);
    await ask(person.email, 'production');
    expect(await links(person, 'production')).toBe(5);
    await age(person, 2);
    for (let time = 0; time < 3; time++) await ask(person.email, 'production');
    expect(await links(person, 'production')).toBe(6);
    await database.rows('update sign_in_link set used_at = now() where profile_id = $1', [person.id]);
    await ask(person.email, 'production');
    expect(await links(person, 'production')).toBe(7);
  });

  it('mails whoever has a role for the console at any merchant, and nobody else', async () => {
    const learner = await makePerson(other.id, 'user');
    await ask(learner.email, 'production');
    expect(await links(learner, 'production')).toBe(0);
    await giveAccess(learner.id, main.id, 'merchant_selection');
    await ask(learner.email, 'production');
    expect(await links(learner, 'production')).toBe(1);
    await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [learner.id]);
    await ask(learner.email, 'production');
    expect(await links(learner, 'production')).toBe(1);
  });
});
