import { insertSession, listColleagues, listSessions, revokeSession } from '../../../db/identity/access';
import type { OpenSession } from '../../../db/identity/access';
import { listTeamMembers } from '../../../db/identity/team';
import { checkReferences } from '../../../db/interviews/interview-building';
import { people } from '../../../local/seed/accounts';
import {
  accept,
  api,
  change,
  database,
  giveAccess,
  invite,
  main,
  makePerson,
  other,
  placesOf,
  scopeOf,
  sessionOf,
  useTeamDatabase,
} from './team-fixture';

useTeamDatabase();

/*
 * Tests how people accept invitations, and how people are invited again after an owner withdrew them
 * (docs/identity.md#changing-the-team).
 */

const owner = () => sessionOf(people.merchant_owner.id);

describe('a colleague who was withdrawn', () => {
  it('is a full member with role, home and sessions again after an owner’s invitation', async () => {
    const person = await makePerson(main.id, 'merchant_selection');
    expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
    expect(await invite(await owner(), person, 'merchant')).toMatchObject({
      code: 'invited',
      profile_id: person.id,
      mail: { kind: 'team_invitation' },
    });
    expect(await placesOf(person.id)).toEqual({
      home: { merchant_id: main.id, role: 'merchant', is_active: true, is_withdrawn: false },
      access: [],
    });
    const caller = await owner();
    const read = await api.read(caller, async (trx) => ({
      members: await trx.rows(listTeamMembers({ roles: null, state: null, text: person.email }, 10, 0)),
      colleagues: await trx.rows(listColleagues(1_000)),
      references: await trx.rows(checkReferences(null, null, person.id)),
    }));
    expect(read.members).toMatchObject([{ is_home: true, state: 'active', name: 'New name' }]);
    expect(read.colleagues).toContainEqual(expect.objectContaining({ id: person.id }));
    expect(read.references).toMatchObject([{ recruiter_known: true }]);

    const own = await sessionOf(person.id);
    expect(await scopeOf(own)).toEqual([main.id, 'merchant']);
    const [opened] = await api.write(caller, (trx) =>
      trx.rows(insertSession(person.id, 'For a colleague', Buffer.from(person.id))),
    );
    const seen = await api.read(caller, (trx) => trx.rows<OpenSession>(listSessions(1_000)));
    const ids = seen.filter(({ profile_id }) => profile_id === person.id).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([own.sessionId, opened?.session_id]));
    expect(await api.write(caller, (trx) => trx.rows(revokeSession(own.sessionId)))).toEqual([
      { is_revoked: true },
    ]);
  });

  it.each([
    ['home', 'invited'],
    ['access', 'sub_merchant_added'],
  ])('can be invited again by owners and admins only (withdrawn from the %s)', async (where, code) => {
    const person = await makePerson(where === 'home' ? main.id : other.id, 'merchant');
    if (where === 'access') await giveAccess(person.id, main.id, 'merchant');
    expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
    const before = await placesOf(person.id);
    const recruiter = await sessionOf(people.merchant.id);
    expect(await invite(recruiter, person, 'merchant', false)).toMatchObject({
      result: 'Error: An owner withdrew this person, so only an owner can invite the person again.',
      code: 'owner_required',
      profile_id: null,
    });
    expect(await placesOf(person.id)).toEqual(before);
    const admin = await sessionOf(people.admin.id, { asked: main.id });
    expect(await invite(admin, person, 'merchant')).toMatchObject({ code });
    expect(await scopeOf(await sessionOf(person.id, { asked: main.id }))).toEqual([main.id, 'merchant']);
    // The person belongs to the merchant again, so every further invitation finds an active account.
    expect(await invite(recruiter, person, 'merchant', false)).toMatchObject({ code: 'activated' });
  });
});

describe('accepting an invitation', () => {
  it('moves the home of an account that was never accepted to that merchant', async () => {
    const person = await makePerson(other.id, 'user', { accepted: false });
    await giveAccess(person.id, main.id, 'merchant_owner');
    expect(await accept(person.id, main.id)).toBe(true);
    expect(await placesOf(person.id)).toEqual({
      home: { merchant_id: main.id, role: 'merchant_owner', is_active: true, is_withdrawn: false },
      access: [{ merchant_id: other.id, role: 'user' }],
    });
    // Only the first acceptance changes the person's home merchant. At the second acceptance, the account is already
    // active.
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

  it('works when the first merchant has named the person as a recruiter', async () => {
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

  it('fails for a merchant that did not invite or withdrew, and where the person is disabled', async () => {
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

describe('an invitation that was withdrawn', () => {
  it.each(['home', 'access'])(
    'leaves its links invalid after the next invitation (to the %s of a new account)',
    async (where) => {
      const person = await makePerson(where === 'home' ? main.id : other.id, 'merchant', { accepted: false });
      if (where === 'access') await giveAccess(person.id, main.id, 'merchant');
      for (const generation of [1, 2]) {
        expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
        expect(await accept(person.id, main.id, generation)).toBe(false);
        await invite(await owner(), person, 'merchant');
        expect(await accept(person.id, main.id, generation - 1)).toBe(false);
      }
      expect(await accept(person.id, main.id, 2)).toBe(true);
      expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id, is_active: true });
    },
  );

  it('ends no link of another merchant', async () => {
    const person = await makePerson(main.id, 'merchant', { accepted: false });
    await giveAccess(person.id, other.id, 'merchant');
    expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
    expect(await accept(person.id, other.id)).toBe(true);
  });
});

it('lets people of other merchants be recruiters while this merchant gives them access', async () => {
  const person = await makePerson(other.id, 'merchant_selection');
  const isRecruiter = async () => {
    const [row] = await api.read(await owner(), (trx) => trx.rows(checkReferences(null, null, person.id)));
    return row?.recruiter_known;
  };
  expect(await isRecruiter()).toBe(false);
  await giveAccess(person.id, main.id, 'merchant');
  expect(await isRecruiter()).toBe(true);
  await database.rows(`update merchant_access set role = 'merchant_selection' where profile_id = $1`, [
    person.id,
  ]);
  expect(await isRecruiter()).toBe(false);
});
