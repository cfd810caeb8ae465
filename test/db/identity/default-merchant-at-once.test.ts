import { randomBytes } from 'node:crypto';
import { insertSession } from '../../../db/identity/access';
import { spendSignInLink } from '../../../db/identity/sign-in-links';
import { changeTeamMember } from '../../../db/identity/team';
import type { TeamChange } from '../../../db/identity/team';
import { withAdmin } from '../../../db/platform/credentials';
import type { Transaction } from '../../../db/platform/database';
import { waitFor } from '../../harness/wait-for';
import {
  atOther,
  byMain,
  enterConsole,
  mainOwner,
  makeLink,
  otherOwner,
  placeOfNewSession,
  workAtOther,
} from './default-merchant-fixture';
import { api, change, database, ended, other, scopeOf, sessionOf, useTeamDatabase } from './team-fixture';

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
      entered = api.write({ kind: 'sign_in' }, (rival) => rival.rows(spendSignInLink(link, cookie, null)));
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
    const opened = await withAdmin(database.adminUrl, async (holder) => {
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
