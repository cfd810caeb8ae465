import { randomBytes } from 'node:crypto';
import { insertSession, listSessions, revokeSession } from '../../../db/identity/access';
import type { OpenSession } from '../../../db/identity/access';
import { findSignInLink, consumeSignInLink } from '../../../db/identity/sign-in-links';
import type { SignInLink } from '../../../db/identity/sign-in-links';
import { changeTeamMember } from '../../../db/identity/team';
import type { TeamChange } from '../../../db/identity/team';
import { withAdminConnection } from '../../../db/platform/credentials';
import type { Transaction } from '../../../db/platform/database';
import { refreshSession } from '../../../db/platform/sessions';
import { hashSecret } from '../../../db/platform/tokens';
import { waitFor } from '../../harness/wait-for';
import {
  atOther,
  byMain,
  byOther,
  enterConsole,
  mainOwner,
  makeLink,
  otherOwner,
  placeOfNewSession,
  workAtOther,
} from './default-merchant-fixture';
import {
  accept,
  api,
  change,
  database,
  ended,
  giveAccess,
  invite,
  main,
  makePerson,
  other,
  scopeOf,
  sessionOf,
  sub,
  useTeamDatabase,
} from './team-fixture';

describe('default merchant', () => {
  useTeamDatabase();

  /*
   * Tests which merchant a call without `merchant_id` is about (docs/identity.md#which-merchant-a-call-is-about). The
   * person's account belongs to `main` (the home merchant), and the person also works for `other`. Whatever an owner of
   * `main` changes, the person's calls stay at `other`.
   */

  const refresh = async (sessionId: string) => {
    const token = `rt_${randomBytes(8).toString('hex')}`;
    await database.rows(
      `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '1 day')`,
      [hashSecret(token), sessionId],
    );
    return api.write({ kind: 'sign_in' }, (trx) => refreshSession(trx, token));
  };

  describe('a person who works for another merchant than the home', () => {
    it('keeps acting there when the home disables, promotes and enables its learner', async () => {
      const person = await workAtOther('user');
      const before = await sessionOf(person.id);
      expect(await byMain(person, { disabled: true })).toBe('changed');
      expect(await byMain(person, { role: 'merchant' })).toBe('changed');
      const [token, page] = [await sessionOf(person.id), await enterConsole(person)];
      expect(await byMain(person, { disabled: false })).toBe('changed');
      for (const session of [before, token]) expect(await scopeOf(session)).toEqual(atOther);
      expect(await page()).toEqual(atOther);
      expect(await placeOfNewSession(person)).toEqual(atOther);
      // Only a call that names the home merchant in `merchant_id` acts there, with the person's new role.
      expect(await scopeOf({ ...token, askedMerchantId: main.id })).toEqual([main.id, 'merchant']);
    });

    it('keeps acting there when the home enables its recruiter, who signed in there meanwhile', async () => {
      const person = await workAtOther('merchant');
      const atHome = await sessionOf(person.id);
      expect(await scopeOf(atHome)).toEqual([main.id, 'merchant']);
      await byMain(person, { disabled: true });
      await expect(scopeOf(atHome)).rejects.toMatchObject(ended);
      const [token, page] = [await sessionOf(person.id), await enterConsole(person)];
      await byMain(person, { disabled: false });
      await expect(scopeOf(atHome)).rejects.toMatchObject(ended);
      expect(await scopeOf(token)).toEqual(atOther);
      expect(await page()).toEqual(atOther);
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });

    it.each([
      ['who signed in there meanwhile', true],
      ['who did not sign in meanwhile', false],
    ])('acts there after the home withdrew and invited its recruiter again, %s', async (_what, signsIn) => {
      const person = await workAtOther('merchant');
      expect(await placeOfNewSession(person)).toEqual([main.id, 'merchant']);
      await byMain(person, { withdraw: true });
      const live = signsIn ? await sessionOf(person.id) : undefined;
      for (const role of ['merchant', 'merchant_selection'] as const) {
        expect(await invite(await mainOwner(), person, role)).toMatchObject({ code: 'invited' });
        if (live) expect(await scopeOf(live)).toEqual(atOther);
        expect(await placeOfNewSession(person)).toEqual(atOther);
        await byMain(person, { withdraw: true });
      }
    });

    it.each([
      ['who is signed in', true],
      ['who signs in later', false],
    ])('keeps acting there when the home makes its learner an owner, %s', async (_what, signsIn) => {
      const person = await workAtOther('user');
      const live = signsIn ? await sessionOf(person.id) : undefined;
      expect(await byMain(person, { role: 'merchant_owner' })).toBe('changed');
      if (live) {
        // A token contains the person's role at the home merchant, but calls with the old and with the new token act at
        // `other`.
        expect(await scopeOf(live)).toEqual(atOther);
        const next = await refresh(live.sessionId);
        expect(next).toMatchObject({ role: 'merchant_owner', merchant_id: main.id });
        expect(await scopeOf({ ...live, role: 'merchant_owner' })).toEqual(atOther);
      }
      expect(await placeOfNewSession(person)).toEqual(atOther);
      expect(await (await enterConsole(person))()).toEqual(atOther);
    });

    it('acts there after the home demoted its recruiter and made the person a recruiter again', async () => {
      const person = await workAtOther('merchant');
      expect(await placeOfNewSession(person)).toEqual([main.id, 'merchant']);
      await byMain(person, { role: 'mentor' });
      await byMain(person, { role: 'merchant' });
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });

    it('keeps acting there when the home opens a session for the person', async () => {
      const person = await workAtOther('user');
      const live = await sessionOf(person.id);
      await byMain(person, { role: 'merchant' });
      expect(await scopeOf(await sessionOf(person.id, { boundTo: main.id }))).toEqual([main.id, 'merchant']);
      expect(await scopeOf(live)).toEqual(atOther);
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });
  });

  describe('a session that is used at another merchant than the home', () => {
    it('is not ended by any change that the home makes to the person', async () => {
      const person = await workAtOther('user');
      const [token, page] = [await sessionOf(person.id), await enterConsole(person)];
      const changes = [
        { role: 'mentor' },
        { role: 'user' },
        { role: 'merchant' },
        { role: 'merchant_owner' },
        { disabled: true },
        { role: 'user' },
        { disabled: false },
        { withdraw: true },
      ] as const;
      for (const what of changes) {
        expect(await byMain(person, what)).toBe('changed');
        expect(await scopeOf(token)).toEqual(atOther);
        expect(await page()).toEqual(atOther);
        expect(await refresh(token.sessionId)).toMatchObject({ session_id: token.sessionId });
      }
    });

    it('is not ended when the home revokes it or opens twenty sessions for the person', async () => {
      const person = await workAtOther('user');
      const live = await sessionOf(person.id);
      const [opened] = await api.write(live, (trx) =>
        trx.rows(insertSession(person.id, 'Importer', randomBytes(32))),
      );
      await byMain(person, { role: 'merchant' });
      const owner = await mainOwner();
      const seen = await api.read(owner, (trx) => trx.rows<OpenSession>(listSessions(1_000)));
      expect(seen.filter(({ profile_id }) => profile_id === person.id)).toEqual([]);
      expect(await api.write(owner, (trx) => trx.rows(revokeSession(live.sessionId)))).toEqual([
        { is_revoked: false },
      ]);
      for (let index = 0; index < 20; index++)
        await api.write(owner, (trx) => trx.rows(insertSession(person.id, 'Bound', randomBytes(32))));
      expect(await scopeOf({ ...live, sessionId: opened?.session_id ?? '' })).toEqual(atOther);
      // The list of the person's own sessions has all 22 sessions.
      const own = await api.read(live, (trx) => trx.rows<OpenSession>(listSessions(1_000)));
      expect(own.filter(({ profile_id }) => profile_id === person.id)).toHaveLength(22);
    });
  });

  describe('a session', () => {
    it.each([
      ['disables the person', { disabled: true }],
      ['withdraws the person', { withdraw: true }],
      ['makes the person a learner', { role: 'user' as const }],
    ])('ends when its merchant %s, and the next one is at the home', async (_what, what) => {
      const person = await workAtOther('user');
      const session = await sessionOf(person.id);
      const page = await enterConsole(person);
      await byMain(person, { role: 'merchant' });
      expect(await byOther(person, what)).toBe('changed');
      await expect(scopeOf(session)).rejects.toMatchObject(ended);
      await expect(scopeOf({ ...session, askedMerchantId: main.id })).rejects.toMatchObject(ended);
      expect(await page()).toBe('signed out');
      expect(await refresh(session.sessionId)).toBeUndefined();
      expect(await placeOfNewSession(person)).toEqual([main.id, 'merchant']);
    });

    it('of a learner stays at the home when another merchant gives access, and ends when the home changes the role', async () => {
      const person = await makePerson(main.id, 'user');
      const session = await sessionOf(person.id);
      await giveAccess(person.id, other.id, 'merchant');
      expect(await scopeOf(session)).toEqual([main.id, 'user']);
      await byMain(person, { role: 'mentor' });
      await expect(scopeOf(session)).rejects.toMatchObject(ended);
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });

    it.each([
      ['becomes', 'admin', 'user'],
      ['is no longer', 'merchant', 'admin'],
    ] as const)('ends when the person %s an admin', async (_what, role, claimed) => {
      const person = await workAtOther('user');
      const session = await sessionOf(person.id);
      await database.rows('update profile set role = $2 where id = $1', [person.id, role]);
      await expect(scopeOf({ ...session, role: claimed })).rejects.toMatchObject(ended);
    });

    it('is opened at the merchant that the page of the sign-in link names', async () => {
      const person = await workAtOther('user');
      await sessionOf(person.id);
      await byMain(person, { role: 'merchant_owner' });
      const link = await makeLink(person.id);
      const [read] = await api.query<SignInLink>({ kind: 'sign_in' }, findSignInLink(link));
      expect(read).toMatchObject({ role: 'merchant', merchant_name: other.name });
    });
  });

  describe('an invitation that the person did not accept', () => {
    const toggle = async (id: string, merchantId: string) => {
      for (const role of ['user', 'merchant'])
        await database.rows(
          'update merchant_access set role = $3 where profile_id = $1 and merchant_id = $2',
          [id, merchantId, role],
        );
    };

    it.each(['first', 'second'])(
      'is the last choice for the default merchant, also after its role was changed, when it was the %s one',
      async (place) => {
        const [inviter, admitting] = place === 'first' ? [main.id, sub.id] : [sub.id, main.id];
        const person = await makePerson(inviter, 'merchant', { accepted: false });
        await giveAccess(person.id, admitting, place === 'first' ? 'user' : 'merchant');
        if (place === 'second')
          await database.rows(`update profile set role = 'user' where id = $1`, [person.id]);
        expect(await accept(person.id, sub.id)).toBe(true);
        await toggle(person.id, main.id);
        await giveAccess(person.id, other.id, 'merchant');
        expect(await placeOfNewSession(person)).toEqual(atOther);
      },
    );

    it('makes its merchant the default if no other merchant gives a team role, and keeps it the default', async () => {
      const person = await makePerson(other.id, 'merchant', { accepted: false });
      await giveAccess(person.id, sub.id, 'user');
      expect(await accept(person.id, sub.id)).toBe(true);
      const session = await sessionOf(person.id);
      expect(await scopeOf(session)).toEqual(atOther);
      await giveAccess(person.id, main.id, 'merchant_owner');
      expect(await scopeOf(session)).toEqual(atOther);
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });

    it('loses to the invitation that the person accepts, also when a session was opened before', async () => {
      const person = await makePerson(main.id, 'merchant', { accepted: false });
      const session = await sessionOf(person.id);
      expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
      await giveAccess(person.id, other.id, 'merchant');
      expect(await accept(person.id, other.id)).toBe(true);
      expect(await placeOfNewSession(person)).toEqual(atOther);
      expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
    });
  });
});

describe('default merchant at once', () => {
  useTeamDatabase();

  /*
   * Tests which merchant a person's calls are about when owners of two merchants change the person's access at the same
   * time.
   */

  describe('concurrent calls', () => {
    const changeIn = (trx: Transaction, id: string, what: Partial<TeamChange>) =>
      trx.rows(changeTeamMember(id, { role: null, disabled: null, withdraw: false, ...what }));
    const waitForLock = (statement: string) =>
      waitFor(`${statement} to wait`, async () => {
        const waiting = await database.rows(
          `select from pg_stat_activity
         where wait_event_type = 'Lock' and query like $1 and datname = current_database()`,
          [`%${statement}%`],
        );
        return waiting.length > 0;
      });

    it('let a sign-in wait for a change that disables the person at the default merchant', async () => {
      const person = await workAtOther('merchant');
      const [link, cookie] = [await makeLink(person.id), randomBytes(32)];
      let entered: Promise<unknown> | undefined;
      await api.write(await mainOwner(), async (trx) => {
        await changeIn(trx, person.id, { disabled: true });
        entered = api.write({ kind: 'sign_in' }, (rival) =>
          rival.rows(consumeSignInLink(link, cookie, null)),
        );
        await waitForLock('spend_sign_in_link');
      });
      await entered;
      const rows = await database.rows(
        `select default_merchant_id, revoked_at from session where profile_id = $1
       union all select default_merchant_id, null from profile where id = $1`,
        [person.id],
      );
      const place = { default_merchant_id: other.id, revoked_at: null };
      expect(rows).toEqual([place, place]);
      await byMain(person, { disabled: false });
      expect(await placeOfNewSession(person)).toEqual(atOther);
    });

    it.each([
      ['promotes', { role: 'merchant_owner' as const }],
      ['withdraws', { withdraw: true }],
    ])(
      'leave the person at the other merchant when the home %s the person and the other owner changes the role',
      async (_what, what) => {
        const person = await workAtOther('user');
        const session = await sessionOf(person.id);
        const rival = await otherOwner();
        let second: Promise<unknown> | undefined;
        await api.write(await mainOwner(), async (trx) => {
          await changeIn(trx, person.id, what);
          second = change(rival, person.id, { role: 'merchant_selection' });
          await waitForLock('update_team_member');
        });
        expect(await second).toBe('changed');
        await expect(scopeOf(session)).rejects.toMatchObject(ended);
        expect(await placeOfNewSession(person)).toEqual([other.id, 'merchant_selection']);
      },
    );

    it('keep every session at its merchant while both owners change the person and the person signs in', async () => {
      const person = await workAtOther('user');
      const sessions = [await sessionOf(person.id)];
      const [first, second] = [await mainOwner(), await otherOwner()];
      for (let round = 0; round < 5; round++) {
        const steps = [
          { role: 'merchant_owner' },
          { disabled: true },
          { disabled: false },
          { role: 'user' },
        ] as const;
        for (const what of steps) {
          const [, , opened] = await Promise.all([
            change(first, person.id, what),
            change(second, person.id, { disabled: false }),
            sessionOf(person.id),
            enterConsole(person),
          ]);
          sessions.push(opened);
        }
      }
      for (const session of sessions) expect(await scopeOf(session)).toEqual(atOther);
    });

    it('open two sessions of the same person without a deadlock', async () => {
      const person = await workAtOther('user');
      const caller = await sessionOf(person.id);
      const open = () =>
        api.write(caller, (trx) => trx.rows(insertSession(person.id, 'At once', randomBytes(32))));
      const waiting = () =>
        database.rows(
          `select locktype from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.query like '%open_session%' and a.datname = current_database()`,
        );
      const opened = await withAdminConnection(database.adminUrl, async (holder) => {
        await holder.query('begin');
        await holder.query(`select pg_advisory_xact_lock(hashtextextended('sessions of ' || $1, 0))`, [
          person.id,
        ]);
        const both = [open(), open()];
        await waitFor('both calls to wait', async () => (await waiting()).length === 2);
        const kinds = (await waiting()).map(({ locktype }) => locktype);
        expect(kinds.filter((kind) => kind === 'advisory')).toHaveLength(1);
        await holder.query('commit');
        return Promise.all(both);
      });
      expect(opened.flat()).toHaveLength(2);
    });
  });
});
