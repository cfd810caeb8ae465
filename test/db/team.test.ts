import { roles } from '../../api/contracts/vocabulary';
import type { Environment, Role } from '../../api/contracts/vocabulary';
import { acceptInvitation } from '../../db/accounts';
import { openPool } from '../../db/pool';
import { openDoors } from '../../db/scope';
import type { Database, Requester } from '../../db/scope';
import { requestSignIn } from '../../db/sign-in-links';
import { changeTeamMember } from '../../db/team';
import type { TeamChange, TeamOutcome } from '../../db/team';
import { merchants, people } from '../../local/seed/accounts';
import { createDatabase } from '../harness/database';
import type { TestDatabase } from '../harness/database';

/* What a person may do is decided per merchant: by the home of the account, by its access, and by who opened the session. */

let database: TestDatabase;
let api: Database;
beforeAll(async () => {
  database = await createDatabase();
  api = openDoors(
    openPool({ url: database.apiUrl, size: 5, applicationName: 'team', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await api.close();
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
const giveAccess = (id: string, merchantId: string, role: string) =>
  database.rows('insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, $3)', [
    merchantId,
    id,
    role,
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

/** A session of the person as a caller, bound to a merchant where one is named. */
async function sessionOf(
  id: string,
  { boundTo = null, asked = null }: { boundTo?: string | null; asked?: string | null } = {},
): Promise<Extract<Requester, { kind: 'user_session' }>> {
  const [row] = await database.rows<{ session_id: string; role: Role; merchant_id: string | null }>(
    `with opened as (
       insert into session (profile_id, environment, bound_merchant_id) values ($1, 'production', $2) returning id
     )
     select opened.id as session_id, p.role, p.merchant_id from opened, profile p where p.id = $1`,
    [id, boundTo],
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
