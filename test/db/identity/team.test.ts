import { insertSession } from '../../../db/identity/access';
import { requestSignIn } from '../../../db/identity/sign-in-links';
import { changeTeamMember } from '../../../db/identity/team';
import { refreshSession } from '../../../db/platform/sessions';
import { hashSecret } from '../../../db/platform/tokens';
import type { Environment } from '../../../db/platform/vocabulary';
import { people } from '../../../local/seed/accounts';
import {
  database,
  api,
  main,
  other,
  sub,
  makePerson,
  giveAccess,
  accept,
  sessionOf,
  scopeOf,
  ended,
  refused,
  waitForLock,
  useTeamDatabase,
} from './team-fixture';
import type { Person } from './team-fixture';

useTeamDatabase();

describe('a session that an owner or admin opened for another person', () => {
  it('reaches the merchant of the opener and its sub-merchants, and no merchant that gives access later', async () => {
    const person = await makePerson(main.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id });
    const own = await sessionOf(person.id);
    expect(await scopeOf({ ...bound, askedMerchantId: other.id })).toEqual([main.id, 'merchant']);
    expect(await scopeOf({ ...bound, askedMerchantId: 'nonsense' })).toEqual([main.id, 'merchant']);

    await giveAccess(person.id, other.id, 'merchant_owner');
    expect(await scopeOf({ ...own, askedMerchantId: other.id })).toEqual([other.id, 'merchant_owner']);
    // The person has access to `other` now, but this session is bound to `main`.
    await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(refused);
    expect(await scopeOf({ ...bound, askedMerchantId: 'nonsense' })).toEqual([main.id, 'merchant']);

    await giveAccess(person.id, sub.id, 'merchant_selection');
    expect(await scopeOf({ ...bound, askedMerchantId: sub.id })).toEqual([sub.id, 'merchant_selection']);
    await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(refused);
  });

  it('ends when the merchant of the opener ends the access of the person', async () => {
    const person = await makePerson(main.id, 'merchant');
    await giveAccess(person.id, other.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id });
    await database.rows('update profile set home_withdrawn_at = now() where id = $1', [person.id]);
    await expect(scopeOf(bound)).rejects.toMatchObject(ended);
    await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(ended);
  });
});

describe('merchant_id of a person with an unaccepted invitation', () => {
  it('counts if it names the inviting merchant, and is ignored otherwise', async () => {
    const person = await makePerson(main.id, 'merchant', { accepted: false });
    await giveAccess(person.id, other.id, 'merchant_selection');
    expect(await accept(person.id, main.id)).toBe(true);
    const session = await sessionOf(person.id);
    expect(await scopeOf({ ...session, askedMerchantId: other.id })).toEqual([
      other.id,
      'merchant_selection',
    ]);
    for (const askedMerchantId of ['nonsense', sub.id])
      expect(await scopeOf({ ...session, askedMerchantId })).toEqual([main.id, 'merchant']);
  });
});

describe('a session whose opener lost the role', () => {
  let count = 0;
  const refreshed = async (sessionId: string) => {
    const token = `rt_${sessionId}_${(count += 1)}`;
    await database.rows(
      `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '1 day')`,
      [hashSecret(token), sessionId],
    );
    return api.write({ kind: 'sign_in' }, (trx) => refreshSession(trx, token));
  };

  it.each([
    ['demoted', `update profile set role = 'merchant' where id = $1`],
    ['disabled at the merchant', 'update profile set home_disabled_at = now() where id = $1'],
    ['removed', 'update profile set home_withdrawn_at = now() where id = $1'],
    ['disabled by the platform', 'update profile set disabled_at = now() where id = $1'],
  ])('is rejected and cannot be refreshed: %s', async (_what, statement) => {
    const opener = await makePerson(main.id, 'merchant_owner');
    const person = await makePerson(main.id, 'merchant');
    const bound = await sessionOf(person.id, { boundTo: main.id, openedBy: opener.id });
    expect(await scopeOf(bound)).toEqual([main.id, 'merchant']);
    expect(await refreshed(bound.sessionId)).toMatchObject({ session_id: bound.sessionId });
    await database.rows(statement, [opener.id]);
    await expect(scopeOf(bound)).rejects.toMatchObject(ended);
    expect(await refreshed(bound.sessionId)).toBeUndefined();
  });

  it('stays valid if the opener is an admin, who has no role at the merchant', async () => {
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
    await api.write(by, async (trx) => {
      const demoted = { role: 'merchant' as const, disabled: null, withdraw: false };
      expect(await trx.rows(changeTeamMember(opener.id, demoted))).toMatchObject([{ outcome: 'changed' }]);
      opened = api.write(caller, (rival) =>
        rival.rows(insertSession(person.id, 'rival', Buffer.from(opener.id))),
      );
      await waitForLock('open_session');
    });
    expect(await opened).toEqual([]);
    expect(await database.rows('select from session where opened_by = $1', [opener.id])).toEqual([]);
  });
});

it('replaces the least recently used of twenty sessions when the console opens another one', async () => {
  const person = await makePerson(main.id, 'merchant');
  const caller = await sessionOf(person.id);
  const open = (index: number) =>
    api.write(caller, async (trx) => {
      const [row] = await trx.rows<{ session_id: string }>(
        insertSession(person.id, `session ${index}`, Buffer.from(`${person.id} ${index}`)),
      );
      return row?.session_id;
    });
  const live = async () =>
    (
      await database.rows<{ id: string }>(
        'select id from session where profile_id = $1 and opened_by is not null and revoked_at is null',
        [person.id],
      )
    ).map(({ id }) => id);
  const ids: (string | undefined)[] = [];
  for (let index = 0; index < 20; index++) ids.push(await open(index));
  expect(new Set(await live())).toEqual(new Set(ids));
  await database.rows('update session set last_used_at = now() where id = $1', [ids[0]]);
  const last = await open(20);
  expect(new Set(await live())).toEqual(new Set([...ids.filter((id) => id !== ids[1]), last]));
  // The caller's own session has no `opened_by`, so it is not one of the twenty and stays valid.
  expect(await scopeOf(caller)).toEqual([main.id, 'merchant']);
});

describe('the role of a request', () => {
  it('is a team role elsewhere when the home makes the person a learner only', async () => {
    const person = await makePerson(sub.id, 'user');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([sub.id, 'user']);
    // `first` has the higher id, so that an order by id would choose the other merchant.
    const [first, second] = main.id > other.id ? [main, other] : [other, main];
    await giveAccess(person.id, first.id, 'merchant_selection');
    await giveAccess(person.id, second.id, 'merchant_owner');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([first.id, 'merchant_selection']);
    expect(await scopeOf(await sessionOf(person.id, { asked: second.id }))).toEqual([
      second.id,
      'merchant_owner',
    ]);
    expect(await scopeOf(await sessionOf(person.id, { asked: sub.id }))).toEqual([sub.id, 'user']);
  });

  it('does not move to a merchant that first gave a learner’s role and raised it later', async () => {
    const person = await makePerson(sub.id, 'user');
    for (const [first, second] of [
      [main, other],
      [other, main],
    ] as const) {
      await giveAccess(person.id, first.id, 'user');
      await giveAccess(person.id, second.id, 'merchant');
      await database.rows(
        `update merchant_access set role = 'merchant_owner' where profile_id = $1 and merchant_id = $2`,
        [person.id, first.id],
      );
      expect(await scopeOf(await sessionOf(person.id))).toEqual([second.id, 'merchant']);
      await database.rows('delete from merchant_access where profile_id = $1', [person.id]);
    }
  });

  it('does not move to a merchant whose earlier invitation the person did not accept', async () => {
    for (const [stranger, employer] of [
      [main, other],
      [other, main],
    ] as const) {
      const person = await makePerson(stranger.id, 'merchant_owner', { accepted: false });
      await giveAccess(person.id, sub.id, 'user');
      expect(await accept(person.id, sub.id)).toBe(true);
      await giveAccess(person.id, employer.id, 'merchant');
      expect(await scopeOf(await sessionOf(person.id))).toEqual([employer.id, 'merchant']);
    }
  });

  it('is the role at the home for everybody who works there', async () => {
    const person = await makePerson(main.id, 'merchant_selection');
    await giveAccess(person.id, other.id, 'merchant_owner');
    expect(await scopeOf(await sessionOf(person.id))).toEqual([main.id, 'merchant_selection']);
  });

  it('ignores a merchant where the person is disabled', async () => {
    const person = await makePerson(main.id, 'merchant_owner');
    await giveAccess(person.id, other.id, 'merchant');
    const session = await sessionOf(person.id);
    await database.rows('update profile set home_disabled_at = now() where id = $1', [person.id]);
    for (const asked of [null, main.id, other.id])
      await expect(scopeOf({ ...session, askedMerchantId: asked })).rejects.toMatchObject(ended);
    const elsewhere = await sessionOf(person.id);
    expect(await scopeOf(elsewhere)).toEqual([other.id, 'merchant']);
    await expect(scopeOf({ ...elsewhere, askedMerchantId: main.id })).rejects.toMatchObject(refused);
    await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [person.id]);
    await expect(scopeOf(elsewhere)).rejects.toMatchObject(ended);
  });
});

describe('request_sign_in', () => {
  const ask = (email: string, environment: Environment) =>
    api.write({ kind: 'sign_in' }, (trx) => trx.rows(requestSignIn(email, environment)));
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

  it('counts each environment separately', async () => {
    const person = await makePerson(main.id, 'merchant');
    for (let time = 0; time < 7; time++) await ask(person.email, 'demo');
    await ask(person.email, 'production');
    expect([await links(person, 'demo'), await links(person, 'production')]).toEqual([5, 1]);
  });

  it('sends one mail every ten minutes after five in an hour, and at once if the last link was used', async () => {
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

  it('mails everybody who has a role for the console at any merchant, and nobody else', async () => {
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
